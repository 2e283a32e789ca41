// A server that wants its user to sign in, and the authorization server that lets it: refresh tokens count once. For tests.
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { closing } from "./servers.js";

/** What a test may change while it runs. */
interface Behaviour {
  /** Answers a request for tokens in its own way; `false`: it is answered as it should be. */
  token?: ((asked: URLSearchParams, response: ServerResponse) => unknown) | undefined;
  /** Before a request for tokens is looked at. */
  waits?: ((grant: string) => Promise<void>) | undefined;
  /** What a token needs for a call. */
  scope?: string | undefined;
  /** No token is ever good enough. */
  refusesAll?: boolean | undefined;
  /** Refresh tokens are good as long as these do not say otherwise. */
  revoked?: boolean | undefined;
}

export interface SigningServer {
  readonly url: string;
  readonly behaviour: Behaviour;
  /** The grants that were asked for, in order; those that were refused with the reason. */
  readonly asked: readonly string[];
  /** How many clients have registered. */
  readonly clients: ReadonlySet<string>;
  /** Access tokens that there are now are not taken any more. */
  expire(): void;
  forgetClients(): void;
  /** Signs a user in as a page would. */
  signIn(page: URL): Promise<string>;
}

export async function serveSigning(): Promise<SigningServer> {
  const behaviour: Behaviour = {};
  const asked: string[] = [];
  const clients = new Set<string>();
  const codes = new Map<string, { challenge: string; scope: string }>();
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();

  const tokens = (scope: string) => {
    const [accessToken, refreshToken] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    access.set(accessToken, scope);
    refresh.set(refreshToken, scope);
    return { access_token: accessToken, refresh_token: refreshToken, token_type: "Bearer", expires_in: 3600, scope };
  };
  const json = (response: ServerResponse, body: unknown, status = 200, headers = {}) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

  const authorization = await listen(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
    let body = "";
    for await (const chunk of request) body += chunk;
    const issuer = authorization;
    if (pathname === "/.well-known/oauth-authorization-server") {
      return json(response, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      });
    }
    if (pathname === "/register") {
      const client = `client-${randomUUID()}`;
      clients.add(client);
      return json(response, { ...JSON.parse(body), client_id: client }, 201);
    }
    if (pathname === "/authorize") {
      const code = randomUUID();
      codes.set(code, {
        challenge: searchParams.get("code_challenge") ?? "",
        scope: searchParams.get("scope") ?? "",
      });
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.search = String(new URLSearchParams({ code, state: searchParams.get("state") ?? "" }));
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (pathname !== "/token") return void response.writeHead(404).end();
    const params = new URLSearchParams(body);
    const grant = params.get("grant_type") ?? "";
    await behaviour.waits?.(grant);
    if (behaviour.token && behaviour.token(params, response) !== false) return void asked.push(`${grant}: other`);
    const refuse = (error: string) => {
      asked.push(`${grant}: ${error}`);
      json(response, { error, error_description: "No." }, error === "invalid_client" ? 401 : 400);
    };
    if (!clients.has(params.get("client_id") ?? "")) return refuse("invalid_client");
    const kept = grant === "refresh_token" ? refresh : undefined;
    const token = params.get("refresh_token") ?? "";
    if (kept && (behaviour.revoked || !kept.has(token))) return refuse("invalid_grant");
    const code = codes.get(params.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(params.get("code_verifier") ?? "")
      .digest("base64url");
    if (!kept && code?.challenge !== challenge) return refuse("invalid_grant");
    const scope = kept?.get(token) ?? code?.scope ?? "";
    kept?.delete(token);
    asked.push(grant);
    json(response, tokens(scope));
  });

  const url = await listen(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.url?.startsWith("/.well-known/oauth-protected-resource")) {
      return json(response, { resource: `${url}/mcp`, authorization_servers: [authorization] });
    }
    const scope = access.get(request.headers.authorization?.slice("Bearer ".length) ?? "");
    const metadata = `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`;
    if (scope === undefined || behaviour.refusesAll) {
      return json(response, { error: "unauthorized" }, 401, { "www-authenticate": metadata });
    }
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "tools/call" && behaviour.scope && !scope.split(" ").includes(behaviour.scope)) {
      const challenge = `${metadata}, error="insufficient_scope", scope="${behaviour.scope}"`;
      return json(response, { error: "forbidden" }, 403, { "www-authenticate": challenge });
    }
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "x", version: "1" },
      },
      "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "signed in" }] },
    };
    json(response, { jsonrpc: "2.0", id, result: results[method] ?? {} });
  });

  return {
    url: `${url}/mcp`,
    behaviour,
    asked,
    clients,
    expire: () => access.clear(),
    forgetClients: () => clients.clear(),
    signIn: async (page) => (await fetch(page, { redirect: "manual" })).headers.get("location") ?? "",
  };
}

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  closing({ close });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
