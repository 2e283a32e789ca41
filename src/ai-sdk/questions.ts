// Questions of tools to the user: as calls of the common tool `askUserQuestions`, and what comes back as an answer.
import type { Answer, PendingRequest } from "../contracts/approval.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import { isObject } from "../json/is-object.js";

const QUESTION = "answer";

/** The arguments of the call that puts a question. A list of choices is taken from `ask_user`. */
export function questionInput({ reason, input }: PendingRequest): JsonObject {
  const { options, free_text: allowFreeForm = true } = Object(input) as Record<string, JsonValue | undefined>;
  const labels = Array.isArray(options) ? options.map(String) : [];
  const question = {
    id: QUESTION,
    question: reason,
    ...(labels.length > 0 && { options: labels.map((label) => ({ id: label, label })) }),
    allowFreeForm: labels.length === 0 || allowFreeForm === true,
  };
  return { allowPartialAnswers: false, questions: [question] };
}

/** What the user has said, from the output of that call: what is written freely goes before a choice. */
export function answerOfOutput(id: string, { output }: { readonly output: unknown }): Answer {
  if (!isObject(output)) return { id, value: output as JsonValue };
  const { action, answers } = output;
  if (action === "declined" || action === "cancelled") {
    return { id, decision: "deny", reason: `The user has ${action} the question` };
  }
  const given = Object(Object(answers)[QUESTION]) as { readonly optionIds?: JsonValue; readonly freeform?: JsonValue };
  const chosen = Array.isArray(given.optionIds) ? given.optionIds : [];
  if (given.freeform !== undefined && given.freeform !== "") return { id, value: given.freeform };
  return { id, value: chosen.length === 1 ? chosen[0]! : chosen };
}
