/** Ends the sentence "expected …". */
export const HTTP_URL = 'an http(s) URL without a user name in it, such as "http://localhost:8080/v1"';

/** Whether a value is an address that requests can be sent to. Credentials in it would end up in messages and logs. */
export function isHttpUrl(value: unknown): value is string {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

/**
 * The address of `path` (which begins with "/" and may have a query) below a base URL. The base URL's own query is kept,
 * and a base URL that already ends with the path is taken as it is.
 */
export function joinURL(baseURL: string, path: string): string {
  const url = new URL(baseURL);
  const [pathname = "", query] = path.split("?");
  const base = url.pathname.replace(/\/+$/, "");
  url.pathname = base.endsWith(pathname) ? base : base + pathname;
  if (query !== undefined) for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  // Writing to a URL reads it all again.
  if (url.href.includes("#")) url.hash = "";
  return url.href;
}

/** Whether the address is of this domain or below it. */
export function isHostedBy(baseURL: string, domain: string): boolean {
  if (!URL.canParse(baseURL)) return false;
  const { hostname } = new URL(baseURL);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
