import { expect, test } from "vitest";
import type { ToolContext } from "../../src/contracts/tool.js";
import type { ToolResult } from "../../src/contracts/tool-call.js";
import { ToolRegistry } from "../../src/engine/tools/tool-registry.js";
import { AgentEngine } from "../../src/index.js";
import { createMemoryTaskStore, createTaskTools, type TaskToolsOptions } from "../../src/tasks/index.js";
import {
  type FakeToolContext,
  fakeRuntime,
  fakeToolContext,
  scripted,
  text,
  toolCall,
  toolContract,
} from "../../src/testing/index.js";

function tools(options?: TaskToolsOptions) {
  const runtime = fakeRuntime();
  const store = createMemoryTaskStore({ runtime });
  const registry = new ToolRegistry();
  for (const tool of createTaskTools(store, options)) registry.register(tool);
  const call = (name: string, args: object, context: ToolContext = agent("main")): Promise<ToolResult> =>
    registry.execute({ id: "c", name: `task_${name}`, arguments: args as never }, context);
  return { store, registry, call, runtime };
}

function agent(transcriptId: string, agentPath: string[] = []): FakeToolContext {
  return fakeToolContext({ sessionId: "s", transcriptId, agentPath });
}

test("an agent makes, claims and completes a task, and hooks hear of it", async () => {
  const { call, store } = tools();
  const context = agent("main");

  const made = await call("create", { subject: "Fix the parser", description: "It drops commas." }, context);
  const claimed = await call("claim", {}, context);
  const done = await call("update", { id: 1, status: "completed", result: "Fixed in parse.ts." }, context);
  const idle = await call("claim", {}, context);

  expect([made.output, done.output]).toEqual(["Created task 1: Fix the parser", "Task 1 is completed: Fix the parser"]);
  expect(claimed.output).toBe(
    "You hold this task now.\n\nTask 1: Fix the parser\nStatus: in_progress, by main\n\nIt drops commas.",
  );
  expect(idle).toMatchObject({ isError: false, output: expect.stringContaining("no tasks are open") });
  expect(await store.get("1")).toMatchObject({ status: "completed", owner: "main", result: "Fixed in parse.ts." });
  const about = { taskId: "1", taskSubject: "Fix the parser", taskDescription: "It drops commas." };
  const member = { teammateName: "main", teamName: "s" };
  expect(context.notices).toEqual([
    { point: "TaskCreated", payload: { ...about, teamName: "s" } },
    { point: "TaskCompleted", payload: { ...about, ...member } },
    { point: "TeammateIdle", payload: member },
  ]);
});

