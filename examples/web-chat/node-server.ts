// Node's server around two functions of web standards: the files of the page, and `/api/…`.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { toNodeHandler } from "loopwright/http";

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
  const api = toNodeHandler(handle);
  const page = toNodeHandler(({ url }) => file(new URL(url).pathname));
  const server = createServer((incoming, outgoing) => {
    if (!isOwn(incoming)) outgoing.writeHead(403).end("Another site's page may not use this server.");
    else if (incoming.url?.startsWith("/api/")) api(incoming, outgoing);
    else page(incoming, outgoing);
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

function file(path: string): Response {
  const name = path === "/" ? "index.html" : /^\/([\w-]+\.(?:css|js|svg))$/.exec(path)?.[1];
  if (name === undefined) return new Response("Not found.", { status: 404 });
  try {
    const content = readFileSync(fileURLToPath(new URL(name, PAGE)));
    return new Response(content, { headers: { ...HEADERS, "content-type": TYPES[name.split(".")[1]!]! } });
  } catch {
    return new Response("Not found.", { status: 404 });
  }
}
