// The page's own files, and headers under which nothing else runs or loads.
import { readFileSync } from "node:fs";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
};

export function fileOf(path: string): Response {
  const name = path === "/" ? "index.html" : /^\/([\w-]+\.(?:css|js))$/.exec(path)?.[1];
  if (name === undefined) return new Response("Not found.", { status: 404 });
  try {
    const content = readFileSync(new URL(`page/${name}`, import.meta.url));
    return new Response(content, { headers: { ...HEADERS, "content-type": TYPES[name.split(".")[1]!]! } });
  } catch {
    return new Response("Not found.", { status: 404 });
  }
}
