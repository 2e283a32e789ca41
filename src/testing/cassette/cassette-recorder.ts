import { appendFile } from "node:fs/promises";
import type { JsonValue } from "../../contracts/json.js";
import type { CassetteLine, Moment, OutcomeLine, RuntimeLine } from "./cassette-lines.js";
import { recordedError } from "./recorded-errors.js";
import type { ScrubJson } from "./scrub-json.js";

/** Writes a cassette, line by line, in the order in which things came. */
export class CassetteRecorder {
  #writing: Promise<void> = Promise.resolve();
  #turns: Promise<void> = Promise.resolve();
  #failure: unknown;
  #moments = 0;
  #tick = 0;
  #isTicking = false;
  #now = 0;

  constructor(
    private readonly file: string,
    readonly scrub: ScrubJson,
    private readonly clock: () => number,
  ) {}

  /**
   * The clock of the recorded run. It moves on when something comes from outside, so that what the engine does between two
   * such moments sees one time, in whichever order it does it.
   */
  now(): number {
    if (this.#now === 0) this.#beginTick();
    return this.#now;
  }

  /** The place of something that comes now; `isAlone` when it has a turn of the event loop of its own. */
  moment(isAlone = false): Moment {
    if (!this.#isTicking || isAlone) this.#beginTick();
    return { n: this.#moments++, tick: this.#tick, at: this.#now };
  }

  /** Notes an id or a random number, and passes it on. */
  value<T extends number | string>(type: RuntimeLine["type"], value: T): T {
    if (!this.#isTicking) this.#beginTick();
    this.write({ type, at: this.#now, values: [value] });
    return value;
  }

  /**
   * Passes an outcome on once it is written. Outcomes come one to a turn of the event loop: what two of them set in motion
   * would otherwise mix in a way that a replay could not repeat.
   */
  async outcome<T>(of: string, outcome: Promise<T>, more: () => Partial<OutcomeLine> = () => ({})): Promise<T> {
    let result: Pick<OutcomeLine, "value" | "error">;
    try {
      result = { value: this.scrub(asJson(await outcome)) };
    } catch (thrown) {
      result = { error: this.scrub(recordedError(thrown)) };
    }
    const about = more();
    const isAtOnce = "moment" in about;
    if (!isAtOnce) await this.#ownTurn();
    this.write({ type: "outcome", of, ...(!isAtOnce && { moment: this.moment(true) }), ...about, ...result });
    return outcome;
  }

  /** Resolves when everything is in the file. Rejects with the failure of the file system, if there was one. */
  async done(): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  write(line: CassetteLine): void {
    const row = `${JSON.stringify(line)}\n`;
    this.#writing = this.#writing
      .then(() => appendFile(this.file, row))
      .catch((error: unknown) => {
        this.#failure ??= error;
      });
  }

  #ownTurn(): Promise<void> {
    this.#turns = this.#turns.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#turns;
  }

  #beginTick(): void {
    this.#isTicking = true;
    const tick = ++this.#tick;
    this.#now = Math.max(this.#now, this.clock());
    setImmediate(() => {
      if (tick === this.#tick) this.#isTicking = false;
    });
  }
}

/** A value as JSON has it; what JSON does not have is described. */
export function asJson(value: unknown): JsonValue {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? null : (JSON.parse(text) as JsonValue);
  } catch {
    return `(a value that is not JSON: ${typeof value})`;
  }
}
