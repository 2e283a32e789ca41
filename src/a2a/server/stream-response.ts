// A stream of the SDK's as server-sent events. It is read only as fast as the client takes it.
import { byteStream, serverSentEvent } from "../../http/byte-stream.js";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** The parts of a stream beside its events. */
export interface Streaming {
  readonly heartbeatMs: number;
  /** Called when the client leaves before the end. */
  leave(): void;
  /** The body that says what went wrong, in the middle of the stream. */
  failure(error: unknown): unknown;
}

/** Rejects with what the stream fails with before its first event, which is not too late for another status. */
export async function streamResponse(
  stream: AsyncGenerator<unknown, void, undefined>,
  { heartbeatMs, leave, failure }: Streaming,
): Promise<Response> {
  let first: IteratorResult<unknown, void> | undefined = await stream.next();
  const next = async () => {
    const step = first ?? (await stream.next());
    first = undefined;
    return step;
  };
  const abandon = async () => {
    leave();
    return stream.return();
  };
  const source = { isShared: true, [Symbol.asyncIterator]: () => ({ next, return: abandon }) } as const;
  const writer = {
    event: (event: unknown) => serverSentEvent(event),
    end: (error?: unknown) => (error === undefined ? "" : serverSentEvent(failure(error), { event: "error" })),
  };
  const settings = { heartbeatMs, abortOnLeave: false };
  return new Response(byteStream(source as AsyncIterable<unknown>, writer, settings), { headers: HEADERS });
}
