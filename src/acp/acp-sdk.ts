// The official SDK is an optional peer: it is loaded when the first server begins.
import { loadPeer, notLoaded } from "../peers/load-peer.js";

export type AcpSdk = typeof import("@agentclientprotocol/sdk");

/** @throws ConfigurationError `PEER_MISSING`, `PEER_UNSUPPORTED` that say what to install */
export function loadAcpSdk(): Promise<AcpSdk> {
  return loadPeer("@agentclientprotocol/sdk", async () => {
    try {
      return await import("@agentclientprotocol/sdk");
    } catch (cause) {
      throw notLoaded(cause);
    }
  }, ["agent", "client", "methods", "ndJsonStream", "RequestError"]);
}
