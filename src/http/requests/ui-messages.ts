// The request of the AI SDK's `useChat`: all messages of the page, the prompt or the answers in the last of them.
import type { Answer } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import type { JsonValue } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import { type ShownMessage, withoutInnerCalls } from "../messages/shown-message.js";
import { type PromptOfRequest, partOfDataUrl, promptOfParts } from "./prompt-content.js";
import { type Body, badRequest } from "./request-body.js";

export function readUiMessages(messages: JsonValue): Omit<PromptOfRequest, "sessionId"> {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (!isObject(last) || !Array.isArray(last.parts))
    throw badRequest('"messages" has no last message with "parts". Send the messages of useChat.', "messages");
  const parts = last.parts.filter((part) => isObject(part));
  if (last.role === "user") {
    const shown = withoutInnerCalls((messages as readonly JsonValue[]).slice(0, -1).flatMap(shownMessage));
    return { input: promptOfParts(parts.flatMap(readPart)), answers: [], shown };
  }
  if (last.role === "assistant") return { input: "", answers: [...approvalsIn(parts), ...outputsIn(parts)] };
  throw badRequest("The last message is neither the user's nor the assistant's.", "messages");
}

function shownMessage(message: JsonValue): ShownMessage[] {
  if (!isObject(message) || !Array.isArray(message.parts)) return [];
  const { role } = message;
  const parts = message.parts.filter((part) => isObject(part));
  const text = parts.map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : "")).join("");
  if (role === "user") return [{ role, text, parts: stringsOf(parts, "url") }];
  if (role !== "assistant") return [];
  // A call without its arguments was cut off, and has not been made.
  const calls = parts.filter(({ state, input }) => state !== "input-streaming" && input !== undefined);
  return [{ role, text, parts: stringsOf(calls, "toolCallId") }];
}

function stringsOf(parts: readonly Body[], field: string): string[] {
  return parts.flatMap(({ [field]: value }) => (typeof value === "string" ? [value] : []));
}

function readPart(part: Body): ContentPart[] {
  if (part.type === "text" && typeof part.text === "string")
    return part.text === "" ? [] : [{ type: "text", text: part.text }];
  return part.type === "file" ? [partOfDataUrl(part.url, part.filename)] : [];
}

/** The user's answers to approvals that the server does not know yet. */
function approvalsIn(parts: readonly Body[]): Answer[] {
  return parts.flatMap(({ state, approval }): Answer[] => {
    if (state !== "approval-responded" || !isObject(approval)) return [];
    const { id, approved, reason } = approval;
    if (typeof id !== "string" || typeof approved !== "boolean") return [];
    return [{ id, decision: approved ? "allow" : "deny", ...(typeof reason === "string" && { reason }) }];
  });
}

/** The outputs the client has added to calls that ask a question. */
function outputsIn(parts: readonly Body[]): Answer[] {
  return parts.flatMap(({ type, data }): Answer[] => {
    if (type !== "data-question" || !isObject(data) || data.isAnswered === true) return [];
    const call = parts.find((part) => part.toolCallId === data.toolCallId && part.state === "output-available");
    if (typeof data.id !== "string" || call?.output === undefined) return [];
    return [{ id: data.id, value: call.output }];
  });
}
