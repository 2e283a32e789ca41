// Shows: an agent that keeps a plan and asks a question; a second engine on the same sessions gets the answer.
// Run:   npx tsx examples/14-questions-and-plans.ts
// Expect: the plan as it changes, the question with its options, and the answer in the model's hands.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine } from "loopwright";
import { scripted, type Turn, text, toolCall } from "loopwright/providers/scripted";
import { createFileSessionStore } from "loopwright/sessions";
import { createAskUserTool, createTodoWriteTool, type Todo } from "loopwright/tools";

const dir = mkdtempSync(join(tmpdir(), "loopwright-example-"));
const shown: string[] = [];

/** What every process of this app would make: the same tools, the same directory of sessions. */
function agent(turns: Turn[]): AgentEngine {
  const engine = new AgentEngine({
    provider: scripted(turns),
    tools: [createTodoWriteTool(), createAskUserTool()],
    sessions: createFileSessionStore({ dir }),
  });
  // The plan comes as progress of its call, as soon as it changes.
  engine.on("tool-progress", ({ update }) => {
    const { todos } = update as unknown as { todos: Todo[] };
    shown.push(
      todos.map(({ status, activeForm, content }) => (status === "in_progress" ? activeForm : content)).join(" → "),
    );
  });
  return engine;
}

const plan = (asking: Todo["status"], writing: Todo["status"]) =>
  toolCall("todo_write", {
    todos: [
      { content: "Ask for the format", status: asking, activeForm: "Asking for the format" },
      { content: "Write the report", status: writing, activeForm: "Writing the report" },
    ],
  });

// Nobody answers here, so the run ends with the question, which is kept in the session.
const first = agent([
  plan("in_progress", "pending"),
  toolCall("ask_user", { question: "Which format?", options: ["PDF", "HTML"] }),
]);
const { status, pending } = await first.run("Write the report.", { sessionId: "report" });
await first.close();

// Later, or elsewhere: show the question, take the answer.
const [question] = pending;
const { options } = question!.input as { options: string[] };
let format: unknown;
const second = agent([
  ({ lastToolResult }) => {
    format = lastToolResult?.output; // What the model reads: the answer.
    return plan("completed", "in_progress");
  },
  text("The report is written."),
]);
const answers = [{ id: question!.id, value: options[1]! }];
const result = await second.resume("report", { answers }).result;
await second.close();
rmSync(dir, { recursive: true });

console.log([...shown, `${question!.reason} ${options.join(" or ")}?`, result.text].join("\n"));
assert.equal(status, "needs-approval");
assert.deepEqual(shown, ["Asking for the format → Write the report", "Ask for the format → Writing the report"]);
assert.equal(format, "HTML");
assert.equal(result.text, "The report is written.");
