// AG-UI's RunAgentInput: the whole conversation, of which the last message counts, or answers to interrupts.
import type { Answer } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import type { JsonValue } from "../../contracts/json.js";
import { isObject } from "../../json/is-object.js";
import { type PromptOfRequest, partOfData, partOfDataUrl, promptOfParts } from "./prompt-content.js";
import { type Body, badRequest } from "./request-body.js";

export function readAgUi({ messages, resume }: Body): Omit<PromptOfRequest, "sessionId"> {
  if (Array.isArray(resume) && resume.length > 0) return { input: "", answers: resume.map(readEntry) };
  if (resume !== undefined && !Array.isArray(resume)) throw badRequest('"resume" is not an array.', "resume");
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (!isObject(last) || last.role !== "user")
    throw badRequest("The last message is not the user's, and no interrupt is answered.", "messages");
  const { content } = last;
  if (typeof content === "string") return { input: content, answers: [] };
  if (!Array.isArray(content)) throw badRequest("The last message has no content.", "messages");
  return { input: promptOfParts(content.map(readPart)), answers: [] };
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
