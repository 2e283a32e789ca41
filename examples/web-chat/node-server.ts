// Node's server around two functions of web standards: the routes, and the files of the page.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "loopwright/http";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};

/** Nothing but the page's own files: no script, style, image or connection that a message could bring along. */
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache",
};

/** Serves what `handle` answers, and else the page. Bound to this machine. Resolves with the address. */
export async function listen(port: number, handle: (request: Request) => Promise<Response | null>): Promise<string> {
  const serve = toNodeHandler(async (request) => (await handle(request)) ?? file(new URL(request.url).pathname));
  const server = createServer((incoming, outgoing) => {
    if (isOwn(incoming)) serve(incoming, outgoing);
    else outgoing.writeHead(403).end("Another site's page may not use this server.");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Refuses other sites' pages, also those that give this address a name of theirs. */
function isOwn({ headers: { host = "", origin } }: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost):\d+$/.test(host) && (!origin || origin === `http://${host}`);
}

function file(path: string): Response {
  const name = path === "/" ? "index.html" : /^\/([\w-]+\.(?:css|js))$/.exec(path)?.[1];
  if (name === undefined) return new Response("Not found.", { status: 404 });
  try {
    const content = readFileSync(new URL(`page/${name}`, import.meta.url));
    return new Response(content, { headers: { ...HEADERS, "content-type": TYPES[name.split(".")[1]!]! } });
  } catch {
    return new Response("Not found.", { status: 404 });
  }
}
