import { checkOptions, eitherOf, numberFrom, type OptionTable, TEXT } from "../json/check-options.js";
import { byteStream, type EventWriter, STREAM_TABLE, type StreamOptions, serverSentEvent } from "./byte-stream.js";
import { checkSource } from "./check-source.js";
import { describeError } from "./describe-error.js";
import { type EventPosition, eventId, positionIn } from "./event-id.js";
import { isEngineEvent, type RunSource, type RunStreamEvent } from "./run-source.js";

/** Options of `toSse()`. */
export interface SseStreamOptions extends StreamOptions {
  /** Skip what the client has: the number or id of its last event, as the header `Last-Event-ID` has it. Default: skip nothing. */
  readonly from?: EventPosition | undefined;
}

export const SSE_TABLE = {
  ...STREAM_TABLE,
  from: eitherOf(numberFrom(0, "the number of an event"), TEXT),
} satisfies OptionTable<SseStreamOptions>;

/**
 * A run's events as server-sent events: one `EngineEvent` each, as JSON, with the id `runId:seq`.
 *
 * A client that falls behind never holds up the run, and one that leaves does not end it, unless `abortOnLeave` is set. What
 * it missed can be sent again only from a `RunHub`; a position that the hub no longer has arrives as the events `reset`
 * and `session`. If the run is refused, the last event is `error`.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function toSse(run: RunSource, options: SseStreamOptions = {}): ReadableStream<Uint8Array> {
  checkSource("toSse()", run);
  const settings = checkOptions("toSse()", options, SSE_TABLE);
  return byteStream(run, new SseWriter(run.id, positionIn(run.id, settings.from, "toSse()")), settings);
}

class SseWriter implements EventWriter {
  #runId: string | undefined;
  #position: number;

  constructor(runId: string | undefined, position: number) {
    this.#runId = runId || undefined;
    this.#position = position;
  }

  event(event: RunStreamEvent): string {
    this.#runId ??= event.runId;
    if (event.type === "reset") {
      this.#position = 0;
      return serverSentEvent(event, { event: "reset" });
    }
    const id = eventId(this.#runId, event.seq);
    if (!isEngineEvent(event)) return serverSentEvent(event, { id, event: event.type });
    if (event.seq <= this.#position) return "";
    return serverSentEvent(event, { id });
  }

  end(error?: unknown): string {
    if (error === undefined) return "";
    return serverSentEvent({ type: "error", error: describeError(error) }, { event: "error" });
  }
}
