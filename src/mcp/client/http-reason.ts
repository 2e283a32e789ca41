// The reason why an HTTP request failed, as the server's side of it: `fetch` and the SDK say "terminated" or "Error POSTing".
import { firstCharacters } from "../../text/cut.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { TOO_LONG } from "../transport/bounded-fetch.js";

/** The shown part of an error's body. Unit: characters. */
const MAX_BODY_CHARS = 300;
const REDIRECT = /Redirect to (\S+) not followed/;
/** These may succeed later; others of 400 to 499 will not. */
const FOR_NOW = new Set([404, 408, 409, 425, 429]);

/** The HTTP status of an error that is about one: not of a server's own JSON-RPC error, whatever that speaks of. */
export function statusOf(thrown: unknown): number | undefined {
  if (isServersOwn(thrown)) return undefined;
  const { status } = Object(Object(thrown).data);
  return typeof status === "number" ? status : undefined;
}

/** Whether the server has read the request and will not take it, however often it is sent. */
export function isRefusal(thrown: unknown): boolean {
  const status = statusOf(thrown);
  return status !== undefined && status >= 300 && status < 500 && !FOR_NOW.has(status);
}

/** Whether an answer came that nobody can read. */
export function isUnreadable(thrown: unknown): boolean {
  return unreadable(thrown) !== undefined;
}

/** Whether nobody listens at the address any more. */
export function isNobodyThere(thrown: unknown): boolean {
  return Object(Object(thrown).cause).code === "ECONNREFUSED";
}

/** The codes of a connection that was never made. */
const NOT_CONNECTED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** Whether a request that was sent has no answer of its own: it may have been carried out. */
export function isLost(thrown: unknown): boolean {
  const status = statusOf(thrown);
  if (status !== undefined) return status >= 500;
  const { message, cause } = Object(thrown);
  return message === "terminated" || (message === "fetch failed" && !NOT_CONNECTED.has(Object(cause).code));
}

/** Its code is a number, those of the SDK are names. A server whose own request has failed says "fetch failed", too. */
function isServersOwn(thrown: unknown): boolean {
  return typeof Object(thrown).code === "number";
}

/** The reason in words; nothing for what is not about HTTP. */
export function httpReason(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || isServersOwn(thrown)) return undefined;
  const status = statusOf(thrown);
  if (status !== undefined) return answered(status, thrown);
  const { message, cause } = thrown;
  const because = cause instanceof Error ? ` (${describeThrown(cause)})` : "";
  if (message === "fetch failed") return `it could not be reached${because}`;
  if (message === "terminated") return `its answer was cut off${because}`;
  return unreadable(thrown);
}

function answered(status: number, { message, data }: Error & { readonly data?: unknown }): string {
  const target = REDIRECT.exec(message)?.[1];
  if (target) return `it redirects to ${target}, which is not followed; if that is the server you mean, use its URL`;
  const { statusText, text } = Object(data);
  const line = `it answered with HTTP ${[status, statusText].filter(Boolean).join(" ")}`;
  if (typeof text !== "string" || text.trim() === "") return line;
  return text.trimStart().startsWith("<") ? `${line} and a page` : `${line}: ${firstCharacters(text, MAX_BODY_CHARS)}`;
}

function unreadable(thrown: unknown): string | undefined {
  const { name, message, data, issues } = Object(thrown);
  const type = /^Unexpected content type: /.test(message) ? Object(data).contentType : undefined;
  if (type === null) return "its answer has no content type";
  if (type !== undefined) return `its answer has the content type ${type}, which is neither JSON nor an event stream`;
  if (message === TOO_LONG) return TOO_LONG;
  if (name === "SyntaxError") return `its answer is not JSON: ${message}`;
  return Array.isArray(issues) ? "its answer is not a JSON-RPC response to the request" : undefined;
}
