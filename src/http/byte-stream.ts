// A run's events as bytes for one client. Events are read only as fast as the client takes them: what it does not take
// waits in the run's bounded queue, or in the hub's log, and never holds up the run.
import { byDefault, FLAG, numberFrom, type OptionTable, type WithDefaults } from "../json/check-options.js";
import { LONGEST_TIMER_MS } from "../time/deadlines.js";
import type { RunSource, RunStreamEvent } from "./run-source.js";

/** Options of every view. */
export interface StreamOptions {
  /** The silence of a stream before it sends a comment, so that proxies keep it open. Unit: milliseconds. Default: 15,000. 0: never. */
  readonly heartbeatMs?: number | undefined;
  /** Whether a client that leaves ends the run. Default: `false`. */
  readonly abortOnLeave?: boolean | undefined;
}

export const STREAM_TABLE = {
  heartbeatMs: byDefault(15_000, numberFrom(0, "milliseconds", LONGEST_TIMER_MS)),
  abortOnLeave: byDefault(false, FLAG),
} satisfies OptionTable<StreamOptions>;

/** The source of a stream: as much of a `RunSource` as is needed, of any kind of event. */
type EventSource<Event> = AsyncIterable<Event> & Pick<RunSource, "abort" | "isShared">;

/** The writer of a view: each method returns the text to send, possibly none. */
export interface EventWriter<Event = RunStreamEvent> {
  event(event: Event): string | Promise<string>;
  /** After the last event; with an error if reading failed. */
  end(error?: unknown): string;
}

const COMMENT = ": heartbeat\n\n";

/** The bytes of `writer` over the events of `source`. */
export function byteStream<Event = RunStreamEvent>(
  source: EventSource<Event>,
  writer: EventWriter<Event>,
  { heartbeatMs, abortOnLeave }: WithDefaults<StreamOptions, typeof STREAM_TABLE>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const events = source[Symbol.asyncIterator]();
  let waiting: Promise<IteratorResult<Event>> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasLeft = false;

  /** The next event, or `null` when it is time for a sign of life. */
  const nextEvent = async (): Promise<IteratorResult<Event> | null> => {
    waiting ??= events.next();
    const beat = new Promise<null>((resolve) => {
      if (heartbeatMs > 0) timer = setTimeout(resolve, heartbeatMs, null);
    });
    try {
      const step = await (heartbeatMs > 0 ? Promise.race([waiting, beat]) : waiting);
      if (step !== null) waiting = undefined;
      return step;
    } finally {
      clearTimeout(timer);
    }
  };

  /** The text to send next; `null` at the end. */
  const nextText = async (): Promise<{ readonly text: string; readonly isLast: boolean }> => {
    try {
      const step = await nextEvent();
      if (step === null) return { text: COMMENT, isLast: false };
      if (step.done) return { text: writer.end(), isLast: true };
      return { text: await writer.event(step.value), isLast: false };
    } catch (error) {
      return { text: writer.end(error), isLast: true };
    }
  };

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { text, isLast } = await nextText();
        if (hasLeft) return;
        if (text !== "") controller.enqueue(encoder.encode(text));
        if (isLast) controller.close();
        if (isLast || text !== "") return;
      }
    },
    cancel() {
      hasLeft = true;
      clearTimeout(timer);
      if (abortOnLeave) source.abort?.("the client left");
      // Leaving the iteration of an AgentRun would end the run.
      if (abortOnLeave || source.isShared) void Promise.resolve(events.return?.()).catch(() => {});
      waiting?.catch(() => {});
    },
  });
}

/** One server-sent event. */
export function serverSentEvent(
  data: unknown,
  { id, event }: { readonly id?: string; readonly event?: string } = {},
): string {
  const head = (id === undefined ? "" : `id: ${id}\n`) + (event === undefined ? "" : `event: ${event}\n`);
  return `${head}data: ${JSON.stringify(data)}\n\n`;
}
