// A view in the pieces that may be kept or dropped: a user message, a reply, or a turn's calls with their results.
import type { View } from "../contracts/context.js";
import type { AssistantMessage, Message, ToolResultPart } from "../contracts/message.js";
import type { CallDescription } from "../contracts/tool-call.js";
import { isPrompt } from "../engine/transcript/message-shape.js";
import { clip, sliceCharacters } from "../text/cut.js";
import { splitHeadAndTail } from "../text/head-and-tail.js";
import { bestLines } from "./notes/salient-lines.js";
import { isPageFurniture } from "./notes/summary-message.js";
import type { Room } from "./stage.js";
import type { TokenCounter } from "./token-count.js";

/** Messages `first` to `last` of a view that only go together. */
export interface Block {
  readonly first: number;
  readonly last: number;
  readonly messages: readonly Message[];
  /** Stays whatever else goes: the first and the newest user message, pinned messages, calls without results. */
  readonly isAnchor: boolean;
  /** Belongs to the newest turns. */
  readonly isTail: boolean;
}

export function blocksOf(view: View, room: Room): Block[] {
  const { messages, entryIds } = view;
  const firstUser = messages.findIndex(isPrompt);
  const newestUser = messages.findLastIndex(isPrompt);
  const spans: [number, number][] = [];
  for (let index = 0; index < messages.length; index++) {
    const isResult = messages[index]!.role === "tool";
    const isSameEntry = index > 0 && entryIds[index] === entryIds[index - 1];
    if (spans.length > 0 && (isResult || isSameEntry)) spans.at(-1)![1] = index;
    else spans.push([index, index]);
  }
  const tailStart = startOfTail(spans, messages, room);
  return spans.map(([first, last]) => {
    const own = messages.slice(first, last + 1);
    const holds = (index: number) => index >= first && index <= last;
    const isAnchor = holds(firstUser) || holds(newestUser) || isOpen(own.at(-1)!) || own.some(room.isPinned);
    return { first, last, messages: own, isAnchor, isTail: first >= tailStart };
  });
}

/** The start of the newest turns: as many as are to be kept, fewer if they would fill the view; the newest always. */
function startOfTail(spans: readonly [number, number][], messages: readonly Message[], room: Room): number {
  let tokens = 0;
  let turns = 0;
  let start = messages.length;
  for (const [first, last] of [...spans].reverse()) {
    const own = messages.slice(first, last + 1);
    tokens += own.reduce((sum, message) => sum + room.count(message), 0);
    const isTurn = own.some(({ role }) => role === "assistant");
    if (turns > 0 && (tokens > room.tailTokens || (isTurn && turns >= room.keepTurns))) break;
    if (isTurn) turns++;
    start = first;
  }
  return start;
}

/** Whether a message holds calls that have no result yet, when it is the last of its block. */
function isOpen(message: Message): boolean {
  return message.role === "assistant" && message.content.some(({ type }) => type === "tool-call");
}

/** The blocks that may go, in runs that stand side by side. */
export function removableRuns(blocks: readonly Block[]): Block[][] {
  const runs: Block[][] = [];
  let open = false;
  for (const block of blocks) {
    const isFree = !block.isAnchor && !block.isTail;
    if (isFree && open) runs.at(-1)!.push(block);
    else if (isFree) runs.push([block]);
    open = isFree;
  }
  return runs;
}

/** A call and its result. */
export interface AnsweredCall extends CallSubject {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly output: ToolResultPart["output"];
  readonly isError: boolean;
  readonly part: ToolResultPart;
  /** Index of the tool message. */
  readonly at: number;
}

/** Every answered call of some messages, oldest first. */
export function answeredCalls(messages: readonly Message[], describe: View["describe"]): AnsweredCall[] {
  const calls = new Map<string, AssistantMessage["content"][number] & { type: "tool-call" }>();
  const answered: AnsweredCall[] = [];
  for (const [index, message] of messages.entries()) {
    for (const part of message.content) {
      if (part.type === "tool-call") calls.set(part.id, part);
      if (part.type !== "tool-result") continue;
      const call = calls.get(part.toolCallId);
      const args = call?.arguments ?? null;
      const { toolCallId: id, name, output, isError } = part;
      const subject = subjectOf(name, args, call && describe?.(call));
      answered.push({ ...subject, id, name, arguments: args, output, isError, part, at: index });
    }
  }
  return answered;
}

// ── the subject of a call, for notes and placeholders ────────────────────────────────────────────────────────────────

/** The subject of a call. */
interface CallSubject {
  /** The file. */
  readonly path: string | null;
  /** The command line. */
  readonly command: string | null;
  /** Whether it reads the file, and so can be made again to see the same. */
  readonly reads: boolean;
  /** Whether it changes the file. */
  readonly changes: boolean;
  /** The call in a few words: `read_file src/a.ts`, `bash "npm test"`. */
  readonly text: string;
}

