import type { JsonValue } from "../../contracts/json.js";
import type { ToolMessage } from "../../contracts/message.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { equalJson } from "../../json/copy.js";

/** When the same call with the same result gets a reminder, and when it ends the run. Unit: times in a row. */
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
  times: number;
}

/** What a turn looks like to the detector. */
export type LoopVerdict =
  | { readonly kind: "fine" }
  | { readonly kind: "remind" | "stop"; readonly call: string; readonly times: number };

const FINE: LoopVerdict = { kind: "fine" };

/**
 * Notices a model that repeats itself: the same call, with the same arguments and the same result, turn after turn.
 * Compares with the turn before only, and stops comparing at the first difference.
 */
export class LoopDetector {
  #last: Seen[] = [];

  constructor(private readonly limits: RunawayLimits | null) {}

  /** Takes one turn's calls and results, in order. */
  observe(calls: readonly ToolCall[], results: ToolMessage["content"]): LoopVerdict {
    if (!this.limits) return FINE;
    const before = this.#last;
    const now = calls.map(
      ({ name, arguments: args }, at): Seen => ({ name, args, output: results[at]?.output, times: 1 }),
    );
    this.#last = now;
    let worst = now[0];
    if (!worst) return FINE;
    // Position first: a repeated turn repeats its calls in order, so this is linear in the number of calls.
    for (let index = 0; index < now.length; index++) {
      const seen = now[index]!;
      const twin = isSame(before[index], seen) ? before[index] : findTwin(before, seen, index);
      if (twin) seen.times = twin.times + 1;
      if (seen.times > worst.times) worst = seen;
    }
    if (worst.times >= this.limits.stopAfter) return { kind: "stop", call: worst.name, times: worst.times };
    if (worst.times === this.limits.remindAfter) return { kind: "remind", call: worst.name, times: worst.times };
    return FINE;
  }
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
