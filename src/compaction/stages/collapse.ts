import type { ViewEdit } from "../../contracts/context.js";
import type { Message, UserMessage } from "../../contracts/message.js";
import { clip } from "../../text/cut.js";
import { answeredCalls, type Block, blocksOf, isPrompt } from "../blocks.js";
import { changesFiles, commandOf, failureOf, oneLine, pathOf, textOfOutput } from "../describe-call.js";
import { isPlaceholder, messageText, quotedIn, wordingOf } from "../message-text.js";
import { bestLines } from "../notes/salient-lines.js";
import type { Wording } from "../notes/word-frequency.js";
import { type Change, type CompactionStage, roomOf, sumOf, toEdits } from "../stage.js";

const BEGIN = "[Finished: ";
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
  return function collapse(view, budget): readonly ViewEdit[] {
    const room = roomOf(view, budget);
    const blocks = blocksOf(view, room);
    let excess = room.usedTokens - room.targetTokens;
    const changes: Change[] = [];
    const wording = wordingOf(view.messages);
    for (const span of [...finishedSpans(blocks, wording), ...oldReports(blocks)].sort((a, b) => a.first - b.first)) {
      if (excess <= 0) break;
      const saved =
        sumOf(view.messages.slice(span.first, span.last + 1), room.count) - sumOf(span.replacement, room.count);
      if (saved <= 0) continue;
      excess -= saved;
      changes.push(span);
    }
    return toEdits("collapse", view, budget, changes);
  };
}

/** Runs of turns that lie before a finished todo item or a final answer. */
function finishedSpans(blocks: readonly Block[], wording: Wording): Change[] {
  const spans: Change[] = [];
  let run: Block[] = [];
  const close = (title: string | null) => {
    if (title !== null && run.length >= MIN_TURNS) {
      const messages = run.flatMap((block) => block.messages);
      spans.push({ first: run[0]!.first, last: run.at(-1)!.last, replacement: [noteOf(title, messages, wording)] });
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
    } else if (isAnswer(block)) close(prompt === "" ? null : `work on ${JSON.stringify(prompt)}`);
    else run.push(block);
  }
  return spans;
}

function isAnswer({ messages }: Block): boolean {
  const [message] = messages;
  return messages.length === 1 && message!.role === "assistant";
}

/** The contents of completed items, when a block writes a todo list. */
function completedTodos({ messages }: Block): string[] | null {
  for (const call of answeredCalls(messages)) {
    if (!/todo/i.test(call.name)) continue;
    const { todos } = Object(call.arguments) as { todos?: unknown };
    if (!Array.isArray(todos)) continue;
    return todos.flatMap((item) => (Object(item).status === "completed" ? [String(Object(item).content)] : []));
  }
  return null;
}

/** The items a note of this stage is about: they are not news again. */
function notedTodos({ messages: [message] }: Block): string[] {
  const text = message?.role === "user" && message.origin === "summary" ? messageText(message) : "";
  const title = text.startsWith(`${BEGIN}todo `) ? text.slice(0, text.indexOf("\n") >>> 0) : "";
  return [...title.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([item]) => JSON.parse(item) as string);
}

function oldReports(blocks: readonly Block[]): Change[] {
  return blocks.flatMap(({ first, last, messages, isAnchor, isTail }) => {
    const [message] = messages;
    if (isAnchor || isTail || messages.length > 1 || message?.role !== "user" || message.origin !== "subagent")
      return [];
    const text = messageText(message);
    if (text.length <= REPORT_CHARS) return [];
    const lines = bestLines(text.slice(REPORT_CHARS / 2), REPORT_CHARS / 2, 2);
    const shorter = [clip(text, REPORT_CHARS / 2), ...lines].join("\n");
    return [{ first, last, replacement: [note(shorter, "subagent")] }];
  });
}

/** What was done in a span, in a few lines. */
function noteOf(title: string, messages: readonly Message[], wording: Wording): UserMessage {
  const calls = answeredCalls(messages);
  const changed = new Set<string>();
  const used = new Map<string, number>();
  const failures: string[] = [];
  for (const { name, arguments: args, output, isError } of calls) {
    used.set(name, (used.get(name) ?? 0) + 1);
    const path = pathOf(args);
    if (path !== null && changesFiles(name) && !isError) changed.add(path);
    const command = commandOf(args);
    const failure = command === null ? null : failureOf(textOfOutput(output), isError);
    if (failure !== null) failures.push(`Failed: ${oneLine(command!, 120)}: ${oneLine(failure, 160)}`);
  }
  const said = messages.flatMap((message) =>
    message.role === "assistant" ? bestLines(messageText(message), 400, 1, wording) : [],
  );
  const found = calls.flatMap(({ output }) => {
    const text = textOfOutput(output);
    // What a placeholder quotes was chosen already.
    return bestLines(quotedIn(text), 320, isPlaceholder(text) ? 1 : 4, wording);
  });
  const lines = [
    `${BEGIN}${title}. The ${calls.length} calls (${[...used].map(([name, n]) => `${name} × ${n}`).join(", ")}) are left out.`,
    ...(changed.size > 0 ? [`Changed: ${clip([...changed].join(", "), 400)}`] : []),
    ...failures.slice(-4),
    ...bestLines(said.join("\n"), 1_200, 0, wording),
    ...bestLines(found.join("\n"), 800, 0, wording).map((line) => `Found: ${line}`),
  ];
  return note(`${lines.join("\n")}\n]`, "summary");
}

function note(text: string, origin: UserMessage["origin"]): UserMessage {
  return { role: "user", content: [{ type: "text", text }], origin };
}
