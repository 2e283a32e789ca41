import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/index.js";
import { text, toolCall } from "../../../src/providers/scripted/index.js";
import { createTodoWriteTool } from "../../../src/tools/plan/todo-write.js";
import { played, testEngine, tool } from "../../engine/kit.js";
import { callTool } from "../call-tool.js";

const PLAN: JsonValue[] = [
  { content: "Read the code", status: "completed" },
  { content: "Write the test", status: "in_progress", activeForm: "Writing the test" },
  { content: "Mend it", status: "pending" },
];
const REMINDER = /^The plan was not updated for 3 turns and has open items:\n- Write the test \(in_progress\)\n/;

/** After how many model calls the tool reminded, in an agent with these ids. */
function remindersIn(plan: ReturnType<typeof createTodoWriteTool>, calls: number, transcriptId = "s"): number[] {
  const turns = Array.from({ length: calls }, (_, index) => index + 1);
  return turns.filter((turn) => plan.reminder!({ sessionId: "s", transcriptId, turn }) !== null);
}

test("the plan is answered as a list, and reported as progress", async () => {
  const { engine, provider } = testEngine([toolCall("todo_write", { todos: PLAN }), text("ok")], {
    tools: [createTodoWriteTool()],
  });

  const { events } = await played(engine.stream("go"));

  expect(provider.requests[1]?.lastToolResult?.output).toBe(
    "The plan: 1 of 3 completed.\n[x] Read the code\n[>] Write the test\n[ ] Mend it",
  );
  expect(events.filter(({ type }) => type === "tool-progress")).toMatchObject([{ update: { todos: PLAN } }]);
  expect(events.filter(({ type }) => type === "tool-call-end")).toMatchObject([
    { result: { details: { todos: PLAN } } },
  ]);
});

test("three turns without an update bring one reminder, and an update begins again", async () => {
  const other = tool("look", async (_input, { turn }) => `seen ${turn}`);
  const looks = (count: number) => Array.from({ length: count }, (_, index) => toolCall("look", { at: index }));
  const plan = toolCall("todo_write", { todos: PLAN });
  const { engine, provider } = testEngine([plan, ...looks(7), plan, ...looks(4), text("done")], {
    tools: [createTodoWriteTool(), other],
  });

  const result = await engine.run("go");

  const told = provider.requests
    .map(({ messages }) => messages.at(-1))
    .flatMap((message, index) => {
      const part = message?.role === "user" ? message.content[0] : undefined;
      return message?.role === "user" && message.origin === "reminder" && part?.type === "text"
        ? [[index + 1, part.text]]
        : [];
    });
  expect(told).toEqual([
    [5, expect.stringMatching(REMINDER)],
    [13, expect.stringMatching(REMINDER)],
  ]);
  expect(result.status).toBe("completed");
});

test("a plan without open items is not reminded of", async () => {
  const plan = createTodoWriteTool();
  await callTool(plan, { todos: PLAN }, { sessionId: "s" });

  await callTool(plan, { todos: [{ content: "Read the code", status: "completed" }] }, { sessionId: "s" });

  expect(remindersIn(plan, 10)).toEqual([]);
});

test("each agent has a plan of its own, and it ends with the session", async () => {
  const plan = createTodoWriteTool();
  await callTool(plan, { todos: PLAN }, { sessionId: "s", transcriptId: "child" });
  expect(remindersIn(plan, 10, "s")).toEqual([]);
  expect(remindersIn(plan, 10, "child")).toEqual([4]);

  await callTool(plan, { todos: PLAN }, { sessionId: "s", transcriptId: "child" });
  await plan.endSession?.("s");

  expect(remindersIn(plan, 10, "child")).toEqual([]);
});

test("an empty plan and one with several items under way say so", async () => {
  const plan = createTodoWriteTool();
  const busy = { content: "x", status: "in_progress" };

  expect((await callTool(plan, { todos: [] })).text).toBe("The plan is empty.");
  expect((await callTool(plan, { todos: [busy, busy] })).text).toMatch(
    /2 items are in_progress; work on one at a time\.$/,
  );
});

test.each([
  ["no list", { todos: "Read the code" }],
  ["an unknown status", { todos: [{ content: "x", status: "done" }] }],
  ["an item without text", { todos: [{ content: "  ", status: "pending" }] }],
  ["an item that is too long", { todos: [{ content: "x".repeat(501), status: "pending" }] }],
  ["too many items", { todos: Array.from({ length: 101 }, () => ({ content: "x", status: "pending" })) }],
])("%s is refused", async (_what, args) => {
  await expect(callTool(createTodoWriteTool(), args)).rejects.toMatchObject({ code: "TOOL_INPUT_INVALID" });
});
