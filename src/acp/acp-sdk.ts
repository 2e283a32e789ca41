// The official SDK is an optional peer: it is loaded when the first server begins.
import { ConfigurationError } from "../contracts/errors.js";

const PACKAGE = "@agentclientprotocol/sdk";
const RANGE = "^2.4.0";

export type AcpSdk = typeof import("@agentclientprotocol/sdk");

/** @throws ConfigurationError `PEER_MISSING` that says what to install */
export async function loadAcpSdk(): Promise<AcpSdk> {
  try {
    return await import("@agentclientprotocol/sdk");
  } catch (cause) {
    throw new ConfigurationError("PEER_MISSING", {
      message: `serveAcp() needs the package "${PACKAGE}", which is not installed or cannot be loaded. Run: npm install "${PACKAGE}@${RANGE}".`,
      details: { package: PACKAGE, range: RANGE },
      cause,
    });
  }
}