test("a list shows who works on what and what waits for what", async () => {
  const { call, store } = tools();
  await call("create", { subject: "first" });
  await call("create", { subject: "second\n line", blocked_by: [1] });
  await call("create", { subject: "third", blocked_by: ["1", "2"] });
  await store.update("1", { status: "completed" });
  await call("claim", {}, agent("sub-1"));

  expect((await call("list", {})).output).toBe(
    "3 of 3 tasks (in all: 1 completed, 1 in_progress, 1 pending):\n" +
      "1 [completed] first\n2 [in_progress, by sub-1] second line\n3 [pending] third (waits for 2)",
  );
  expect((await call("list", { mine: true }, agent("sub-1"))).output).toMatch(/^1 of 3 .*\n2 \[in_progress/);
  expect((await call("list", { status: "failed" })).output).toMatch(/^0 of 3 tasks .*\.$/);
});

test("another agent's task can neither be changed nor claimed, and a blocked one not be ended", async () => {
  const { call } = tools();
  await call("create", { subject: "first" });
  await call("create", { subject: "second", blocked_by: ["1"] });
  await call("claim", {}, agent("other"));

  const refused = [
    await call("update", { id: "1", status: "completed" }),
    await call("claim", { id: "1" }),
    await call("update", { id: "2", status: "completed" }),
    await call("update", { id: "2", status: "in_progress" }),
    await call("update", { id: "1", blocked_by: ["2"] }, agent("other")),
    await call("get", { id: "9" }),
  ];

  expect(refused.map(({ isError, details }) => isError && Reflect.get(details as object, "code"))).toEqual([
    "TASK_CONFLICT",
    "TASK_CONFLICT",
    "TASK_BLOCKED",
    "TASK_BLOCKED",
    "TASK_CYCLE",
    "TASK_NOT_FOUND",
  ]);
});

test("ending a task that nobody holds claims it first", async () => {
  const { call, store } = tools();
  await call("create", { subject: "a" });

  await call("update", { id: "1", status: "failed", result: "No network." });

  expect(await store.get("1")).toMatchObject({ status: "failed", owner: "main", version: 3 });
});

test("each model call renews the leases of its agent, and one that was lost is reported once", async () => {
  const { call, registry, runtime, store } = tools({ leaseMs: 60_000 });
  const reminder = () => registry.get("task_claim")!.reminder!({ sessionId: "s", transcriptId: "main", turn: 1 });
  await call("create", { subject: "a" });
  await call("claim", {});

  for (let n = 0; n < 3; n++) {
    runtime.advance(50_000);
    expect(reminder()).toBeNull();
    await settled();
  }
  expect(await store.claim({ owner: "thief" })).toBeUndefined();
  runtime.advance(70_000);
  await store.claim({ owner: "thief" });
  expect(reminder()).toBeNull();
  await settled();

  expect(reminder()).toMatch(/^You no longer hold task 1:/);
  expect(reminder()).toBeNull();
});

test("what an agent holds when its session ends is given back, also a sub-agent's", async () => {
  const { call, registry, store } = tools();
  for (const subject of ["a", "b", "c"]) await call("create", { subject });
  await call("claim", {}, agent("main"));
  await call("claim", {}, agent("sub-1", ["helper"]));
  await call("claim", {}, fakeToolContext({ sessionId: "t", transcriptId: "t" }));
  const { endSession } = registry.get("task_claim")!;

  await endSession!("sub-1");
  const afterChild = (await store.list()).map(({ status }) => status);
  await endSession!("s");

  expect(afterChild).toEqual(["in_progress", "pending", "in_progress"]);
  expect((await store.list()).map(({ status }) => status)).toEqual(["pending", "pending", "in_progress"]);
});

test("unknown arguments, wrong values and unknown options are refused", async () => {
  const { call, store } = tools();

  for (const args of [{}, { subject: "" }, { subject: "a", blockedBy: ["1"] }, { subject: "x".repeat(501) }]) {
    expect(await call("create", args)).toMatchObject({ isError: true, details: { code: "TOOL_INPUT_INVALID" } });
  }
  expect(await store.list()).toEqual([]);
  expect(() => createTaskTools(store, { ower: "x" } as never)).toThrow(/Did you mean "owner"/);
  expect(() => createTaskTools({} as never)).toThrow(/"store".*create\(\)/);
});

test("a model works off a list through an engine", async () => {
  const store = createMemoryTaskStore();
  await store.create({ subject: "a" });
  const heard: string[] = [];
  const provider = scripted([
    toolCall("task_claim", {}),
    toolCall("task_update", { id: "1", status: "completed", result: "ok" }),
    text("All done."),
  ]);
  const engine = new AgentEngine({
    provider,
    tools: createTaskTools(store, { owner: "me" }),
    hooks: { TaskCompleted: [{ run: ({ taskSubject }) => void heard.push(taskSubject) }] },
  });

  const result = await engine.run("Work off the list.");
  await engine.close();

  expect([result.text, heard, (await store.get("1"))?.owner]).toEqual(["All done.", ["a"], "me"]);
  provider.assertExhausted();
});

const VALID = { create: { subject: "a" }, get: { id: "1" }, list: {}, update: { id: "1", subject: "b" }, claim: {} };
for (const [name, valid] of Object.entries(VALID)) {
  const makeTool = async () => {
    const { store, registry } = tools();
    await store.create({ subject: "a" });
    return registry.get(`task_${name}`)!;
  };
  for (const c of toolContract(makeTool, { valid: [valid], invalid: [{ nonsense: 1 }] })) {
    test(`task_${name}: ${c.name}`, c.run);
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
