// The shape of messages: what comes from outside is checked once, before the engine relies on it.
import type { ContentPart, MediaPart } from "../../contracts/content.js";
import type { AssistantMessage, Message, UserMessage } from "../../contracts/message.js";
import type { ToolCall } from "../../contracts/tool-call.js";

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

/** Freezes a message to its parts; those that the engine makes are frozen already, those of a store are not. */
export function frozen<T extends Message>(message: T): T {
  if (Object.isFrozen(message)) return message;
  for (const part of message.content) Object.freeze(part);
  Object.freeze(message.content);
  return Object.freeze(message);
}

/** The text of an output; images and files as a word. */
export function textOfOutput(output: string | readonly ContentPart[]): string {
  if (typeof output === "string") return output;
  return output.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}

/** The text parts of a message, joined. */
export function textOfMessage({ content }: AssistantMessage | UserMessage): string {
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

/**
 * `wanted`, or `wanted` with a numeric suffix that is not taken. `suffixes` remembers where the search for each id
 * ended, so that a model that always uses the same id costs no more at its thousandth call.
 */
export function freeCallId(
  wanted: string,
  isTaken: (id: string) => boolean,
  suffixes: Map<string, number> = new Map(),
): string {
  if (wanted !== "" && !isTaken(wanted)) return wanted;
  const base = wanted === "" ? "call" : wanted;
  let suffix = suffixes.get(base) ?? (wanted === "" ? 1 : 2);
  while (isTaken(`${base}-${suffix}`)) suffix++;
  suffixes.set(base, suffix + 1);
  return `${base}-${suffix}`;
}
