import type { JsonValue } from "../../contracts/json.js";
import type { ToolMessage } from "../../contracts/message.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { equalJson } from "../../json/copy.js";

/** The counts at which the same call with the same result gets a reminder, and ends the run. Unit: times in a row. */
export interface RunawayLimits {
  /** At least 2. */
  readonly remindAfter: number;
  /** More than `remindAfter`. */
  readonly stopAfter: number;
}

interface Seen {
  readonly name: string;
  readonly args: JsonValue;
  readonly output: unknown;
  readonly at: number;
  times: number;
}

/** Between two calls that only look: whoever waits that long asks again, and does not run in circles. */
const POLL_AFTER_MS = 15_000;

/** The facts about tools and time that the detector asks for. */
export interface LoopSurroundings {
  readonly now: number;
  /** `polls`: its repetitions never count; `looks`: it changes nothing, so that one after a while is a poll. */
  kindOf(tool: string): "polls" | "looks" | "acts";
}

const NOTHING_KNOWN: LoopSurroundings = { now: 0, kindOf: () => "acts" };

/** A turn as the detector sees it. */
export type LoopVerdict =
  | { readonly kind: "fine" }
  | { readonly kind: "remind" | "stop"; readonly call: string; readonly times: number };

const FINE: LoopVerdict = { kind: "fine" };

/**
 * Notices a model that repeats itself: the same call, with the same arguments and the same result, turn after turn.
 * Compares with the turn before only, and stops comparing at the first difference. Polling is not a runaway: calls of a
 * tool that says that it polls never count, and those of one that only looks do not when 15 s or more are between them.
 */
export class LoopDetector {
  #last: Seen[] = [];

  constructor(private readonly limits: RunawayLimits | null) {}

  /** Takes one turn's calls and results, in order. */
  observe(
    calls: readonly ToolCall[],
    results: ToolMessage["content"],
    { now: at, kindOf }: LoopSurroundings = NOTHING_KNOWN,
  ): LoopVerdict {
    if (!this.limits) return FINE;
    const before = this.#last;
    const now = calls.map(
      ({ name, arguments: args }, place): Seen => ({ name, args, output: results[place]?.output, at, times: 1 }),
    );
    this.#last = now;
    let worst = now[0];
    if (!worst) return FINE;
    // Position first: a repeated turn repeats its calls in order, so this is linear in the number of calls.
    for (let index = 0; index < now.length; index++) {
      const seen = now[index]!;
      const twin = isSame(before[index], seen) ? before[index] : findTwin(before, seen, index);
      if (twin && !isPoll(twin, seen, kindOf)) seen.times = twin.times + 1;
      if (seen.times > worst.times) worst = seen;
    }
    if (worst.times >= this.limits.stopAfter) return { kind: "stop", call: worst.name, times: worst.times };
    if (worst.times === this.limits.remindAfter) return { kind: "remind", call: worst.name, times: worst.times };
    return FINE;
  }
}

function isPoll(before: Seen, now: Seen, kindOf: LoopSurroundings["kindOf"]): boolean {
  const kind = kindOf(now.name);
  return kind === "polls" || (kind === "looks" && now.at - before.at >= POLL_AFTER_MS);
}

/** In a long turn, only a call at the same place is looked for. */
function findTwin(before: readonly Seen[], seen: Seen, index: number): Seen | undefined {
  const isAlone = before.length === 1 && index === 0;
  return isAlone || before.length > 16 ? undefined : before.find((old) => isSame(old, seen));
}

/** Arguments first: they nearly always differ between two calls. */
function isSame(old: Seen | undefined, seen: Seen): boolean {
  if (!old || old.name !== seen.name) return false;
  return equalJson(old.args, seen.args) && equalJson(old.output, seen.output);
}
