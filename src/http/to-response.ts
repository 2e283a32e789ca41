import { isHarnessError } from "../contracts/errors.js";
import { checkOptions, type OptionTable, oneOf, optionOf } from "../json/check-options.js";
import { checkSource } from "./check-source.js";
import { describeError } from "./describe-error.js";
import type { RunSource } from "./run-source.js";
import { SSE_TABLE, type SseStreamOptions, toSse } from "./to-sse.js";
import { AG_UI_TABLE, type AgUiOptions, toAgUi } from "./views/to-ag-ui.js";
import { toUiMessageStream, UI_MESSAGE_STREAM_HEADER } from "./views/to-ui-message-stream.js";

/** `events`: the engine's own, as `toSse` sends them. */
export type ResponseFormat = "events" | "ui-messages" | "ag-ui";

/** Options of `toResponse()`. */
export interface ResponseOptions extends SseStreamOptions, AgUiOptions {
  /** The view of the run. Default: `"events"`. */
  readonly format?: ResponseFormat | undefined;
  /** Sent beside the stream's own. */
  readonly headers?: ConstructorParameters<typeof Headers>[0] | undefined;
}

const OPTIONS = {
  ...SSE_TABLE,
  ...AG_UI_TABLE,
  format: oneOf("events", "ui-messages", "ag-ui"),
  headers: optionOf((value) => typeof value === "object" && value !== null, "headers"),
} satisfies OptionTable<ResponseOptions>;

const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  // Some proxies hold a response back until it is whole, unless they are asked not to.
  "x-accel-buffering": "no",
};

/**
 * A run as a streaming web `Response`. `from` is for `events`, `threadId` and `runId` for `ag-ui`.
 *
 * A client that has everything of a run that has ended gets the status 204, at which an `EventSource` stops to reconnect.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function toResponse(run: RunSource, options: ResponseOptions = {}): Response {
  checkSource("toResponse()", run);
  checkOptions("toResponse()", options, OPTIONS);
  const { format = "events", headers: own, from, threadId, runId, ...rest } = options;
  if (format === "events" && run.isExhausted) return new Response(null, { status: 204 });
  const headers = new Headers(own);
  for (const [name, value] of Object.entries(STREAM_HEADERS)) headers.set(name, value);
  if (format === "events") return new Response(toSse(run, { ...rest, from }), { headers });
  if (format === "ag-ui") return new Response(toAgUi(run, { ...rest, threadId, runId }), { headers });
  for (const [name, value] of Object.entries(UI_MESSAGE_STREAM_HEADER)) headers.set(name, value);
  return new Response(toUiMessageStream(run, rest), { headers });
}

const STATUS: Readonly<Record<string, number>> = {
  OPTION_INVALID: 400,
  SESSION_NOT_FOUND: 404,
  SESSION_BUSY: 409,
  CHAT_DIFFERS: 409,
  RUN_ABORTED: 409,
  EVENTS_GONE: 410,
  USAGE_LIMIT: 429,
  ENGINE_CLOSED: 503,
};

/**
 * The answer to a request that could not be served: `{ error: { code, message } }` with the status that fits, such as 400 for
 * a request that is not understood. `USAGE_LIMIT` has the status 429, and `Retry-After` says when the limit is full again. Of an error that is not one of this library's, and
 * of why a store failed (`SESSION_READ`, `SESSION_WRITE`), the client learns nothing: log those.
 */
export function toErrorResponse(error: unknown): Response {
  const status = isHarnessError(error) ? (STATUS[error.code] ?? 500) : 500;
  const { resetsAt } = Object(isHarnessError(error, "USAGE_LIMIT") ? error.details : undefined) as {
    resetsAt?: string;
  };
  const headers = resetsAt === undefined ? undefined : { "retry-after": new Date(resetsAt).toUTCString() };
  return Response.json({ error: describeError(error) }, { status, ...(headers && { headers }) });
}
