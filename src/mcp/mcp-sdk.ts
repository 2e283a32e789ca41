// The official SDK is an optional peer: it is loaded when the first server is connected, or offered.
import { loadPeer, notLoaded } from "../peers/load-peer.js";

export type ClientSdk = typeof import("@modelcontextprotocol/client");
export type ServerSdk = typeof import("@modelcontextprotocol/server");
export type ServerStdio = typeof import("@modelcontextprotocol/server/stdio");

/** @throws ConfigurationError `PEER_MISSING`, `PEER_UNSUPPORTED` that say what to install */
export function loadClientSdk(): Promise<ClientSdk> {
  return loadPeer("@modelcontextprotocol/client", async () => {
    try {
      return await import("@modelcontextprotocol/client");
    } catch (cause) {
      throw notLoaded(cause);
    }
  }, [
    "auth",
    "Client",
    "computeScopeUnion",
    "discoverOAuthServerInfo",
    "extractWWWAuthenticateParams",
    "ProtocolError",
    "refreshAuthorization",
    "SdkError",
    "selectResourceURL",
    "StreamableHTTPClientTransport",
    "UnauthorizedError",
  ]);
}

/** @throws ConfigurationError `PEER_MISSING`, `PEER_UNSUPPORTED` that say what to install */
export function loadServerSdk(): Promise<ServerSdk> {
  return loadPeer("@modelcontextprotocol/server", async () => {
    try {
      return await import("@modelcontextprotocol/server");
    } catch (cause) {
      throw notLoaded(cause);
    }
  }, [
    "createMcpHandler",
    "hostHeaderValidationResponse",
    "isLegacyRequest",
    "localhostAllowedHostnames",
    "localhostAllowedOrigins",
    "originValidationResponse",
    "Server",
    "WebStandardStreamableHTTPServerTransport",
  ]);
}

/** Its part that reads from a client that has started this process. */
export function loadServerStdio(): Promise<ServerStdio> {
  return loadPeer("@modelcontextprotocol/server", async () => {
    try {
      return await import("@modelcontextprotocol/server/stdio");
    } catch (cause) {
      throw notLoaded(cause);
    }
  }, ["serveStdio", "StdioServerTransport"]);
}
