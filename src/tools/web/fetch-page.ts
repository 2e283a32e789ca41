// The work of `web_fetch` on an address: reads the page, follows redirects, and shows it.
import { isHarnessError, ToolError } from "../../contracts/errors.js";
import type { ToolOutput } from "../../contracts/tool.js";
import { firstCharacters } from "../../text/cut.js";
import { withoutControls } from "../../text/terminal-text.js";
import { LONGEST_TIMER_MS } from "../../time/deadlines.js";
import { type ConvertedHtml, htmlToMarkdown } from "./html-markdown.js";
import { readWebUrl, resolveHost } from "./web-address.js";
import { type BodyKind, decodeBody, kindOfBytes, kindOfType, mediaTypeOf, readBody } from "./web-body.js";
import type { WebFetchOptions } from "./web-fetch.js";
import { sendPinned, type WebResponse } from "./web-transport.js";

const MAX_REDIRECTS = 5;
/** The shown part of an error's page. */
const ERROR_PAGE_CHARS = 2_000;
const HEADERS = {
  accept: "text/markdown, text/html;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1",
  "user-agent": "Mozilla/5.0 (compatible; loopwright)",
};

interface Limited extends WebFetchOptions {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** For turning HTML into Markdown. */
  readonly convertTimeoutMs: number;
}

/** The page as the model reads it. @throws ToolError `FETCH_FAILED`, `ADDRESS_REFUSED` */
export async function fetchPage(text: string, options: Limited, signal: AbortSignal): Promise<ToolOutput> {
  const { timeoutMs } = options;
  const url = readWebUrl(text, options);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(tooSlow(url, timeoutMs)), Math.min(timeoutMs, LONGEST_TIMER_MS));
  try {
    const page = await readPage(url, options, AbortSignal.any([signal, deadline.signal]));
    return "movedTo" in page ? moved(url, page.movedTo) : await shown(page, options, signal);
  } catch (error) {
    signal.throwIfAborted();
    deadline.signal.throwIfAborted();
    throw isHarnessError(error) ? error : unreachable(url, error);
  } finally {
    clearTimeout(timer);
    // Closes what is still open: responses that were not read, or not to their end.
    deadline.abort();
  }
}

interface Page {
  readonly url: URL;
  readonly status: number;
  readonly contentType: string | null;
  readonly kind: BodyKind;
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
}

/** Follows redirects on one host; every step is checked like the first. */
async function readPage(first: URL, options: Limited, signal: AbortSignal): Promise<Page | { readonly movedTo: URL }> {
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const response = await send(url, options, signal);
    const location = isRedirect(response.status) ? response.headers.get("location") : null;
    if (location === null) return unlessAborted(pageOf(url, response, options.maxBytes), signal);
    if (redirects === MAX_REDIRECTS) throw failed(first, `was redirected more than ${MAX_REDIRECTS} times`);
    const next = readWebUrl(location, options, url);
    if (!isSameSite(url, next)) {
      await resolveHost(next, options);
      return { movedTo: next };
    }
    url = next;
  }
}

async function send(url: URL, options: WebFetchOptions, signal: AbortSignal): Promise<WebResponse> {
  signal.throwIfAborted();
  const addresses = await unlessAborted(resolveHost(url, options), signal);
  if (!options.fetch) {
    if (addresses === null) throw failed(url, "has a host that cannot be found");
    return unlessAborted(sendPinned({ url, addresses, headers: HEADERS, signal }), signal);
  }
  if (addresses === null && options.lookup) throw failed(url, "has a host that cannot be found");
  const init = { method: "GET", headers: HEADERS, redirect: "manual", credentials: "omit", signal } as const;
  const response = await unlessAborted(options.fetch(url.href, init), signal);
  if (response.redirected) throw failed(url, `was redirected by the host's fetch, which has to leave that alone`);
  return response;
}

