// Each habit changes a server at a URL that behaves: what it answers to a request, or that it does not.
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

/** One request to the server, and what its answer can be made of. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What was posted; empty for the other methods. */
  readonly message: { readonly id?: number; readonly method?: string };
  /** The URL of another server, which notes what it is sent. */
  readonly elsewhere: string;
  /** The id of the call before this, for a stream that is continued. */
  readonly lastCall: unknown;
  /** What a server that behaves returns. */
  readonly result: object;
}

/** Answers, or returns `false`: the server then does what is right. */
export type HttpHabit = (exchange: Exchange) => unknown;

const JSON_TYPE = { "content-type": "application/json" };
const SSE = { "content-type": "text/event-stream" };
const rpc = (id: unknown, result: object) => ({ jsonrpc: "2.0", id, result });
const text = (text: string) => ({ content: [{ type: "text", text }] });
const event = (message: unknown) => `data: ${JSON.stringify(message)}\n\n`;
const note = (method: string, params: object = {}) => event({ jsonrpc: "2.0", method, params });

/** A habit that shows when this is asked for: a method of MCP, or of HTTP. */
function at(method: string, habit: HttpHabit): HttpHabit {
  return (exchange) => ((exchange.message.method ?? exchange.request.method) === method ? habit(exchange) : false);
}

const status = (code: number, body = "", headers: Record<string, string> = {}): HttpHabit => {
  return ({ response }) => response.writeHead(code, headers).end(body);
};
const hang: HttpHabit = () => undefined;
/** An event stream that says this, and ends. */
const stream = (say: (exchange: Exchange) => string): HttpHabit => {
  return (exchange) => exchange.response.writeHead(200, SSE).end(say(exchange));
};
/** One that says this, and stays open. */
const openStream = (say: (exchange: Exchange) => string): HttpHabit => {
  return (exchange) => void exchange.response.writeHead(200, SSE).write(say(exchange));
};
const json = (say: (exchange: Exchange) => unknown): HttpHabit => {
  return (exchange) => exchange.response.writeHead(200, JSON_TYPE).end(JSON.stringify(say(exchange)));
};
const answer = ({ message, result }: Exchange) => rpc(message.id, result);
const all = (...habits: HttpHabit[]): HttpHabit => {
  return (exchange) => (habits.every((habit) => habit(exchange) === false) ? false : undefined);
};

