import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { Message } from "../../contracts/message.js";
import type { ProviderAdapter, ProviderEvent, ProviderRequest } from "../../contracts/provider.js";
import { isRetrying, markRetrying, modelCardOf } from "../../engine/model/retry.js";
import type { Moment, ResponseLine } from "./cassette-lines.js";
import { asJson, type CassetteRecorder } from "./cassette-recorder.js";
import { recordedError, recordedEvent } from "./recorded-errors.js";
import { scrubEvents } from "./scrub-json.js";

/** The parts of a request that are compared besides its messages. */
export function requestSettings(request: ProviderRequest): JsonObject {
  const { signal: _, messages: __, ...settings } = request;
  return asJson(settings) as JsonObject;
}

/** A provider whose requests and responses go into the cassette. All of one recording share the log of requests. */
export function recordingProvider(
  provider: ProviderAdapter,
  recorder: CassetteRecorder,
  requests: RequestLog,
): ProviderAdapter {
  const recording: ProviderAdapter = {
    ...modelCardOf(provider),
    stream: (request) => ({
      [Symbol.asyncIterator]: () =>
        new RecordedStream(provider.stream(request)[Symbol.asyncIterator](), requests.add(request), recorder),
    }),
  };
  return isRetrying(provider) ? markRetrying(recording) : recording;
}

/** Writes requests, each by what it adds to the one before. */
export class RequestLog {
  #count = 0;
  #messages: readonly Message[] = [];
  #settings: JsonObject = {};

  constructor(private readonly recorder: CassetteRecorder) {}

  /** Writes a request, and returns its number. */
  add(request: ProviderRequest): number {
    const before = this.#messages;
    const messages = [...request.messages];
    let keeps = 0;
    while (keeps < messages.length && messages[keeps] === before[keeps]) keeps++;
    const settings = requestSettings(request);
    const { scrub } = this.recorder;
    this.recorder.write({
      type: "request",
      request: this.#count,
      keeps,
      messages: scrub(asJson(messages.slice(keeps)) as JsonValue[]),
      changes: scrub(changesOf(settings, this.#settings)),
    });
    this.#messages = messages;
    this.#settings = settings;
    return this.#count++;
  }
}

/** The new or different members; `null` for one that is gone. */
function changesOf(settings: JsonObject, before: JsonObject): JsonObject {
  const changes: JsonObject = {};
  for (const [name, value] of Object.entries(settings)) {
    if (JSON.stringify(value) !== JSON.stringify(before[name])) changes[name] = value;
  }
  for (const name of Object.keys(before)) if (settings[name] === undefined) changes[name] = null;
  return changes;
}

/** Passes a response on, and writes it once it is over. */
class RecordedStream implements AsyncIterator<ProviderEvent> {
  readonly #events: (Moment & { event: JsonObject })[] = [];
  #isWritten = false;

  constructor(
    private readonly source: AsyncIterator<ProviderEvent>,
    private readonly request: number,
    private readonly recorder: CassetteRecorder,
  ) {}

  async next(): Promise<IteratorResult<ProviderEvent>> {
    try {
      const step = await this.source.next();
      const moment = this.recorder.moment();
      if (step.done) this.#write({ moment });
      else this.#events.push({ ...moment, event: asJson(recordedEvent(step.value)) as JsonObject });
      return step;
    } catch (thrown) {
      this.#write({ moment: this.recorder.moment(), error: recordedError(thrown) });
      throw thrown;
    }
  }

  async return(): Promise<IteratorResult<ProviderEvent>> {
    this.#write(undefined);
    return (await this.source.return?.()) ?? { value: undefined, done: true };
  }

  #write(end: ResponseLine["end"]): void {
    if (this.#isWritten) return;
    this.#isWritten = true;
    const { scrub } = this.recorder;
    const isWhole = end !== undefined || this.#events.at(-1)?.event.type === "message-end";
    this.recorder.write({
      type: "response",
      request: this.request,
      events: scrubEvents(this.#events, scrub),
      ...(isWhole && { end: scrub(end ?? {}) }),
    });
  }
}