const PATH_FIELDS = ["path", "file_path", "filePath", "filename", "file", "notebook_path"];
const COMMAND_FIELDS = ["command", "cmd", "script"];
const CHANGES = /write|edit|create|patch|replace|insert|delete|remove|rename|move|append/i;
const READS = /read|view|open|cat\b|show/i;

/** Read from how the call looks, where its tool says so; else guessed from its name and the usual names of arguments. */
export function subjectOf(name: string, args: unknown, described?: CallDescription): CallSubject {
  const fields = typeof args === "object" && args !== null ? Object.entries(args) : [];
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === "string" && field[1] !== "");
  const find = (names: readonly string[]) =>
    names.flatMap((one) => texts.find(([field]) => field === one)?.[1] ?? [])[0];
  const path = described?.paths?.[0] ?? find(PATH_FIELDS) ?? null;
  const command = described?.command ?? find(COMMAND_FIELDS) ?? null;
  const { kind = "other", title } = described ?? {};
  const changes = kind === "other" ? CHANGES.test(name) : ["edit", "delete", "move"].includes(kind);
  const reads = kind === "other" ? READS.test(name) && !changes : kind === "read" && path !== null;
  const quoted = command ?? title ?? texts[0]?.[1];
  const about = path ?? (quoted === undefined ? undefined : JSON.stringify(oneLine(quoted, 120)));
  return { path, command, reads, changes, text: about === undefined ? name : `${name} ${about}` };
}

/** A command that only prints files, as far as a quick look shows. */
const PRINTS_FILES = /^\s*(?:cat|head|tail|nl|bat|batcat|less|more|sed -n)\s[^|;&<>`$()]*$/;

/** Whether a result is the text of a file, or a part or a diff of it, rather than what a tool found out. */
export function showsFileText({ path, command, reads, changes }: CallSubject): boolean {
  return command === null ? path !== null && (reads || changes) : PRINTS_FILES.test(command);
}

/** The reason why a command failed, in a line; `null` when it did not. Reads the exit code that shells report in their output. */
export function failureOf(output: string, isError: boolean): string | null {
  const code = /exit(?:ed with)?(?: code| status)?:? (\d+)/i.exec(output)?.[1];
  if (!isError && (code === undefined || code === "0")) return null;
  const reason = bestLines(output, 320).find(
    (line) => !/^\W*(?:the command )?exit/i.test(line) && !isPageFurniture(line),
  );
  if (code === undefined) return reason ?? oneLine(output, 160);
  return reason === undefined ? `exit code ${code}` : `exit code ${code}: ${reason}`;
}

/** A string on one line, cut to a length between characters. */
export function oneLine(text: string, maxChars: number): string {
  return clip(text.replace(/\s+/g, " ").trim(), maxChars);
}

/** The beginning of a string that has too many tokens. */
export function cutToTokens(text: string, maxTokens: number, count: TokenCounter): string {
  const tokens = count(text);
  return tokens <= maxTokens ? text : clip(text, Math.floor((text.length * maxTokens) / tokens));
}

/** Beginning and end of a string, with a note about what is missing between them, of which some is `quoted`. */
export function headAndTail(text: string, maxChars: number, quoted = ""): string {
  if (text.length <= maxChars) return text;
  const missing = `${text.length - maxChars} characters left out`;
  const note = quoted === "" ? ` […${missing}…] ` : ` […${missing}; of them:]\n${quoted}\n[…] `;
  if (maxChars <= note.length + 20) return clip(text, maxChars);
  const room = maxChars - note.length;
  const { head, tail } = splitHeadAndTail(text, Math.ceil((room * 2) / 3), Math.floor(room / 3));
  return head + note + tail;
}

/** The share from the middle of a long string, of what is shown of it. */
const QUOTED_SHARE = 0.4;
/** Shorter extracts quote nothing. Unit: characters. */
const LEAST_QUOTING_CHARS = 200;
const LEAST_QUOTED_WEIGHT = 2;

/** Beginning and end of a string, and of what is missing between them the lines that say most. */
export function gist(text: string, maxChars: number): string {
  if (text.length <= maxChars || maxChars < LEAST_QUOTING_CHARS) return headAndTail(text, maxChars);
  const aside = Math.floor((maxChars * (1 - QUOTED_SHARE)) / 3);
  const middle = sliceCharacters(text, aside, text.length - aside);
  return headAndTail(text, maxChars, bestLines(middle, maxChars * QUOTED_SHARE, LEAST_QUOTED_WEIGHT).join("\n"));
}
