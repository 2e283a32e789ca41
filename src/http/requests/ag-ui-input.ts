// AG-UI's RunAgentInput: all messages of the page, the last of them the prompt, or answers to interrupts.
import type { Answer } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import type { JsonValue } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import { fileUrl, type ShownMessage, withoutInnerCalls } from "../messages/shown-message.js";
import { type PromptOfRequest, partOfData, partOfDataUrl, promptOfParts } from "./prompt-content.js";
import { type Body, badRequest } from "./request-body.js";

export function readAgUi({ messages, resume }: Body): Omit<PromptOfRequest, "sessionId"> {
  if (Array.isArray(resume) && resume.length > 0) return { input: "", answers: resume.map(readEntry) };
  if (resume !== undefined && !Array.isArray(resume)) throw badRequest('"resume" is not an array.', "resume");
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (!isObject(last) || last.role !== "user")
    throw badRequest("The last message is not the user's, and no interrupt is answered.", "messages");
  const { content } = last;
  const shown = withoutInnerCalls((messages as readonly JsonValue[]).slice(0, -1).flatMap(shownMessage));
  if (typeof content === "string") return { input: content, answers: [], shown };
  if (!Array.isArray(content)) throw badRequest("The last message has no content.", "messages");
  return { input: promptOfParts(content.map(readPart)), answers: [], shown };
}

/** A sub-agent's messages are in its own transcript, and the id of an answer begins with its run's. */
function shownMessage(message: JsonValue): ShownMessage[] {
  if (!isObject(message) || message.subagentRunId !== undefined) return [];
  const { role, id, content, toolCalls } = message;
  if (role === "user") return [shownPrompt(content)];
  if (role !== "assistant") return [];
  const calls = Array.isArray(toolCalls) ? toolCalls : [];
  const parts = calls.flatMap((call) => (isObject(call) && typeof call.id === "string" ? [call.id] : []));
  const text = typeof content === "string" ? content : "";
  const run = text !== "" && typeof id === "string" ? /^(.+)-\d+$/s.exec(id)?.[1] : undefined;
  return [{ role, text, parts, ...((run !== undefined || text === "") && { runs: run === undefined ? [] : [run] }) }];
}

function shownPrompt(content: JsonValue | undefined): ShownMessage {
  if (!Array.isArray(content)) return { role: "user", text: typeof content === "string" ? content : "", parts: [] };
  const texts = content.map((part) => (isObject(part) && typeof part.text === "string" ? part.text : ""));
  const files = content.flatMap((part) => {
    const { type, mimeType, value } = Object(Object(part).source) as Body;
    if (typeof value !== "string") return [];
    return [type === "data" ? fileUrl(String(mimeType), value) : value];
  });
  return { role: "user", text: texts.join(""), parts: files };
}

function readPart(part: JsonValue): ContentPart {
  if (isObject(part) && part.type === "text" && typeof part.text === "string") return { type: "text", text: part.text };
  const source = isObject(part) ? part.source : undefined;
  if (!isObject(source)) throw badRequest("A part of the prompt is not understood.", "messages");
  const { type, value, mimeType } = source;
  if (type === "data" && typeof value === "string" && typeof mimeType === "string") return partOfData(mimeType, value);
  return partOfDataUrl(value);
}

function readEntry(entry: JsonValue): Answer {
  if (!isObject(entry) || typeof entry.interruptId !== "string")
    throw badRequest('An entry of "resume" has no "interruptId".', "resume");
  const { interruptId: id, status, payload } = entry;
  if (status === "cancelled") return { id, decision: "deny" };
  if (status !== "resolved") throw badRequest('An entry of "resume" is neither "resolved" nor "cancelled".', "resume");
  return isObject(payload) ? decisionOf(id, payload) : { id, value: payload ?? null };
}

/** A payload with `approved` answers an approval, any other one a question. */
function decisionOf(id: string, payload: Body): Answer {
  const { approved, reason, editedArgs } = payload;
  if (typeof approved !== "boolean") return { id, value: payload as JsonValue };
  return {
    id,
    decision: approved ? "allow" : "deny",
    ...(typeof reason === "string" && { reason }),
    ...(approved && editedArgs !== undefined && { updatedInput: editedArgs }),
  };
}
