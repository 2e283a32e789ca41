import type { Answer } from "../../contracts/approval.js";
import type { JsonValue } from "../../contracts/json.js";
import type { PermissionUpdate } from "../../contracts/permission.js";
import { isObject } from "../../json/is-object.js";
import { type Body, badRequest } from "./request-body.js";

/** Answers as this library has them. What they may change is checked by the engine, against the question. */
export function readAnswerList(value: JsonValue | readonly JsonValue[]): readonly Answer[] {
  if (!Array.isArray(value)) throw badRequest('"answers" is not an array. Send an array of answers.', "answers");
  return value.map((one) => (isObject(one) ? readAnswer(one) : wrongAnswer()));
}

function readAnswer(body: Body): Answer {
  const { id, decision, updatedInput, remember } = body;
  if (typeof id !== "string" || id === "") return wrongAnswer();
  const by = optionalText(body, "by");
  const signature = optionalText(body, "signature");
  const base = { id, ...(by !== undefined && { by }), ...(signature !== undefined && { signature }) };
  if (decision === undefined) return body.value === undefined ? wrongAnswer() : { ...base, value: body.value };
  if (decision !== "allow" && decision !== "deny") return wrongAnswer();
  const reason = optionalText(body, "reason");
  return {
    ...base,
    decision,
    ...(reason !== undefined && { reason }),
    ...(updatedInput !== undefined && { updatedInput }),
    ...(remember !== undefined && { remember: readUpdates(remember) }),
  };
}

function optionalText(body: Body, field: string): string | undefined {
  const value = body[field];
  if (value === undefined || typeof value === "string") return value;
  throw badRequest(`The answer's "${field}" is not a string.`, field);
}

function readUpdates(value: JsonValue): readonly PermissionUpdate[] {
  if (Array.isArray(value) && value.every(isObject)) return value as unknown as readonly PermissionUpdate[];
  throw badRequest('The answer\'s "remember" is not an array of permission updates.', "remember");
}

function wrongAnswer(): never {
  throw badRequest(
    'An answer is not understood. Send { id, decision: "allow" | "deny", reason? }, or { id, value } to a question.',
    "answers",
  );
}
