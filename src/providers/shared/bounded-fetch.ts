import { ProviderError } from "../../contracts/errors.js";

/** Longest text of a refusal that is read. Unit: bytes. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Longest event of a stream: parsers of server-sent events hold one in memory, and look through all of it again with each packet. Unit: bytes. */
const MAX_EVENT_BYTES = 8 * 1024 * 1024;

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** What the SDKs take as their `fetch`. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` whose responses cannot fill the memory: refusals are read up to 64 KiB, and a stream whose event has no end
 * within 8 MiB is closed with `RESPONSE_TOO_LARGE`.
 *
 * A refusal in JSON without an `error` field is put into one, where the SDKs look for it.
 */
export function boundedFetch(provider: string): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.body) return response;
    return response.ok
      ? new Response(boundEvents(response.body, provider), response)
      : new Response(asRefusal(await readStart(response.body)), withoutEncoding(response));
  };
}

function boundEvents(body: ReadableStream<Uint8Array>, provider: string): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let eventBytes = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) return controller.close();
        eventBytes = sinceBlankLine(value) ?? eventBytes + value.length;
        if (eventBytes <= MAX_EVENT_BYTES) return controller.enqueue(value);
        controller.error(tooLarge(provider));
        reader.cancel().catch(() => {});
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** How many bytes follow the last blank line; `undefined` when there is none. */
function sinceBlankLine(bytes: Uint8Array): number | undefined {
  for (let at = bytes.lastIndexOf(NEWLINE); at > 0; at = bytes.lastIndexOf(NEWLINE, at - 1)) {
    const before = bytes[at - 1] === RETURN ? bytes[at - 2] : bytes[at - 1];
    if (before === NEWLINE) return bytes.length - at - 1;
  }
  return undefined;
}

async function readStart(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  while (bytes < MAX_REFUSAL_BYTES) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  reader.cancel().catch(() => {});
  return text;
}

function asRefusal(text: string): string {
  try {
    const said: unknown = JSON.parse(text);
    const hasError = typeof said === "object" && said !== null && "error" in said && said.error;
    return hasError ? text : JSON.stringify({ error: said });
  } catch {
    return text;
  }
}

/** What was compressed is plain by now. */
function withoutEncoding({ status, statusText, headers }: Response): ResponseInit {
  const kept = new Headers(headers);
  for (const name of ["content-encoding", "content-length"]) kept.delete(name);
  return { status, statusText, headers: kept };
}

function tooLarge(provider: string): ProviderError {
  return new ProviderError("RESPONSE_TOO_LARGE", {
    message: `Provider "${provider}" sent an event of more than ${MAX_EVENT_BYTES} bytes; the response was closed.`,
  });
}