export const HTTP_HABITS: Record<string, HttpHabit> = {
  none: () => false,

  // ── it is odd, and can be understood ────────────────────────────────────────────────────────────────────────────
  "answers with a string for an id": at(
    "tools/call",
    json((exchange) => rpc(String(exchange.message.id), exchange.result)),
  ),
  "names its content type in capitals": at("tools/call", (exchange) => {
    exchange.response.writeHead(200, { "content-type": "Application/JSON; Charset=UTF-8" });
    exchange.response.end(JSON.stringify(answer(exchange)));
  }),
  "answers in a batch": at(
    "tools/call",
    json((exchange) => [JSON.parse(note("notifications/x").slice(6)), answer(exchange)]),
  ),
  "answers in an event stream with everything": at(
    "tools/call",
    stream((exchange) => {
      const data = JSON.stringify(answer(exchange)).replace(",", ",\r\ndata: ");
      return `\ufeff: hello\r\n\r\nid: 1\r\nretry: 10\r\nevent: message\r\ndata: ${data}\r\n\r\n`;
    }),
  ),
  "puts garbage before the answer": at(
    "tools/call",
    stream(
      (exchange) =>
        `data: <html>\n\nevent: ping\ndata: now\n\ndata: {}\n\ndata: [1]\n\ndata\n\n${event(answer(exchange))}`,
    ),
  ),
  "answers twice in a stream": at(
    "tools/call",
    stream((exchange) => event(answer(exchange)) + event(rpc(exchange.message.id, text("second")))),
  ),
  "answers somebody else first": at(
    "tools/call",
    stream((exchange) => event(rpc(4711, text("other"))) + event(answer(exchange))),
  ),
  "keeps the stream open after the answer": at(
    "tools/call",
    openStream((exchange) => event(answer(exchange))),
  ),
  "notifies after the answer": at(
    "tools/call",
    stream(
      (exchange) =>
        event(answer(exchange)) + note("notifications/progress", { progressToken: exchange.message.id, progress: 1 }),
    ),
  ),
  "changes its session id": ({ response, message }) => {
    response.setHeader("mcp-session-id", `session-${message.id}`);
    return false;
  },
  "answers notifications with 200 and text": at(
    "notifications/initialized",
    status(200, "ok", { "content-type": "text/plain" }),
  ),
  "answers notifications with 204": at("notifications/initialized", status(204)),
  "has no stream of its own (405)": at("GET", status(405)),
  "has no stream of its own (404)": at("GET", status(404)),
  "fails where its stream is asked for": at("GET", status(500, "<h1>oops</h1>")),
  "answers with a page where its stream is asked for": at(
    "GET",
    status(200, "<h1>hi</h1>", { "content-type": "text/html" }),
  ),
  "never answers where its stream is asked for": at("GET", hang),
  "ends its stream at once": at(
    "GET",
    stream(() => ""),
  ),
  "asks for streams again and again": at(
    "GET",
    stream(() => "retry: 0\nid: 1\n\n"),
  ),
  "asks for streams after a time that no timer has": at(
    "GET",
    stream(() => "retry: 99999999999\nid: 1\n\n"),
  ),
  "cries wolf about its list": at(
    "GET",
    openStream(() => note("notifications/tools/list_changed").repeat(300)),
  ),
  "does not let sessions end (405)": at("DELETE", status(405)),
  "fails at the end of a session": at("DELETE", status(500)),
  "never answers the end of a session": at("DELETE", hang),
  "moves to another path": ({ request, response }) =>
    request.url === "/mcp" ? response.writeHead(308, { location: "/moved" }).end() : false,
  "continues a stream that broke": all(
    at("tools/call", ({ response }) => {
      response.writeHead(200, SSE).end("id: one\nretry: 1\ndata: \n\n");
    }),
    at("GET", (exchange) => {
      if (exchange.request.headers["last-event-id"] !== "one") return exchange.response.writeHead(405).end();
      return exchange.response.writeHead(200, SSE).end(event(rpc(exchange.lastCall, text("echo hi"))));
    }),
  ),
  "pages its list without end": at(
    "tools/list",
    json((exchange) => rpc(exchange.message.id, { ...exchange.result, nextCursor: "again" })),
  ),

  // ── a call fails ────────────────────────────────────────────────────────────────────────────────────────────────
  "refuses the call with 401": at("tools/call", status(401, "", { "www-authenticate": "Bearer" })),
  "refuses the call with 403": at("tools/call", status(403, "not for you")),
  "refuses the call with 429": at("tools/call", status(429, "slow down", { "retry-after": "30" })),
  "refuses the call with 500 at length": at("tools/call", status(500, "because ".repeat(10_000))),
  "answers with an empty body": at("tools/call", status(200, "", JSON_TYPE)),
  "answers with half a JSON": at("tools/call", status(200, '{"jsonrpc":"2.0","id":', JSON_TYPE)),
  "answers without a content type": at("tools/call", ({ response }) => response.end("ok")),
  "accepts the call and says no more": at("tools/call", status(202)),
  "answers with no content": at("tools/call", status(204)),
  "cuts its body off": at("tools/call", ({ response }) => {
    response.writeHead(200, { ...JSON_TYPE, "content-length": "1000" }).write('{"jsonrpc"', () => response.destroy());
  }),
  "hangs up": at("tools/call", ({ response }) => response.destroy()),
  "says that it is compressed": at("tools/call", status(200, "{}", { ...JSON_TYPE, "content-encoding": "gzip" })),
  "sends a bomb": at("tools/call", ({ response }) =>
    response.writeHead(200, { ...JSON_TYPE, "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(40 << 20, " "))),
  ),
  "sends a huge event": at(
    "tools/call",
    stream(() => `data: ${"x".repeat(40 << 20)}`),
  ),
  "sends an event of many lines": at(
    "tools/call",
    stream(() => `data: ${"x".repeat(1 << 20)}\n`.repeat(40)),
  ),
  "answers with an id of its own": at(
    "tools/call",
    json((exchange) => rpc("mine", exchange.result)),
  ),
  "answers with null for an id": at(
    "tools/call",
    json(() => ({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "Bad" } })),
  ),
  "redirects without end": at("tools/call", ({ response }) => response.writeHead(307, { location: "/mcp" }).end()),
  "redirects to another host": at("tools/call", ({ response, elsewhere }) =>
    response.writeHead(307, { location: elsewhere }).end(),
  ),
  "redirects nowhere": at("tools/call", status(302)),
  "breaks a stream that it cannot continue": all(
    at("tools/call", ({ response }) => {
      response.writeHead(200, SSE).write("id: one\nretry: 1\ndata: \n\n", () => response.destroy());
    }),
    at("GET", status(405)),
  ),
  "breaks its stream again and again": all(
    at(
      "tools/call",
      stream(() => "id: one\nretry: 0\ndata: \n\n"),
    ),
    at(
      "GET",
      stream(() => "id: one\nretry: 0\ndata: \n\n"),
    ),
  ),
  "reports progress 20,000 times at once": at(
    "tools/call",
    stream((exchange) => {
      const report = (progress: number) => note("notifications/progress", { progressToken: 1, progress });
      return Array.from({ length: 20_000 }, (_, at) => report(at)).join("") + event(answer(exchange));
    }),
  ),
  "floods with notifications": at(
    "tools/call",
    openStream(() => note("notifications/message", { level: "info", data: "x" }).repeat(30_000)),
  ),

  // ── a call is not answered ──────────────────────────────────────────────────────────────────────────────────────
  "never sends headers": at("tools/call", hang),
  "never ends its body": at(
    "tools/call",
    ({ response }) => void response.writeHead(200, JSON_TYPE).write('{"jsonrpc":'),
  ),
  "only keeps its stream alive": at("tools/call", ({ response }) => {
    response.writeHead(200, SSE);
    const timer = setInterval(() => response.write(": alive\n\n"), 5);
    response.once("close", () => clearInterval(timer));
  }),

  // ── it cannot be connected ──────────────────────────────────────────────────────────────────────────────────────
  "is a web site": at("initialize", status(200, "<h1>Welcome</h1>", { "content-type": "text/html" })),
  "is not there": at("initialize", status(404, "<h1>404</h1>")),
  "speaks the older transport only": at("initialize", status(405)),
  "asks who it is": at("initialize", status(401, "", { "www-authenticate": 'Basic realm="x"' })),
  "is down": at("initialize", status(503, "<h1>503</h1>")),
  "ends its first stream without an answer": at(
    "initialize",
    stream(() => ": hello\n\n"),
  ),
  "never answers first": at("initialize", hang),
  "sends its client elsewhere": ({ response, elsewhere }) => response.writeHead(307, { location: elsewhere }).end(),
  "lists nothing that is a list": at(
    "tools/list",
    json((exchange) => rpc(exchange.message.id, { tools: "all" })),
  ),
};

const RESULTS: Record<string, object> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "hostile", version: "1" },
  },
  "tools/list": { tools: [{ name: "echo", description: "Says it again.", inputSchema: { type: "object" } }] },
  "tools/call": text("echo hi"),
};

