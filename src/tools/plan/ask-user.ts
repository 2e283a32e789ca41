import type { Answer } from "../../contracts/approval.js";
import { ToolError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { BaseTool } from "../../contracts/tool.js";
import { flag, type InputOf, list, object, optional, string } from "../../schema/fields.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";

const askUserInput = object({
  question: string("One question, clear by itself.", {
    trim: true,
    minLength: 1,
    maxLength: 4_000,
  }),
  options: optional(
    list(
      string(undefined, { trim: true, minLength: 1, maxLength: 500 }),
      "Answers to choose from, the one you recommend first.",
      { minItems: 1, maxItems: 20 },
    ),
  ),
  free_text: flag("false: the answer must be one of the options.", { default: true }),
});

const description = `Asks the user a question and waits for the answer: for what you cannot find out yourself and what changes the
work. Not for permission: tools that need it ask themselves.`;

/**
 * The tool `ask_user`: suspends its call until the host has answered, in this process or in another.
 *
 * The pending request has kind `question`; its `input` is the call's, with `question`, `options` and `free_text`, and
 * its `reason` the question. Answer with `{ value }`: text goes to the model as it is, a list as its lines, anything else as JSON. A
 * denial, and an answer without a value, is an error result that says so.
 */
export function createAskUserTool(): BaseTool<InputOf<typeof askUserInput>> {
  return defineBuiltinTool({
    name: "ask_user",
    description,
    input: askUserInput,
    permission: "none",
    returns: { integrity: "trusted", sources: [{ kind: "user", name: "answer" }] },
    describe: ({ question = "Ask the user" }) => ({ title: question, kind: "other" }),
    timeoutMs: null,
    // A question that a crash may have cut off can be put again.
    onUnknown: "retry",
    async execute({ question, options, free_text }, context) {
      if (!context.resumed) return context.suspend({ kind: "question", reason: question });
      const answer = textOf(givenBy(context.resumed.answer));
      const isKnown = free_text || options === undefined || options.includes(answer);
      return isKnown
        ? answer
        : `${answer}\n\n[This is not one of the options. Ask again if it is not clear what to do.]`;
    },
  });
}

/** @throws ToolError `PERMISSION_DENIED` for a refusal, `TOOL_FAILED` for an answer that says nothing */
function givenBy(answer: Answer): JsonValue {
  if ("decision" in answer && answer.decision === "deny") {
    const why = answer.reason ? `: ${answer.reason}` : ".";
    throw new ToolError("PERMISSION_DENIED", {
      message: `The question was not answered${why}\nContinue with what you know, and say what you assumed.`,
    });
  }
  if (!("value" in answer) || isBlank(answer.value)) {
    throw new ToolError("TOOL_FAILED", {
      message: "The question was answered without a value. Continue with what you know, and say what you assumed.",
    });
  }
  return answer.value;
}

function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.every(isBlank);
  return typeof value === "string" && value.trim() === "";
}

function textOf(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  return JSON.stringify(value);
}
