import type { ViewEdit } from "../../contracts/context.js";
import type { AssistantPart, Message } from "../../contracts/message.js";
import { checkOptions, type OptionTable, oneOf } from "../../json/check-options.js";
import { type Block, blocksOf, removableRuns } from "../blocks.js";
import { readsFiles, textOfOutput } from "../describe-call.js";
import { bestLines } from "../notes/salient-lines.js";
import { type Change, type CompactionStage, roomOf, sumOf, toEdits } from "../stage.js";

export interface SnipOptions {
  /**
   * `spent` drops, all of them, only turns that say nothing, whose every call was made again later with the same
   * arguments, and whose results hold no line that stands out; `any` drops the oldest turns and messages until the target is met. Default: `any`.
   */
  readonly turns?: "spent" | "any" | undefined;
}

const OPTIONS = {
  turns: oneOf("spent", "any"),
} satisfies OptionTable<SnipOptions>;

/**
 * Drops old whole turns from the middle, calls and results together. The first and the newest user message, pinned
 * messages and the newest turns stay.
 */
export function snip(options: SnipOptions = {}): CompactionStage {
  checkOptions("snip()", options, OPTIONS);
  const { turns = "any" } = options;
  return function snip(view, budget): readonly ViewEdit[] {
    const room = roomOf(view, budget);
    const blocks = blocksOf(view, room);
    const later = turns === "spent" ? repeatedCalls(blocks) : null;
    let excess = room.usedTokens - room.targetTokens;
    const dropped: Block[] = [];
    for (const block of removableRuns(blocks).flat()) {
      if (later ? !isSpent(block, later) : excess <= 0) continue;
      excess -= sumOf(block.messages, room.count);
      dropped.push(block);
    }
    const changes = dropped.map(({ first, last }): Change => ({ first, last, replacement: [] }));
    return toEdits("snip", view, budget, joinRemovals(changes));
  };
}

/** Removals that stand side by side are one. */
export function joinRemovals(removals: readonly Change[]): Change[] {
  const runs: Change[] = [];
  for (const { first, last } of removals) {
    const before = runs.at(-1);
    if (before && before.last + 1 === first) runs[runs.length - 1] = { ...before, last };
    else runs.push({ first, last, replacement: [] });
  }
  return runs;
}

type Call = Extract<AssistantPart, { type: "tool-call" }>;

const keyOf = ({ name, arguments: args }: Call): string => `${name} ${JSON.stringify(args)}`;

function callsOf(block: Block): Call[] {
  return block.messages.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((part): part is Call => part.type === "tool-call") : [],
  );
}

/** For each call by its name and arguments, the block of its newest repetition. */
function repeatedCalls(blocks: readonly Block[]): Map<string, Block> {
  const newest = new Map<string, Block>();
  for (const block of blocks) for (const call of callsOf(block)) newest.set(keyOf(call), block);
  return newest;
}

/** Of a result that a later one replaces: a line that weighs more may be about what is gone by then. */
const LEAST_WEIGHT = 3;

function isSpent(block: Block, newest: ReadonlyMap<string, Block>): boolean {
  const calls = callsOf(block);
  if (calls.length === 0 || !calls.every((call) => newest.get(keyOf(call)) !== block)) return false;
  return block.messages.every(({ role, content }) => role !== "user" && content.every(saysNothing));
}

function saysNothing(part: Message["content"][number]): boolean {
  if (part.type === "text") return part.text.trim() === "";
  if (part.type !== "tool-result" || readsFiles(part.name)) return true;
  return bestLines(textOfOutput(part.output), 1_000, LEAST_WEIGHT).length === 0;
}