async function pageOf(url: URL, response: WebResponse, maxBytes: number): Promise<Page> {
  const { status, headers } = response;
  const contentType = headers.get("content-type");
  const mediaType = mediaTypeOf(contentType);
  if (mediaType !== "" && kindOfType(mediaType) === null) {
    const length = Number(headers.get("content-length") ?? Number.NaN);
    throw notText(url, mediaType, Number.isSafeInteger(length) ? `${count(length)} bytes` : "of unknown size", status);
  }
  const { bytes, isCut } = await readBody(response.body, maxBytes);
  const kind = mediaType === "" ? kindOfBytes(bytes) : kindOfType(mediaType);
  if (kind === null) throw notText(url, "of an undeclared type", `${count(bytes.length)} bytes`, status);
  return { url, status, contentType, kind, bytes, isCut };
}

async function shown(
  { url, status, contentType, kind, bytes, isCut }: Page,
  { convertTimeoutMs }: Limited,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const decoded = decodeBody(bytes, contentType, kind);
  const converted = kind === "html" ? await htmlToMarkdown(decoded, { timeoutMs: convertTimeoutMs, signal }) : null;
  const text = withoutControls(converted ? converted.markdown : decoded);
  const about = { url: url.href, status, contentType, bytes: bytes.length, cut: isCut };
  if (status >= 400) {
    const page = text.length > ERROR_PAGE_CHARS ? `${firstCharacters(text, ERROR_PAGE_CHARS)} … (cut)` : text;
    const output = `"${url.href}" was answered with HTTP ${status}.${page === "" ? "" : `\n\n${page}`}`;
    return { output, isError: true, details: { ...about, code: "FETCH_FAILED" } };
  }
  const notes = [
    `${url.href}: ${mediaTypeOf(contentType) || kind}, ${count(bytes.length)} bytes`,
    isCut && "the page is longer and was cut there",
    converted && plainNote(converted),
  ];
  return { output: `[${notes.filter(Boolean).join("; ")}]\n\n${text === "" ? "(empty)" : text}`, details: about };
}

function plainNote({ withoutConverter, isPartlyPlain }: ConvertedHtml): string | false {
  if (withoutConverter) return `as bare text: ${withoutConverter}`;
  return isPartlyPlain && "in part as bare text, because its HTML could not be converted";
}

function moved(from: URL, to: URL): ToolOutput {
  const output = `"${from.href}" leads to another site: ${to.href}\nTo read that page, call web_fetch with its address.`;
  return { output, details: { url: from.href, redirect: to.href } };
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** The same host, give or take `www.`, and no step back from https. */
function isSameSite(from: URL, to: URL): boolean {
  const nameOf = ({ host }: URL) => host.replace(/^www\./, "");
  if (from.protocol === "https:" && to.protocol === "http:") return false;
  return nameOf(from) === nameOf(to);
}

/** For a `lookup`, a `fetch` or a body that does not listen to the signal. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** The network's error in words of ours: its own may name addresses. */
const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "broke the connection",
  ETIMEDOUT: "did not answer",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
  Z_DATA_ERROR: "sent data that cannot be decompressed",
  Z_BUF_ERROR: "sent data that ends too early",
};

function unreachable(url: URL, cause: unknown): ToolError {
  const code = codeOf(cause) ?? (cause instanceof Error ? codeOf(cause.cause) : undefined) ?? "";
  const isTls = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code);
  const what = isTls ? "has a certificate that is not trusted" : (CAUSES[code] ?? "could not be read");
  return failed(url, what, cause);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function tooSlow(url: URL, timeoutMs: number): ToolError {
  return failed(url, `was not read within ${timeoutMs / 1000} s`);
}

function notText(url: URL, type: string, size: string, status: number): ToolError {
  const answered = status >= 400 ? `, answered with HTTP ${status},` : "";
  return failed(url, `is not text${answered}: ${type}, ${size}`);
}

function failed(url: URL, what: string, cause?: unknown): ToolError {
  const message = `"${url.href}" ${what}. Check the address, or look for the same elsewhere.`;
  return new ToolError("FETCH_FAILED", { message, cause });
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}
