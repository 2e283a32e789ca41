// The rules of a transcript, for messages from anywhere: checking them, and making them hold.
import type { AssistantMessage, AssistantPart, Message, ToolMessage } from "../../contracts/message.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { freeCallId, toolCallsOf } from "./message-shape.js";

function isToolCallPart(part: AssistantPart): part is Extract<AssistantPart, { type: "tool-call" }> {
  return part.type === "tool-call";
}

/** A breach of a rule of transcripts, and its place. */
export interface TranscriptIssue {
  /** Index of the message. */
  readonly index: number;
  readonly message: string;
}

/**
 * Checks that every tool call has exactly one result, in call order, right after its message. Empty means valid.
 *
 * With `allowOpen` the last message may hold unanswered calls, as in a suspended session.
 */
export function validateTranscript(
  messages: readonly Message[],
  options: { readonly allowOpen?: boolean } = {},
): readonly TranscriptIssue[] {
  const issues: TranscriptIssue[] = [];
  const seen = new Set<string>();
  let expected: readonly ToolCall[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      issues.push(...compareResults(index, expected, message));
      expected = [];
      continue;
    }
    if (expected.length > 0) issues.push({ index, message: `${unansweredText(expected)} before this message` });
    expected = message.role === "assistant" ? toolCallsOf(message) : [];
    for (const { id } of expected) {
      if (id === "" || seen.has(id)) issues.push({ index, message: `tool call id "${id}" is empty or used twice` });
      seen.add(id);
    }
  }
  if (expected.length > 0 && !options.allowOpen) {
    issues.push({ index: messages.length - 1, message: unansweredText(expected) });
  }
  return issues;
}

function compareResults(index: number, calls: readonly ToolCall[], message: ToolMessage): TranscriptIssue[] {
  const wanted = calls.map(({ id }) => id).join(", ");
  const got = message.content.map(({ toolCallId }) => toolCallId).join(", ");
  return wanted === got ? [] : [{ index, message: `results for [${got}] where the calls are [${wanted}]` }];
}

function unansweredText(calls: readonly ToolCall[]): string {
  return `${calls.length} tool calls (first: "${calls[0]!.id}") have no result`;
}

/**
 * A valid transcript from messages that came from elsewhere: missing results are added as errors that say `missing`, results without a
 * call and second results are dropped, results are put in call order, repeated call ids get a suffix.
 * Valid messages are returned as they are.
 */
export function repairTranscript(
  messages: readonly Message[],
  missing = "The result of this call was lost before it was recorded.",
): readonly Message[] {
  if (validateTranscript(messages).length === 0) return messages;
  const repaired: Message[] = [];
  const used = new Set<string>();
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]!;
    if (message.role === "tool") continue;
    if (message.role === "user") {
      repaired.push(message);
      continue;
    }
    const results: ToolMessage["content"][number][] = [];
    for (let next = index + 1; messages[next]?.role === "tool"; next++) {
      results.push(...(messages[next] as ToolMessage).content);
    }
    repaired.push(...repairTurn(message, results, used, missing));
  }
  return repaired;
}

function repairTurn(
  message: AssistantMessage,
  results: readonly ToolMessage["content"][number][],
  used: Set<string>,
  missing: string,
): Message[] {
  const left = [...results];
  const answers: ToolMessage["content"][number][] = [];
  const content = message.content.map((part) => {
    if (!isToolCallPart(part)) return part;
    const at = left.findIndex(({ toolCallId }) => toolCallId === part.id);
    const answer = at < 0 ? undefined : left.splice(at, 1)[0];
    const id = freeCallId(part.id, (taken) => used.has(taken));
    used.add(id);
    const lost = { type: "tool-result", toolCallId: id, name: part.name, output: missing, isError: true } as const;
    answers.push(answer ? { ...answer, toolCallId: id } : lost);
    return { ...part, id };
  });
  if (answers.length === 0) return [message];
  return [
    { ...message, content },
    { role: "tool", content: answers },
  ];
}
