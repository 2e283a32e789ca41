// The stages that show less of results and media: offload, pictures and micro.
import type { View, ViewEdit } from "../../contracts/context.js";
import type { AssistantMediaPart, Message, ToolMessage, ToolResultPart } from "../../contracts/message.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { isMediaPart, textOfOutput } from "../../engine/transcript/message-shape.js";
import { byDefault, checkOptions, numberFrom, type OptionTable, withMethods } from "../../json/check-options.js";
import { bytesOf } from "../../text/base64.js";
import { describeMedia } from "../../text/describe-media.js";
import { type AnsweredCall, answeredCalls, type Block, blocksOf, gist } from "../blocks.js";
import { bestLines } from "../notes/salient-lines.js";
import { isPlaceholder, placeholder } from "../notes/summary-message.js";
import { type Change, type CompactionStage, named, roomOf, type StageBudget, toEdits } from "../stage.js";
import type { ViewLines } from "../view-lines.js";

/** Options of `offload()`. */
export interface OffloadOptions {
  /** Default: the engine's. */
  readonly artifacts?: ArtifactStore | undefined;
  /** Results of fewer characters stay. Default: 4_000. */
  readonly minChars?: number | undefined;
  /** The excerpt that is left in place. Unit: characters. Default: 1_000. */
  readonly previewChars?: number | undefined;
}

const OPTIONS = {
  artifacts: withMethods("put", "get"),
  minChars: byDefault(4_000, numberFrom(0, "characters")),
  previewChars: byDefault(1_000, numberFrom(0, "characters")),
} satisfies OptionTable<OffloadOptions>;

/** Says that a result is elsewhere: by the engine when it was recorded, or by this stage. */
export const ARTIFACT_PATH = /is in "([^"]+)"; read it with read_file/;

/**
 * Moves large tool results to the artifact store, the largest first, until the target is met; a preview and the path
 * stay. The newest turn is left alone. Without a store it passes on, and so it does for a result the store refuses.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function offload(options: OffloadOptions = {}): CompactionStage {
  const { minChars, previewChars, ...settings } = checkOptions("offload()", options, OPTIONS);
  return named("offload", async (view, budget): Promise<readonly ViewEdit[]> => {
    const artifacts = settings.artifacts ?? budget.artifacts;
    if (!artifacts) return [];
    const room = roomOf(view, budget);
    let excess = room.usedTokens - room.targetTokens;
    const changed = new Map<number, ToolMessage>();
    for (const { at, part, text } of largestResults(view, budget, minChars)) {
      if (excess <= 0) break;
      const path = await keepText(artifacts, text, view.sessionId);
      if (path === null) continue;
      const note = `[The whole output (${text.length} characters) is in "${path}"; read it with read_file, page by page.]`;
      const output = `${gist(text, previewChars)}\n\n${note}`;
      const before = changed.get(at) ?? (view.messages[at] as ToolMessage);
      const content = before.content.map((each) =>
        each.toolCallId === part.toolCallId ? Object.freeze({ ...each, output }) : each,
      );
      const after: ToolMessage = { ...before, content };
      excess -= room.count(before) - room.count(after);
      changed.set(at, after);
    }
    const changes = [...changed].map(([at, message]): Change => ({ first: at, last: at, replacement: [message] }));
    return toEdits("offload", view, budget, changes);
  });
}

async function keepText(artifacts: ArtifactStore, text: string, sessionId: string): Promise<string | null> {
  try {
    return (await artifacts.put(text, { sessionId, mediaType: "text/plain" })).path;
  } catch {
    return null; // When the disk is full, the stages that need none go on.
  }
}

function largestResults(view: View, budget: StageBudget, minChars: number) {
  const room = roomOf(view, { ...budget, keepTurns: 1 });
  const results = blocksOf(view, room).flatMap(({ first, messages, isTail }) =>
    isTail || messages.some(room.isPinned)
      ? []
      : messages.flatMap((message, index) =>
          message.role !== "tool"
            ? []
            : message.content.map((part) => ({ at: first + index, part, text: textOfOutput(part.output) })),
        ),
  );
  return results
    .filter(({ part, text }) => text.length >= minChars && typeof part.output === "string" && !ARTIFACT_PATH.test(text))
    .sort((a, b) => b.text.length - a.text.length);
}

// ── pictures ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Leaves out images and files that the model has made, the oldest first, until the target is met. A note of the user's side
 * takes their place, with the path where the engine has an artifact store. Those of the newest turns stay.
 */
export function pictures(): CompactionStage {
  return named("pictures", async (view: View, budget): Promise<readonly ViewEdit[]> => {
    const room = roomOf(view, budget);
    let excess = room.usedTokens - room.targetTokens;
    const changes: Change[] = [];
    for (const block of blocksOf(view, room)) {
      if (excess <= 0 || block.isTail) break;
      if (block.isAnchor) continue;
      const replacement = await withoutMedia(block, budget.artifacts, view.sessionId);
      if (!replacement) continue;
      changes.push({ first: block.first, last: block.last, replacement });
      for (const message of block.messages) excess -= room.count(message);
      for (const message of replacement) excess += room.count(message);
    }
    return toEdits("pictures", view, budget, changes);
  });
}

