// The shape of messages: what comes from outside is checked once, before the engine relies on it.
import type { ContentPart, MediaPart } from "../../contracts/content.js";
import type { AssistantMessage, AssistantPart, Message, ToolMessage } from "../../contracts/message.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { freeCallId } from "./call-id.js";

/** Whether a value is text, an image or a file as messages hold them. */
export function isContentPart(value: unknown): value is ContentPart {
  if (!isObject(value)) return false;
  const { type, text, mediaType, data } = value;
  if (type === "text") return typeof text === "string";
  return (type === "image" || type === "file") && typeof mediaType === "string" && typeof data === "string";
}

/** Whether a part of any message is an image or a file. */
export function isMediaPart<P extends { readonly type: string }>(part: P): part is Extract<P, MediaPart> {
  return part.type === "image" || part.type === "file";
}

/** Whether a value is a message of one of the three roles. */
export function isMessage(value: unknown): value is Message {
  if (!isObject(value) || !Array.isArray(value.content)) return false;
  const { role, content } = value;
  if (role === "user") return content.every(isContentPart);
  if (role === "assistant") return content.every(isAssistantPart);
  return role === "tool" && content.every(isToolResultPart);
}

function isAssistantPart(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { type, text, id, name } = value;
  if (type === "tool-call") return typeof id === "string" && typeof name === "string" && value.arguments !== undefined;
  return type === "reasoning" ? typeof text === "string" : isContentPart(value);
}

function isToolResultPart(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { toolCallId, name, output } = value;
  const isOutput = typeof output === "string" || (Array.isArray(output) && output.every(isContentPart));
  return typeof toolCallId === "string" && typeof name === "string" && isOutput;
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}

/** The text parts of a message, joined. */
export function textOfMessage({ content }: AssistantMessage): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/**
 * The images and files that the model has made since the user's newest prompt, oldest first, as parts for another prompt or
 * a tool's output. Of the messages of a result: what its run has made, as long as it had no follow-up.
 *
 * @example
 * const [picture] = latestMedia(result.messages());
 */
export function latestMedia(messages: readonly Message[]): readonly MediaPart[] {
  const media: MediaPart[] = [];
  for (const message of messages.slice(messages.findLastIndex(isPrompt) + 1)) {
    for (const part of message.role === "assistant" ? message.content : []) {
      if (!isMediaPart(part)) continue;
      const { providerData: _, ...plain } = part;
      media.push(plain);
    }
  }
  return media;
}

/** Whether a message is the user's own words. */
export function isPrompt(message: Message): boolean {
  return message.role === "user" && (message.origin ?? "user") === "user";
}

// ── what makes a list of messages valid ───────────────────────────────────────────────────────────────────────────────

/** The tool calls of a message, in order. */
export function toolCallsOf(message: AssistantMessage): ToolCall[] {
  let calls: ToolCall[] | undefined;
  const { content } = message;
  for (let at = 0; at < content.length; at++) {
    const part = content[at]!;
    if (part.type !== "tool-call") continue;
    // Most have one: an array that is pushed to has room for seventeen.
    if (calls) calls.push(part);
    else calls = [part];
  }
  return calls ?? [];
}

function isToolCallPart(part: AssistantPart): part is Extract<AssistantPart, { type: "tool-call" }> {
  return part.type === "tool-call";
}

/** What breaks a rule of transcripts, and where. */
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
 * A valid transcript from messages that came from elsewhere: missing results are added as errors, results without a
 * call and second results are dropped, results are put in call order, repeated call ids get a suffix.
 * Valid messages are returned as they are.
 */
export function repairTranscript(messages: readonly Message[]): readonly Message[] {
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
    repaired.push(...repairTurn(message, results, used));
  }
  return repaired;
}

function repairTurn(
  message: AssistantMessage,
  results: readonly ToolMessage["content"][number][],
  used: Set<string>,
): Message[] {
  const left = [...results];
  const answers: ToolMessage["content"][number][] = [];
  const content = message.content.map((part) => {
    if (!isToolCallPart(part)) return part;
    const at = left.findIndex(({ toolCallId }) => toolCallId === part.id);
    const answer = at < 0 ? undefined : left.splice(at, 1)[0];
    const id = freeCallId(part.id, (taken) => used.has(taken));
    used.add(id);
    answers.push(answer ? { ...answer, toolCallId: id } : missingResult(id, part.name));
    return { ...part, id };
  });
  if (answers.length === 0) return [message];
  return [
    { ...message, content },
    { role: "tool", content: answers },
  ];
}

function missingResult(toolCallId: string, name: string): ToolMessage["content"][number] {
  const output = "The result of this call was lost before it was recorded.";
  return { type: "tool-result", toolCallId, name, output, isError: true };
}
