// Writes a run for one protocol, until the run ends.
import type { EventOf } from "../../contracts/event.js";
import { type EventWriter, serverSentEvent } from "../byte-stream.js";
import { isOfRoot, type RunStreamEvent } from "../run-source.js";
import type { RunFold } from "./run-fold.js";
import { eventsOfSession } from "./session-events.js";

export interface RunProtocol {
  readonly fold: RunFold<object>;
  /** Called before the first event. */
  prepare?(): Promise<void>;
  finish(end: EventOf<"run-end">): Promise<object[]>;
  /** The stream cannot go on. */
  failed(error: { readonly code: string; readonly message: string }): object[];
  /** The run goes on in another stream. */
  steered(): object[];
  /** The events have ended before the run has. */
  cutOff(error: unknown): object[];
}

export class RunWriter implements EventWriter {
  #hasStarted = false;
  #hasEnded = false;

  /** `trailer`: the text behind the last event. */
  constructor(
    private readonly protocol: RunProtocol,
    private readonly trailer = "",
  ) {}

  async event(event: RunStreamEvent): Promise<string> {
    if (this.#hasEnded) return "";
    if (!this.#hasStarted) await this.protocol.prepare?.();
    const events = await this.#eventsOf(event);
    this.#hasStarted ||= events.length > 0;
    return encode(events);
  }

  end(error?: unknown): string {
    return encode(this.#hasEnded ? [] : this.protocol.cutOff(error)) + this.trailer;
  }

  async #eventsOf(event: RunStreamEvent): Promise<object[]> {
    const { fold } = this.protocol;
    if (event.type === "session") return eventsOfSession(event).flatMap((one) => fold.add(one));
    if (event.type === "reset") {
      this.#hasEnded = this.#hasStarted;
      return this.#hasStarted ? this.protocol.failed(event) : [];
    }
    if (event.type === "steered") {
      this.#hasEnded = true;
      return this.protocol.steered();
    }
    const events = fold.add(event);
    if (event.type !== "run-end" || !isOfRoot(event)) return events;
    this.#hasEnded = true;
    return [...events, ...(await this.protocol.finish(event))];
  }
}

function encode(events: readonly object[]): string {
  return events.map((event) => serverSentEvent(event)).join("");
}
