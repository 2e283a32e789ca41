// Questions of tools to the user: as calls of the common tool `askUserQuestions`, and what comes back as an answer.
import type { Answer, PendingRequest } from "../contracts/approval.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import { type Fields, fieldsOf, isObject } from "../json/is-object.js";

/** One thing that the user is to say. */
interface Asked {
  /** The property of the form, or the only question. */
  readonly id: string;
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly value: JsonValue }[];
  readonly isFree: boolean;
  readonly takesMany: boolean;
  readonly type?: JsonValue | undefined;
}

const ONLY = "answer";
const OPENED = { label: "I have opened it", value: {} };

/** A choice of `ask_user`, an address to open, or the values of an MCP server's form. */
function askedBy({ kind, reason: question, input }: PendingRequest): readonly Asked[] {
  const { options, free_text: isFree = true, mode, properties } = fieldsOf(input);
  const single = { id: ONLY, question, takesMany: false };
  if (kind !== "elicitation") {
    const labels = Array.isArray(options) ? options.map(String) : [];
    const choices = labels.map((label) => ({ label, value: label }));
    return [{ ...single, options: choices, isFree: labels.length === 0 || isFree === true }];
  }
  const fields = mode === "url" ? [] : Object.entries(fieldsOf(properties));
  if (fields.length === 0) return [{ ...single, options: [OPENED], isFree: false }];
  return fields.map(([id, property]) => fieldOf(id, question, fieldsOf(property)));
}

function fieldOf(id: string, reason: string, { type, title, description, items, ...rest }: Fields): Asked {
  const label = [title ?? id, description].filter((each) => typeof each === "string").join(": ");
  const takesMany = type === "array";
  const options = choicesOf(takesMany ? fieldsOf(items) : { type, ...rest });
  const question = `${reason}\n${label}`;
  return { id, question, options, isFree: options.length === 0, takesMany, type: type as JsonValue };
}

function choicesOf({ type, enum: values, oneOf, anyOf }: Fields): Asked["options"] {
  if (type === "boolean") return [true, false].map((value) => ({ label: value ? "Yes" : "No", value }));
  if (Array.isArray(values)) return values.map((value) => ({ label: String(value), value }));
  const named = [oneOf, anyOf].find((each): each is JsonValue[] => Array.isArray(each)) ?? [];
  return named
    .map(fieldsOf)
    .map(({ const: value, title }) => ({ label: String(title ?? value), value: value as JsonValue }));
}

/** The arguments of the call that puts a question. */
export function questionInput(request: PendingRequest): JsonObject {
  const questions = askedBy(request).map(({ id, question, options, isFree, takesMany }) => ({
    id,
    question,
    ...(options.length > 0 && { options: options.map(({ label }) => ({ id: label, label })) }),
    ...(takesMany && { allowMultiple: true }),
    allowFreeForm: isFree,
  }));
  return { allowPartialAnswers: request.kind === "elicitation", questions };
}

/** The user's answer, from the output of that call: free text goes before a choice. */
export function answerOfOutput(request: PendingRequest, { output }: { readonly output: unknown }): Answer {
  const { id, kind } = request;
  if (!isObject(output)) return { id, value: output as JsonValue };
  const { action, answers } = output;
  const isForm = kind === "elicitation";
  // A server is told that nobody has answered, which is not a no.
  if (isForm && action === "cancelled") return { id, value: null };
  if (action === "declined" || action === "cancelled") {
    return { id, decision: "deny", reason: `The user has ${action} the question` };
  }
  const asked = askedBy(request);
  const said = asked.flatMap((one) => {
    const value = saidTo(one, fieldsOf(fieldsOf(answers)[one.id]));
    return value === undefined ? [] : [[one.id, value] as const];
  });
  if (isForm && asked[0]!.options[0] !== OPENED) return { id, value: Object.fromEntries(said) };
  return { id, value: said[0]?.[1] ?? (isForm ? null : []) };
}

function saidTo({ options, takesMany, type }: Asked, { optionIds, freeform }: Fields): JsonValue | undefined {
  if (typeof freeform === "string" && freeform !== "") {
    const isNumber =
      (type === "number" || type === "integer") && freeform.trim() !== "" && !Number.isNaN(Number(freeform));
    return isNumber ? Number(freeform) : freeform;
  }
  const ids = Array.isArray(optionIds) ? optionIds : [];
  const chosen = ids.map((id) => options.find(({ label }) => label === id)?.value ?? (id as JsonValue));
  if (takesMany || chosen.length > 1) return chosen;
  return chosen[0];
}
