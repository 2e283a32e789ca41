// Node's server around two functions of web standards: the files of the page, and `/api/…`.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const PAGE = new URL("page/", import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** Nothing but the page's own files: no script, style, image or connection that a message could bring along. */
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache",
};

/** Serves the page, and `/api/…` by `handle`. Bound to this machine: whoever reaches it can use the agent. */
export async function listen(port: number, handle: (request: Request) => Promise<Response>): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    const response = isOwn(incoming)
      ? await respond(incoming, handle)
      : new Response("Another site's page may not use this server.", { status: 403 });
    await send(response, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return server;
}

/** Refuses other sites' pages, also those that give this address a name of theirs. */
function isOwn({ headers: { host = "", origin } }: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost):\d+$/.test(host) && (!origin || origin === `http://${host}`);
}

async function respond(incoming: IncomingMessage, handle: (request: Request) => Promise<Response>): Promise<Response> {
  const { method = "GET", url = "/", headers } = incoming;
  if (!url.startsWith("/api/")) return file(url);
  const hasBody = method !== "GET" && method !== "HEAD" && method !== "DELETE";
  const init = { method, headers: headers as Record<string, string> };
  const body = hasBody && { body: Readable.toWeb(incoming), duplex: "half" };
  return handle(new Request(`http://localhost${url}`, { ...init, ...body } as RequestInit));
}

function file(url: string): Response {
  const name = url === "/" ? "index.html" : /^\/([\w-]+\.(?:css|js|svg))$/.exec(url)?.[1];
  if (name === undefined) return new Response("Not found.", { status: 404 });
  try {
    const content = readFileSync(fileURLToPath(new URL(name, PAGE)));
    return new Response(content, { headers: { ...HEADERS, "content-type": TYPES[name.split(".")[1]!]! } });
  } catch {
    return new Response("Not found.", { status: 404 });
  }
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) return void outgoing.end();
  const body = Readable.fromWeb(response.body as never);
  outgoing.on("close", () => body.destroy());
  body.on("error", () => outgoing.destroy());
  body.pipe(outgoing);
}
