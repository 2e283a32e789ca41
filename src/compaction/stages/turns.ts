// The stages that leave out whole turns, without a model: snip and collapse.
import type { ViewEdit } from "../../contracts/context.js";
import type { Message, UserMessage } from "../../contracts/message.js";
import { isMediaPart, isPrompt, textOfOutput } from "../../engine/transcript/message-shape.js";
import { byDefault, checkOptions, type OptionTable, oneOf } from "../../json/check-options.js";
import { clip } from "../../text/cut.js";
import {
  type AnsweredCall,
  answeredCalls,
  type Block,
  blocksOf,
  failureOf,
  oneLine,
  removableRuns,
  showsFileText,
} from "../blocks.js";
import { withoutBullets } from "../notes/note.js";
import { bestLines } from "../notes/salient-lines.js";
import { isPlaceholder, messageText, SPAN_BEGIN, SPAN_END, summaryMessage } from "../notes/summary-message.js";
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
function joinRemovals(removals: readonly Change[]): Change[] {
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

/** The weight of a line from which a replaced result is kept: the later result may lack its subject. */
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

// ── collapse ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Spans of fewer turns are shorter than a note about them. */
const MIN_TURNS = 2;
/** A sub-agent's report that is old keeps its beginning. Unit: characters. */
const REPORT_CHARS = 600;

/**
 * Shows finished spans as one note each, made without a model: the turns between a prompt and its answer, between the
 * start and the end of a todo item, and old reports of sub-agents. What users said and the answers stay; the oldest
 * spans go first, until the target is met.
 */
export function collapse(): CompactionStage {
  return named("collapse", (view, budget): readonly ViewEdit[] => {
    const room = roomOf(view, budget);
    const blocks = blocksOf(view, room);
    let excess = room.usedTokens - room.targetTokens;
    const changes: Change[] = [];
    const spans = [...finishedSpans(blocks, room.lines), ...oldReports(blocks, room.lines)];
    for (const span of spans.sort((a, b) => a.first - b.first)) {
      if (excess <= 0) break;
      const saved =
        sumOf(view.messages.slice(span.first, span.last + 1), room.count) - sumOf(span.replacement, room.count);
      if (saved <= 0) continue;
      excess -= saved;
      changes.push(span);
    }
    return toEdits("collapse", view, budget, changes);
  });
}

/** Runs of turns before a finished todo item or a final answer. */
function finishedSpans(blocks: readonly Block[], lines: ViewLines): Change[] {
  const spans: Change[] = [];
  let run: Block[] = [];
  const close = (title: string | null) => {
    if (title !== null && run.length >= MIN_TURNS) {
      const messages = run.flatMap((block) => block.messages);
      spans.push({ first: run[0]!.first, last: run.at(-1)!.last, replacement: [noteOf(title, messages, lines)] });
    }
    run = [];
  };
  const todo = new Set<string>();
  let prompt = "";
  for (const block of blocks) {
    const [message] = block.messages;
    if (message && isPrompt(message)) prompt = oneLine(messageText(message), 120);
    if (block.isAnchor || block.isTail || message?.role === "user") {
      for (const item of notedTodos(block)) todo.add(item);
      close(null);
      continue;
    }
    const done = completedTodos(block);
    const news = done?.filter((item) => !todo.has(item)) ?? [];
    for (const item of done ?? []) todo.add(item);
    if (news.length > 0) {
      run.push(block);
      close(`todo ${news.map((item) => JSON.stringify(item)).join(", ")}`);
    } else if (isReply(block)) close(prompt === "" ? null : `work on ${JSON.stringify(prompt)}`);
    else run.push(block);
  }
  return spans;
}

/** Without calls: the end of the work on a prompt. */
function isReply({ messages }: Block): boolean {
  const [message] = messages;
  return messages.length === 1 && message!.role === "assistant";
}

/** The contents of completed items, when a block writes a todo list. */
function completedTodos({ messages }: Block): string[] | null {
  for (const call of answeredCalls(messages, undefined)) {
    if (!/todo/i.test(call.name)) continue;
    const { todos } = Object(call.arguments) as { todos?: unknown };
    if (!Array.isArray(todos)) continue;
    return todos.flatMap((item) => (Object(item).status === "completed" ? [String(Object(item).content)] : []));
  }
  return null;
}

/** The items a note of this stage is about: they are not new. */
function notedTodos({ messages: [message] }: Block): string[] {
  const text = message?.role === "user" && message.origin === "summary" ? messageText(message) : "";
  const title = text.startsWith(`${SPAN_BEGIN}todo `) ? text.slice(0, text.indexOf("\n") >>> 0) : "";
  return [...title.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([item]) => JSON.parse(item) as string);
}

function oldReports(blocks: readonly Block[], lines: ViewLines): Change[] {
  return blocks.flatMap(({ first, last, messages, isAnchor, isTail }) => {
    const [message] = messages;
    if (isAnchor || isTail || messages.length > 1 || message?.role !== "user" || message.origin !== "subagent")
      return [];
    const text = messageText(message);
    if (text.length <= REPORT_CHARS) return [];
    const beginning = clip(text, REPORT_CHARS / 2);
    const rest = bestLines(lines.ofMessage(message), REPORT_CHARS / 2, 2).filter((line) => !beginning.includes(line));
    const shorter = [beginning, ...rest].join("\n");
    return [{ first, last, replacement: [{ ...message, content: [{ type: "text", text: shorter }] }] }];
  });
}

/** The work of a span, in a few lines. */
function noteOf(title: string, messages: readonly Message[], lines: ViewLines): UserMessage {
  const calls = answeredCalls(messages, lines.describe);
  const changed = new Set<string>();
  const used = new Map<string, number>();
  const failures = new Map<string, string>();
  for (const { name, path, command, changes, output, isError } of calls) {
    used.set(name, (used.get(name) ?? 0) + 1);
    if (path !== null && changes && !isError) changed.add(path);
    if (command === null) continue;
    const failure = failureOf(textOfOutput(output), isError);
    failures.delete(command); // The newest outcome counts.
    if (failure !== null) failures.set(command, `Failed: ${oneLine(command, 120)}: ${oneLine(failure, 160)}`);
  }
  const counts = [...used].map(([name, times]) => `${name} × ${times}`).join(", ");
  return summaryMessage(
    [
      `${SPAN_BEGIN}${title}. The ${calls.length} calls (${counts}) are left out.`,
      ...(changed.size > 0 ? [`Changed: ${clip([...changed].join(", "), 400)}`] : []),
      ...[...failures.values()].slice(-4),
      ...repliesIn(messages, lines),
      ...findingsIn(calls, lines).map((line) => `Found: ${line}`),
      SPAN_END,
    ].join("\n"),
  );
}

function repliesIn(messages: readonly Message[], lines: ViewLines): string[] {
  const best = messages.flatMap((message) =>
    message.role === "assistant" ? bestLines(lines.ofMessage(message), 400, 1, lines.frequency) : [],
  );
  return bestLines(best.join("\n"), 1_200, 0, lines.frequency).map(withoutBullets);
}

function findingsIn(calls: readonly AnsweredCall[], lines: ViewLines): string[] {
  const best = calls.flatMap((call) => {
    // The text of a file can be read again, and may have changed by then.
    if (showsFileText(call)) return [];
    // A placeholder's quote was chosen already.
    return bestLines(lines.of(call.part), 320, isPlaceholder(textOfOutput(call.output)) ? 1 : 4, lines.frequency);
  });
  return bestLines(best.join("\n"), 800, 0, lines.frequency).map(withoutBullets);
}