/** `null` for a block without any. */
async function withoutMedia({ messages }: Block, artifacts: ArtifactStore | undefined, sessionId: string) {
  const media = messages.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((part) => isMediaPart(part)) : [],
  );
  if (media.length === 0) return null;
  const notes: string[] = [];
  for (const part of media) notes.push(await noteOn(part, artifacts, sessionId));
  const left = messages.flatMap((message): Message[] => {
    if (message.role !== "assistant") return [message];
    const content = message.content.filter((part) => !isMediaPart(part));
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return [...left, { role: "user", origin: "reminder", content: [{ type: "text", text: notes.join("\n") }] } as const];
}

async function noteOn(part: AssistantMediaPart, artifacts: ArtifactStore | undefined, sessionId: string) {
  const path = await keepMedia(part, artifacts, sessionId);
  const where = path === null ? "" : ` It is in "${path}".`;
  return `[Left out to save room: ${describeMedia(part)} that you made here.${where}]`;
}

async function keepMedia(
  { data, mediaType }: AssistantMediaPart,
  artifacts: ArtifactStore | undefined,
  sessionId: string,
) {
  const bytes = artifacts ? bytesOf(data) : null;
  if (!artifacts || !bytes) return null;
  try {
    return (await artifacts.put(bytes, { sessionId, mediaType })).path;
  } catch {
    return null; // A full disk does not stop the compaction: the session has the image.
  }
}

// ── micro ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Options of `micro()`. */
export interface MicroOptions {
  /** Results beyond the newest so many become placeholders. Default: 8. */
  readonly keepResults?: number | undefined;
  /** The quote of the result in a placeholder: the lines that say most. Unit: characters. Default: 320. */
  readonly quoteChars?: number | undefined;
}

const MICRO_OPTIONS = {
  keepResults: byDefault(8, numberFrom(0, "results")),
  quoteChars: byDefault(320, numberFrom(0, "characters")),
} satisfies OptionTable<MicroOptions>;

/**
 * Turns stale tool results into one-line placeholders that say what they were and how to get them back: reads of a file
 * that was changed or read again later first, then the oldest results beyond the newest `keepResults`, until the target
 * is met. Calls, texts and the newest turns stay.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function micro(options: MicroOptions = {}): CompactionStage {
  const { keepResults, quoteChars } = checkOptions("micro()", options, MICRO_OPTIONS);
  return named("micro", (view, budget): readonly ViewEdit[] => {
    const room = roomOf(view, budget);
    const blocks = blocksOf(view, room);
    const isFree = new Set(
      blocks
        .filter(({ isTail, messages }) => !isTail && !messages.some(room.isPinned))
        .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index)),
    );
    const calls = answeredCalls(view.messages, view.describe);
    const old = calls.slice(0, Math.max(0, calls.length - keepResults));
    const superseded = supersededReads(calls);
    const stale = [...calls.filter((call) => superseded.has(call.id)), ...old.filter(({ id }) => !superseded.has(id))];
    let excess = room.usedTokens - room.targetTokens;
    const changed = new Map<number, ToolMessage>();
    for (const call of stale) {
      if (excess <= 0 && !superseded.has(call.id)) break;
      if (!isFree.has(call.at)) continue;
      const output = shortOutput(call, superseded.get(call.id), { quoteChars, lines: room.lines, view });
      if (output === null) continue;
      const before = changed.get(call.at) ?? (view.messages[call.at] as ToolMessage);
      const after = withOutput(before, call.id, output);
      const saved = room.count(before) - room.count(after);
      if (saved <= 0) continue;
      excess -= saved;
      changed.set(call.at, after);
    }
    const changes = [...changed].map(([at, message]): Change => ({ first: at, last: at, replacement: [message] }));
    return toEdits("micro", view, budget, changes);
  });
}

/** Reads whose file was changed or read whole again later, and which of the two. */
function supersededReads(calls: readonly AnsweredCall[]): Map<string, "changed" | "read again"> {
  const superseded = new Map<string, "changed" | "read again">();
  const fate = new Map<string, "changed" | "read again">();
  for (const call of [...calls].reverse()) {
    const { path } = call;
    if (path === null || call.isError) continue;
    const later = fate.get(path);
    if (call.reads) {
      const sameRead = later === "changed" ? later : fate.get(readKey(call, path));
      if (sameRead) superseded.set(call.id, sameRead);
      fate.set(readKey(call, path), "read again");
    } else if (call.changes) fate.set(path, "changed");
  }
  return superseded;
}

const readKey = (call: AnsweredCall, path: string): string => `${path}\n${JSON.stringify(call.arguments)}`;

export function withOutput(message: ToolMessage, toolCallId: string, output: ToolResultPart["output"]): ToolMessage {
  const content = message.content.map((part) =>
    part.toolCallId === toolCallId ? Object.freeze({ ...part, output }) : part,
  );
  return { ...message, content };
}

interface Quoting {
  readonly quoteChars: number;
  readonly lines: ViewLines;
  readonly view: View;
}

/** The placeholder for a call's result; `null` for one that is a placeholder already. */
function shortOutput(
  call: AnsweredCall,
  fate: "changed" | "read again" | undefined,
  { quoteChars, lines, view }: Quoting,
): string | null {
  const text = textOfOutput(call.output);
  if (isPlaceholder(text)) return null;
  const what = `the result of ${call.text} (${text.length} characters).`;
  // A file can be read again; what a command said may be gone for good.
  const least = call.reads && call.path !== null ? 6 : 2;
  const quoted = fate === undefined ? bestLines(lines.of(call.part), quoteChars, least, lines.frequency) : [];
  return placeholder(`${what} ${wayBack(call, text, fate, view)}`, quoted);
}

function wayBack(call: AnsweredCall, text: string, fate: string | undefined, { tools }: View): string {
  const path = ARTIFACT_PATH.exec(text)?.[1];
  if (fate === "changed") return "The file was changed later; read it again for what it is now.";
  if (fate === "read again") return "It was read again later.";
  if (path !== undefined) return `The whole is in "${path}"; read it with read_file.`;
  if (call.reads || !tools.some(({ name }) => name === "recall")) return "Make the call again to see it.";
  return "Find it with recall, or make the call again.";
}
