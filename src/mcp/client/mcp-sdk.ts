// The official SDK is an optional peer: it is loaded when the first server is connected, or offered.
import { ConfigurationError } from "../../contracts/errors.js";

const RANGE = "^2.4.0";

export type ClientSdk = typeof import("@modelcontextprotocol/client");
export type ServerSdk = typeof import("@modelcontextprotocol/server");

/** @throws ConfigurationError `PEER_MISSING` that says what to install */
export async function loadClientSdk(): Promise<ClientSdk> {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (cause) {
    throw missing("connectMcp()", "@modelcontextprotocol/client", cause);
  }
}

/** @throws ConfigurationError `PEER_MISSING` that says what to install */
export async function loadServerSdk(): Promise<ServerSdk> {
  try {
    return await import("@modelcontextprotocol/server");
  } catch (cause) {
    throw missing("serveMcp()", "@modelcontextprotocol/server", cause);
  }
}

function missing(owner: string, name: string, cause: unknown): ConfigurationError {
  return new ConfigurationError("PEER_MISSING", {
    message: `${owner} needs the package "${name}", which is not installed or cannot be loaded. Run: npm install "${name}@${RANGE}".`,
    details: { package: name, range: RANGE },
    cause,
  });
}
