import { RunError } from "../../contracts/errors.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { CassetteHead, CassetteLine, Moment, OutcomeLine, ResponseLine } from "./cassette-lines.js";
import { type Difference, firstDifference } from "./first-difference.js";
import { PlaybackOrder } from "./playback-order.js";
import { errorOf } from "./recorded-errors.js";
import type { ScrubJson } from "./scrub-json.js";

/** The point where a replay first left its recording. */
export interface ReplayDivergence extends Difference {
  /** The item that was different: `request 3`, `execute look …`, `the end`. */
  readonly what: string;
}

/** A request of the cassette, whole. */
export interface RecordedModelCall {
  readonly number: number;
  readonly settings: JsonObject;
  readonly messages: readonly JsonValue[];
  readonly response: ResponseLine | undefined;
  isTaken: boolean;
}

interface RuntimeValue {
  readonly value: unknown;
  readonly at: number;
}

/** The items of a cassette, and which of them have been played. */
export class CassettePlayer {
  readonly head: CassetteHead;
  readonly calls: readonly RecordedModelCall[];
  readonly order: PlaybackOrder;
  readonly #outcomes = new Map<string, OutcomeLine[]>();
  readonly #values = { newId: [] as RuntimeValue[], random: [] as RuntimeValue[] };
  readonly #taken = { newId: 0, random: 0 };
  #now = 0;
  /** The first divergence. */
  divergence: ReplayDivergence | undefined;
  /** Outcomes of tools that have been played. */
  playedOutcomes = 0;

  constructor(
    lines: readonly CassetteLine[],
    readonly scrub: ScrubJson,
  ) {
    this.head = lines[0] as CassetteHead;
    this.calls = modelCallsOf(lines);
    const moments: Moment[] = [];
    for (const line of lines) {
      if (line.type === "response") moments.push(...line.events, ...(line.end?.moment ? [line.end.moment] : []));
      else if (line.type === "outcome") {
        moments.push(...(line.moment ? [line.moment] : []), ...(line.effects ?? []));
        const same = this.#outcomes.get(line.of) ?? [];
        this.#outcomes.set(line.of, [...same, line]);
      } else if (line.type === "newId" || line.type === "random") {
        for (const value of line.values) this.#values[line.type].push({ value, at: line.at });
      }
    }
    this.order = new PlaybackOrder(moments);
  }

  /** The time of the clock after the items played so far. */
  now(): number {
    this.#now = Math.max(this.#now, this.order.now);
    return this.#now;
  }

  /** The next id or random number; the clock moves on with it, as it did. */
  value<T>(type: "newId" | "random", otherwise: (count: number) => T): T {
    const taken = this.#taken[type]++;
    const recorded = this.#values[type][taken];
    if (!recorded) return otherwise(taken);
    this.#now = Math.max(this.#now, recorded.at);
    return recorded.value as T;
  }

  /** The next outcome under this name; `undefined` when there are no more. */
  take(of: string): OutcomeLine | undefined {
    const outcome = this.#outcomes.get(this.scrub(of))?.shift();
    if (outcome && of.startsWith("execute ")) this.playedOutcomes++;
    return outcome;
  }

  /** Outcomes of tools that have not been played. */
  get unplayedOutcomes(): readonly string[] {
    return [...this.#outcomes].flatMap(([of, lines]) => (of.startsWith("execute ") ? lines.map(() => of) : []));
  }

  /** Resolves or rejects as it did when it was recorded, in its turn. */
  async settle({ moment, value, error }: OutcomeLine): Promise<unknown> {
    if (moment) await this.order.turn(moment);
    if (error) throw errorOf(error);
    return value;
  }

  /** Notes a divergence; the first one counts. Returns it as an error. */
  diverge(what: string, recorded: unknown, replayed: unknown): RunError {
    const difference = firstDifference(recorded, replayed) ?? { path: "", recorded: undefined, replayed: undefined };
    this.divergence ??= { what, ...difference };
    return this.error();
  }

  /** The first divergence as an error. */
  error(): RunError {
    const { what, path, recorded = "nothing", replayed = "nothing" } = this.divergence!;
    const place = path === "" ? "" : ` at ${path}`;
    return new RunError("REPLAY_DIVERGED", {
      message: `The replay diverged from its recording with ${what}${place}: recorded ${recorded}, replayed ${replayed}. Look there for what has changed, or record the run again.`,
      details: { what, path, recorded, replayed },
    });
  }
}

function modelCallsOf(lines: readonly CassetteLine[]): RecordedModelCall[] {
  const calls: RecordedModelCall[] = [];
  const responses = new Map<number, ResponseLine>();
  for (const line of lines) if (line.type === "response") responses.set(line.request, line);
  let messages: readonly JsonValue[] = [];
  let settings: JsonObject = {};
  for (const line of lines) {
    if (line.type !== "request") continue;
    messages = [...messages.slice(0, line.keeps), ...line.messages];
    settings = { ...settings, ...line.changes };
    for (const [name, value] of Object.entries(line.changes)) if (value === null) delete settings[name];
    const response = responses.get(line.request);
    calls.push({ number: line.request, settings, messages, response, isTaken: false });
  }
  return calls;
}
