// Serves: vLLM, llama.cpp and others that run open models.
// Chat templates of open models insist on an order of roles, and some have no role for a system prompt.
import type { WireMessage } from "./messages.js";

/** The messages with a system prompt before what the user says first. */
export function withPreface(text: string, messages: readonly WireMessage[]): WireMessage[] {
  const [first, ...rest] = messages;
  const preface: WireMessage = { role: "user", content: text };
  return first?.role === "user" ? [joined(preface, first), ...rest] : [preface, ...messages];
}

/** Consecutive messages of the user, or of the model where only the last one calls, become one. */
export function alternating(messages: readonly WireMessage[]): WireMessage[] {
  const merged: WireMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    const isJoined = last?.role === message.role && last.role !== "tool" && last.tool_calls === undefined;
    if (isJoined) merged[merged.length - 1] = joined(last, message);
    else merged.push(message);
  }
  return merged;
}

function joined(first: WireMessage, second: WireMessage): WireMessage {
  const images = [first.images, second.images].flatMap((list) => (Array.isArray(list) ? list : []));
  return {
    ...first,
    ...second,
    ...(images.length > 0 && { images }),
    content: joinedContent(first.content, second.content),
  };
}

function joinedContent(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) || Array.isArray(second)) return [...partsOf(first), ...partsOf(second)];
  return [first, second].filter((text) => typeof text === "string" && text !== "").join("\n\n");
}

function partsOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
}
