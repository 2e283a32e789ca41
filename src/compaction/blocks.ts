// A view in the pieces that may be kept or dropped: a user message, a reply, or a turn's calls with their results.
import type { View } from "../contracts/context.js";
import type { AssistantMessage, Message, ToolResultPart } from "../contracts/message.js";
import { isPrompt } from "../engine/transcript/message-shape.js";
import { type CallSubject, subjectOf } from "./describe-call.js";
import type { Room } from "./stage.js";

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
