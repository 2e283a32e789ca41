// The official SDK is an optional peer: it is loaded with the first request or call.
import { loadPeer, notLoaded } from "../peers/load-peer.js";

type Protocol = typeof import("@a2a-js/sdk");
type Errors = typeof import("@a2a-js/sdk/errors");
type Server = typeof import("@a2a-js/sdk/server");
type Legacy = typeof import("@a2a-js/sdk/compat/v0_3/server");

/** The parts of the SDK that serve others. */
export type A2aServerSdk = Protocol & Errors & Server & Pick<Legacy, "LegacyJsonRpcTransportHandler">;
/** The parts of the SDK that call others. */
export type A2aClientSdk = Protocol & typeof import("@a2a-js/sdk/client");

/** @throws ConfigurationError `PEER_MISSING`, `PEER_UNSUPPORTED` that say what to install */
export function loadA2aServerSdk(): Promise<A2aServerSdk> {
  return loadPeer("@a2a-js/sdk", async () => {
    try {
      const [protocol, errors, server, legacy] = await Promise.all([
        import("@a2a-js/sdk"),
        import("@a2a-js/sdk/errors"),
        import("@a2a-js/sdk/server"),
        import("@a2a-js/sdk/compat/v0_3/server"),
      ]);
      const { LegacyJsonRpcTransportHandler } = legacy;
      return { ...protocol, ...errors, ...server, LegacyJsonRpcTransportHandler };
    } catch (cause) {
      throw notLoaded(cause);
    }
  }, ["JsonRpcTransportHandler", "LegacyJsonRpcTransportHandler", "ServerCallContext", "AgentCard", "toRestErrorBody"]);
}

/** @throws ConfigurationError `PEER_MISSING`, `PEER_UNSUPPORTED` that say what to install */
export function loadA2aClientSdk(): Promise<A2aClientSdk> {
  return loadPeer("@a2a-js/sdk", async () => {
    try {
      const [protocol, client] = await Promise.all([import("@a2a-js/sdk"), import("@a2a-js/sdk/client")]);
      return { ...protocol, ...client };
    } catch (cause) {
      throw notLoaded(cause);
    }
  }, ["ClientFactory", "DefaultAgentCardResolver", "JsonRpcTransportFactory", "RestTransportFactory", "TaskState"]);
}
