// A web response on Node's: as fast as the client takes it, and no longer than it is there.
import type { NodeResponse } from "./node-types.js";

/** The options of sending a response. */
export interface Sending {
  /** Whether only its head is wanted. */
  readonly isHead: boolean;
  /** There, a status has no text, and a stream that ends without an error counts as complete. */
  readonly isHttp2: boolean;
  /** Aborts when the client leaves. */
  readonly left: AbortSignal;
}

/** Resolves when the response is handed over, or the client has left. @throws whatever its body throws */
export async function sendResponse(response: Response, outgoing: NodeResponse, sending: Sending): Promise<void> {
  const { isHead, isHttp2, left } = sending;
  const reader = response.body?.getReader();
  const cancel = () => void reader?.cancel(left.reason).catch(() => {});
  if (left.aborted) return cancel();
  left.addEventListener("abort", cancel);
  let hasBegun = false;
  try {
    writeHead(response, outgoing, sending);
    hasBegun = true;
    if (isHead) cancel();
    else if (reader) await pass(reader, outgoing, left);
    if (!left.aborted) outgoing.end();
  } catch (error) {
    cancel();
    // A response that is partly sent must not look complete. One that somebody else has sent is left alone.
    if (hasBegun) outgoing.destroy(isHttp2 ? (error as Error) : undefined);
    throw error;
  } finally {
    left.removeEventListener("abort", cancel);
  }
}

/** All at once, so that nothing is left behind on `outgoing` if Node refuses it. */
function writeHead({ status, statusText, headers: given }: Response, outgoing: NodeResponse, sending: Sending): void {
  const headers: Record<string, string | string[]> = Object.fromEntries(given);
  const cookies = given.getSetCookie();
  // Headers that a middleware has set stay.
  if (cookies.length > 0) headers["set-cookie"] = [...cookiesOf(outgoing), ...cookies];
  if (statusText !== "" && !sending.isHttp2) outgoing.writeHead(status, statusText, headers);
  else outgoing.writeHead(status, headers);
}

function cookiesOf(outgoing: NodeResponse): string[] {
  return [outgoing.getHeader("set-cookie") ?? []].flat().map(String);
}

async function pass(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  outgoing: NodeResponse,
  left: AbortSignal,
): Promise<void> {
  // A client of a stream knows that it has begun before the first event.
  outgoing.flushHeaders?.();
  for (let step = await reader.read(); !step.done && !left.aborted; step = await reader.read()) {
    if (!outgoing.write(step.value)) await drained(outgoing);
  }
}

/** Resolves when `outgoing` takes more, or never will. */
function drained(outgoing: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off("drain", done);
      outgoing.off("close", done);
      resolve();
    };
    outgoing.on("drain", done);
    outgoing.on("close", done);
  });
}
