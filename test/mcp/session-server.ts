// A server at a URL that keeps sessions, and forgets them when it is told to, for tests.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { closing } from "./servers.js";

export interface SessionServer {
  readonly url: string;
  /** What was asked and not refused, in order: the method, and the session it was asked in. */
  readonly taken: readonly string[];
  /** How many requests were refused because of their session. */
  readonly refused: number;
  /** Sessions that there are now are not known any more. */
  forget(): void;
}

interface Habits {
  /** Answers a call in its own time; without it a call is answered with the session's name. */
  readonly call?: (answer: (text: string) => void, response: ServerResponse, id: unknown) => void;
  /** The description of the tool, by how many sessions have begun. */
  readonly describe?: (sessions: number) => string;
  /** Every call is refused with 404, whatever its session. */
  readonly knowsNoCall?: boolean;
}

export async function serveSessions({ call, describe, knowsNoCall }: Habits = {}): Promise<SessionServer> {
  const taken: string[] = [];
  const known = new Set<string>();
  let sessions = 0;
  let refused = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.method !== "POST") return void response.writeHead(request.method === "GET" ? 405 : 200).end();
    const { id, method, params } = JSON.parse(body);
    const session = String(request.headers["mcp-session-id"]);
    const answer = (result: object, headers = {}) => {
      response.writeHead(200, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    };
    if (method === "initialize") {
      const name = `session-${++sessions}`;
      known.add(name);
      taken.push(method);
      const { protocolVersion } = params;
      const about = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } };
      return answer(about, { "mcp-session-id": name });
    }
    if (!known.has(session) || (knowsNoCall && method === "tools/call")) {
      refused++;
      return void response.writeHead(404, { "content-type": "application/json" }).end('{"error":"Session not found"}');
    }
    if (id === undefined) return void response.writeHead(202).end();
    if (method !== "tools/list") taken.push(`${method} in ${session}`);
    const description = describe?.(sessions) ?? "Says it again.";
    if (method === "tools/list") answer({ tools: [{ name: "echo", description, inputSchema: { type: "object" } }] });
    else if (method !== "tools/call") answer({});
    else if (call) call((text) => answer({ content: [{ type: "text", text }] }), response, id);
    else answer({ content: [{ type: "text", text: session }] });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  closing({ close });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    taken,
    get refused() {
      return refused;
    },
    forget: () => known.clear(),
  };
}
