// The bounds of one response. A server that sends without end is stopped in the middle.
import { breathe } from "../../time/breathe.js";

/** The limit of one response, or of one event of a stream. Unit: bytes. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/** The part of a stream that is read in one turn of the event loop: a flood of small messages must not block the process. Unit: bytes. */
const SLICE_BYTES = 8 * 1024;
const NEWLINE = 10;
const RETURN = 13;

export const TOO_LONG = `the server sent more than ${MAX_RESPONSE_BYTES / 1024 / 1024} MiB at once`;

/** `fetch` whose responses end with an error once they are too long; `onTooLong` is called before that happens to a stream. */
export async function boundedFetch(
  input: string | URL,
  init: RequestInit | undefined,
  onTooLong: () => void,
): Promise<Response> {
  const response = await fetch(input, init);
  if (!response.body) return response;
  const isStream = (response.headers.get("content-type") ?? "").includes("text/event-stream");
  const { status, statusText, headers } = response;
  const body = response.body.pipeThrough(limit(isStream, onTooLong));
  const bounded = new Response(body, { status, statusText, headers });
  Object.defineProperty(bounded, "url", { value: response.url });
  Object.defineProperty(bounded, "redirected", { value: response.redirected });
  return bounded;
}

function limit(isStream: boolean, onTooLong: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let isLineStart = false;
  return new TransformStream({
    async transform(chunk, controller) {
      const event = isStream ? lastEventStart(chunk, isLineStart) : -1;
      isLineStart = chunk.at(-1) === NEWLINE || (isLineStart && chunk.length === 1 && chunk[0] === RETURN);
      bytes = event === -1 ? bytes + chunk.length : chunk.length - event;
      if (bytes > MAX_RESPONSE_BYTES) {
        if (isStream) onTooLong();
        return controller.error(new Error(TOO_LONG));
      }
      if (!isStream) return controller.enqueue(chunk);
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
        controller.enqueue(chunk.subarray(at, at + SLICE_BYTES));
        if (chunk.length > SLICE_BYTES) await breathe();
      }
    },
  });
}

/** The start of the last event in a piece of a stream, behind a blank line; -1 for none. */
function lastEventStart(chunk: Uint8Array, isLineStart: boolean): number {
  for (let at = chunk.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : chunk.lastIndexOf(NEWLINE, at - 1)) {
    const before = chunk[at - 1] === RETURN ? at - 2 : at - 1;
    if (before < 0 ? isLineStart : chunk[before] === NEWLINE) return at + 1;
  }
  return -1;
}