/** A server at a URL with this habit, and what it was asked. */
export interface HostileHttp {
  readonly url: string;
  /** The method of each request to it, of MCP or of HTTP. */
  readonly asked: string[];
  /** What the other server was sent. */
  readonly elsewhere: IncomingMessage["headers"][];
  /** Resolves when it has been asked for this. */
  whenAsked(method: string): Promise<void>;
  close(): Promise<void>;
}

export async function serveHostile(habit: string): Promise<HostileHttp> {
  const asked: string[] = [];
  const elsewhere: IncomingMessage["headers"][] = [];
  const waiting = new Set<() => void>();
  let lastCall: unknown;
  const other = await listen((request, response) => {
    elsewhere.push(request.headers);
    response.end();
  });
  const server = await listen(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const message = body === "" ? {} : JSON.parse(body);
    const method = message.method ?? request.method;
    asked.push(method);
    for (const look of waiting) look();
    if (method === "tools/call") lastCall = message.id;
    const result = RESULTS[method] ?? {};
    const exchange = { request, response, message, elsewhere: other.url, lastCall, result };
    if (HTTP_HABITS[habit]!(exchange) !== false) return;
    if (request.method === "GET") return response.writeHead(200, SSE).flushHeaders();
    if (request.method === "DELETE") return response.end();
    if (message.id === undefined) return response.writeHead(202).end();
    if (method === "initialize" && !response.hasHeader("mcp-session-id")) response.setHeader("mcp-session-id", "one");
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(rpc(message.id, result)));
  });
  return {
    url: `${server.url}mcp`,
    asked,
    elsewhere,
    whenAsked(method) {
      return new Promise((resolve) => {
        const look = () => {
          if (!asked.includes(method)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
    async close() {
      await Promise.all([server.close(), other.close()]);
    },
  };
}

async function listen(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
