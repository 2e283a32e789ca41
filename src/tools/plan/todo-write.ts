import type { BaseTool } from "../../contracts/tool.js";
import { OWN_WORDS } from "../../labels/join-labels.js";
import { choice, type InputOf, list, object, optional, string } from "../../schema/fields.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";
import { OpenPlans, type Todo } from "./todo-state.js";

const MAX_TODOS = 100;
const MAX_CHARS = 500;

const LIMITS = { trim: true, minLength: 1, maxLength: MAX_CHARS };
const todo = object({
  content: string("What to do, such as: Run the tests.", LIMITS),
  status: choice(["pending", "in_progress", "completed"]),
  activeForm: optional(string("What to show while it is in progress, such as: Running the tests.", LIMITS)),
});
const todoWriteInput = object({
  todos: list(todo, "The whole plan, in order. It replaces the one before.", { maxItems: MAX_TODOS }),
});

const description = `Records the plan for work of three steps or more. Send the whole list each time. Keep one item in_progress, and
mark an item completed as soon as it is done, not before.`;

const MARKS = { pending: "[ ]", in_progress: "[>]", completed: "[x]" } as const;

/**
 * The tool `todo_write`: an agent's plan.
 *
 * Each call replaces the plan, reports it as progress, `{ todos }`, and answers with it; `details` holds `todos`, too. An
 * agent that leaves open items for three turns is reminded once. The tool keeps no more than what the reminder needs, in
 * memory: after a restart the plan is in the transcript, and reminders begin with the next update.
 */
export function createTodoWriteTool(): BaseTool<InputOf<typeof todoWriteInput>> {
  const plans = new OpenPlans();

  return defineBuiltinTool({
    name: "todo_write",
    description,
    input: todoWriteInput,
    permission: "none",
    returns: OWN_WORDS,
    describe: () => ({ title: "Update the plan", kind: "think" }),
    // Two updates in one message take effect in the order they were written.
    claims: () => [{ mode: "write", key: "todo_write" }],
    onUnknown: "retry",
    async execute({ todos }, context) {
      plans.update(context, todos);
      context.progress({ todos });
      return { output: shown(todos), details: { todos } };
    },
    reminder: ({ transcriptId }) => plans.reminder(transcriptId),
    async endSession(sessionId) {
      plans.endSession(sessionId);
    },
  });
}

function shown(todos: readonly Todo[]): string {
  if (todos.length === 0) return "The plan is empty.";
  const done = todos.filter(({ status }) => status === "completed").length;
  const active = todos.filter(({ status }) => status === "in_progress").length;
  const lines = todos.map(({ status, content }) => `${MARKS[status]} ${content}`);
  const hint = done < todos.length && active !== 1 ? [`${active} items are in_progress; work on one at a time.`] : [];
  return [`The plan: ${done} of ${todos.length} completed.`, ...lines, ...hint].join("\n");
}
