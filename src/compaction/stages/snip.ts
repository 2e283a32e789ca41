import type { ViewEdit } from "../../contracts/context.js";
import type { Message } from "../../contracts/message.js";
import { isMediaPart } from "../../engine/transcript/message-shape.js";
import { byDefault, checkOptions, type OptionTable, oneOf } from "../../json/check-options.js";
import { answeredCalls, type Block, blocksOf, removableRuns } from "../blocks.js";
import { bestLines } from "../notes/salient-lines.js";
import { type Change, type CompactionStage, named, roomOf, sumOf, toEdits } from "../stage.js";
import type { ViewLines } from "../view-lines.js";

/** Options of `snip()`. */
export interface SnipOptions {
  /**
   * `spent` drops, all of them, only turns that say nothing, whose every call was made again later with the same
   * arguments, and whose results hold no line that stands out; `any` drops the oldest turns and messages until the target is met. Default: `any`.
   */
  readonly turns?: "spent" | "any" | undefined;
}

const OPTIONS = { turns: byDefault("any", oneOf("spent", "any")) } satisfies OptionTable<SnipOptions>;

/**
 * Drops old whole turns from the middle, calls and results together. The first and the newest user message, pinned
 * messages and the newest turns stay.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function snip(options: SnipOptions = {}): CompactionStage {
  const { turns } = checkOptions("snip()", options, OPTIONS);
  return named("snip", (view, budget): readonly ViewEdit[] => {
    const room = roomOf(view, budget);
    const blocks = blocksOf(view, room);
    const repeated = turns === "spent" ? repeatedBlocks(blocks) : null;
    let excess = room.usedTokens - room.targetTokens;
    const dropped: Block[] = [];
    for (const block of removableRuns(blocks).flat()) {
      if (repeated ? !(repeated.has(block) && isSpent(block, room.lines)) : excess <= 0) continue;
      excess -= sumOf(block.messages, room.count);
      dropped.push(block);
    }
    const changes = dropped.map(({ first, last }): Change => ({ first, last, replacement: [] }));
    return toEdits("snip", view, budget, joinRemovals(changes));
  });
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

/** The calls of each block, by name and arguments. */
function callsByBlock(blocks: readonly Block[]): Map<Block, readonly string[]> {
  return new Map(blocks.map((block) => [block, block.messages.flatMap(callKeys)]));
}

function callKeys(message: Message): string[] {
  if (message.role !== "assistant") return [];
  return message.content.flatMap((part) =>
    part.type === "tool-call" ? [`${part.name} ${JSON.stringify(part.arguments)}`] : [],
  );
}

/** Blocks whose every call was made again by a later block. */
function repeatedBlocks(blocks: readonly Block[]): Set<Block> {
  const calls = callsByBlock(blocks);
  const newest = new Map<string, Block>();
  for (const [block, keys] of calls) for (const key of keys) newest.set(key, block);
  const isRepeated = ([block, keys]: [Block, readonly string[]]) =>
    keys.length > 0 && keys.every((key) => newest.get(key) !== block);
  return new Set([...calls].filter(isRepeated).map(([block]) => block));
}

/** Of a result that a later one replaces: a line that weighs more may be about what is gone by then. */
const LEAST_WEIGHT = 3;

function isSpent({ messages }: Block, lines: ViewLines): boolean {
  const read = new Set<Part>(answeredCalls(messages, lines.describe).flatMap(({ reads, part }) => (reads ? part : [])));
  const isEmpty = (part: Part) => read.has(part) || saysNothing(part, lines);
  return messages.every(({ role, content }) => role !== "user" && content.every(isEmpty));
}

type Part = Message["content"][number];

function saysNothing(part: Part, lines: ViewLines): boolean {
  if (part.type === "text") return part.text.trim() === "";
  if (isMediaPart(part)) return false;
  if (part.type !== "tool-result") return true;
  return bestLines(lines.of(part), 1_000, LEAST_WEIGHT).length === 0;
}
