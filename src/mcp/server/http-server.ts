// Streamable HTTP on a port of this machine. A page in a browser can reach such a port as well: requests are checked for the
// host they name and the origin they come from before anything reads them.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { ServerSdk } from "../mcp-sdk.js";

/** The address of a server, and whom it serves. */
export interface McpHttpOptions {
  /** Default: any free one. */
  readonly port?: number | undefined;
  /** Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Names in the `Host` header that are served. Default: those of this machine's loopback. Needed for another `host`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Host names of origins whose pages are served. Default: those of this machine's loopback. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The token that clients send as `Authorization: Bearer …`. Default: nothing is asked for. */
  readonly token?: string | undefined;
}

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
  open: number;
}

const PATH = "/mcp";
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_SESSIONS = 1_000;
/** A session without a request or an open stream for so long is closed. Unit: milliseconds. */
const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

export async function serveHttp(sdk: ServerSdk, options: McpHttpOptions, connect: () => Server): Promise<HttpServer> {
  const { port = 0, host = "127.0.0.1" } = options;
  const sessions = new Map<string, Session>();
  // The revision of July 2026 has no sessions: each request is served by itself.
  const modern = sdk.createMcpHandler(connect, { legacy: "reject", maxRequestBodySize: MAX_BODY_BYTES });
  const http = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const left = new AbortController();
    outgoing.on("close", () => left.abort());
    const request = toRequest(incoming, left.signal);
    const response = refusalOf(sdk, request, options) ?? (await route(request));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (!response.body) return void outgoing.end();
    outgoing.flushHeaders();
    await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => undefined);
  }

  async function route(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== PATH) return refuse(404, `There is nothing here. The server is at ${PATH}.`);
    if (!(await sdk.isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BODY_BYTES }))) {
      return modern.fetch(request);
    }
    const id = request.headers.get("mcp-session-id");
    const session = id === null ? undefined : sessions.get(id);
    if (id !== null && !session) return refuse(404, "There is no such session. Initialize a new one.");
    return serve(session ?? (await newSession()), request);
  }

  async function serve(session: Session, request: Request): Promise<Response> {
    session.usedAt = Date.now();
    session.open++;
    request.signal.addEventListener("abort", () => {
      session.open--;
      session.usedAt = Date.now();
    });
    const response = await session.transport.handleRequest(request);
    // A client that did not begin with a handshake has no session, and leaves nothing behind.
    if (session.transport.sessionId === undefined) await session.transport.close();
    return response;
  }

  async function newSession(): Promise<Session> {
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_BODY_BYTES,
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const session: Session = { transport, usedAt: Date.now(), open: 0 };
    await connect().connect(transport);
    const [oldest] = sessions.size >= MAX_SESSIONS ? [...sessions].sort((a, b) => a[1].usedAt - b[1].usedAt) : [];
    if (oldest) await drop(...oldest);
    return session;
  }

  async function drop(id: string, { transport }: Session): Promise<void> {
    sessions.delete(id);
    await transport.close();
  }

  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, host, resolve);
  }).catch(async (error) => {
    await modern.close();
    throw error;
  });
  const sweep = setInterval(() => {
    const longAgo = Date.now() - IDLE_MS;
    for (const [id, session] of sessions) if (session.open === 0 && session.usedAt < longAgo) void drop(id, session);
  }, SWEEP_MS);
  sweep.unref();
  const { port: bound } = http.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}${PATH}`,
    async close() {
      clearInterval(sweep);
      await modern.close();
      await Promise.all([...sessions].map(([id, session]) => drop(id, session)));
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each);
  }
  const method = incoming.method ?? "GET";
  const hasBody = method !== "GET" && method !== "HEAD";
  const init = { method, headers, signal, ...(hasBody && { body: Readable.toWeb(incoming), duplex: "half" }) };
  // The request's name for its host is checked as a header; here it only completes the URL.
  return new Request(new URL(incoming.url ?? "/", "http://localhost"), init as RequestInit);
}

function refusalOf(sdk: ServerSdk, request: Request, options: McpHttpOptions): Response | undefined {
  const {
    allowedHosts = sdk.localhostAllowedHostnames(),
    allowedOrigins = sdk.localhostAllowedOrigins(),
    token,
  } = options;
  const wrong =
    sdk.hostHeaderValidationResponse(request, [...allowedHosts]) ??
    sdk.originValidationResponse(request, [...allowedOrigins]);
  if (wrong) return wrong;
  const { headers } = request;
  if (token === undefined || isSame(headers.get("authorization") ?? "", `Bearer ${token}`)) return undefined;
  const response = refuse(401, "The request needs the server's token: Authorization: Bearer …");
  response.headers.set("www-authenticate", "Bearer");
  return response;
}

/** Takes as long for a token that is nearly right as for any other of its length. */
function isSame(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < expected.length; at++) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}

function refuse(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }, { status });
}
