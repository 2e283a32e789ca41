// An effect whose outcome is unknown is never repeated unasked, whoever plans it and however often.
import { expect, test } from "vitest";
import { type BaseTool, defineTool, type JsonObject, outcomeOf, ToolError, type ToolOptions } from "../../src/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { ALLOW_ALL, scheduling, task } from "./kit.js";

const never = () => new Promise<string>(() => {});

/** The tool `pay`: counts its starts, and does what the test says. */
function payTool(
  execute: () => unknown,
  more: Partial<ToolOptions<JsonObject>> = {},
): { pay: BaseTool; starts: () => number } {
  let starts = 0;
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    permission: "execute",
    timeoutMs: 30,
    execute: async () => {
      starts++;
      return (await execute()) as string;
    },
    ...more,
  });
  return { pay, starts: () => starts };
}

const payment = (id: string, more = {}) => task(id, { tool: { name: "pay", input: {} }, ...more });
const limits = { retryDelayMs: 0, maxReplans: 0 };
const brief = { limits: { abandonMs: 10 } };

test.each([
  ["that timed out", never, {}],
  ["that is marked not replayable", never, { replayable: false, onUnknown: "fail" as const }],
  ["that changes files", never, { permission: "read_write" as const }],
  ["that says so when it throws", () => Promise.reject(lost()), { permission: "read_write" as const }],
  ["that says so when it returns", () => ({ output: "?", details: { outcome: "unknown" } }), {}],
])("a plan does not repeat a call %s, whatever the planner says of it", async (_, execute, more) => {
  for (const replayable of [undefined, true, false]) {
    const { pay, starts } = payTool(execute, more);
    const { scheduler } = scheduling([payment("p", { replayable })], { engine: { ...brief, tools: [pay] }, limits });

    const report = await scheduler.run("Pay").result;

    expect([starts(), report.status]).toEqual([1, "failed"]);
  }
});

function lost(): ToolError {
  return new ToolError("TOOL_FAILED", { message: "The line went dead.", details: { outcome: "unknown" } });
}

test("a plan says of a call that was cut off that its work may be half done", async () => {
  const { pay } = payTool(never);
  const { scheduler } = scheduling([payment("p")], { engine: { ...brief, tools: [pay] }, limits });
  const report = await scheduler.run("Pay").result;
  expect(report.tasks[0]?.reason).toMatch(/may be half done: check before you repeat it/);
});

test.each([{ replayable: true }, { onUnknown: "retry" as const }, { permission: "read_only" as const }])(
  "a call whose tool is %o is tried again, as often as the plan allows",
  async (more) => {
    const { pay, starts } = payTool(never, more);
    const { scheduler } = scheduling([payment("p")], {
      engine: { ...brief, tools: [pay] },
      limits: { ...limits, maxAttempts: 3 },
    });
    expect((await scheduler.run("Pay").result).status).toBe("failed");
    expect(starts()).toBe(3);
  },
);

test("a plan may forbid to repeat what its tool allows", async () => {
  const { pay, starts } = payTool(never, { replayable: true });
  const { scheduler } = scheduling([payment("p", { replayable: false })], {
    engine: { ...brief, tools: [pay] },
    limits,
  });
  await scheduler.run("Pay").result;
  expect(starts()).toBe(1);
});

test("what a later plan or another task asks for again is the same call, and is not made", async () => {
  const { pay, starts } = payTool(never);
  let plans = 0;
  const { scheduler } = scheduling([], {
    engine: { ...brief, tools: [pay] },
    limits: { ...limits, maxReplans: 2, maxParallel: 1 },
    decomposer: (goal) => ({ goal, tasks: [payment(`p${++plans}`), payment(`twin${plans}`)] }),
  });

  const report = await scheduler.run("Pay").result;

  expect([plans, starts(), report.status]).toEqual([3, 1, "failed"]);
});

test("a tool that says ask is repeated after a yes, and after nothing else", async () => {
  for (const [decision, expected] of [
    ["allow", 2],
    ["deny", 1],
  ] as const) {
    let isSlow = true;
    const { pay, starts } = payTool(() => (isSlow ? never() : "paid"), { onUnknown: "ask" });
    const sessions = createMemorySessionStore();
    const { scheduler } = scheduling([payment("p")], { engine: { ...brief, tools: [pay], sessions }, limits });
    const waiting = await scheduler.run("Pay", { sessionId: "plan" }).result;
    expect(waiting).toMatchObject({
      status: "needs-approval",
      pending: [{ tool: "pay", reason: expect.stringContaining("its outcome is not known. Run it again?") }],
    });
    expect(starts()).toBe(1);

    isSlow = false;
    // Another process, which knows only the session.
    const next = scheduling([payment("p")], { engine: { ...brief, tools: [pay], sessions }, limits });
    const answers = waiting.pending.map(({ id }) => ({ id, decision }));
    const report = await next.scheduler.resume("plan", { answers }).result;

    expect([report.status, starts()]).toEqual([decision === "allow" ? "done" : "failed", expected]);
  }
});

test.each([
  ["nothing of it is known", undefined, undefined, 1],
  ["the plan says that it may", undefined, true, 3],
  ["the tool says that it must not", false, true, 1],
  ["the tool says that it may", true, undefined, 3],
])("a tool with the permission execute that threw is tried again: %s", async (_, replayable, planned, expected) => {
  const { pay, starts } = payTool(() => Promise.reject(new Error("No money.")), { replayable });
  const { scheduler } = scheduling([payment("p", { replayable: planned })], {
    engine: { ...brief, tools: [pay] },
    limits,
  });
  await scheduler.run("Pay").result;
  expect(starts()).toBe(expected);
});

test("a payment that its check does not accept is not made again", async () => {
  const { pay, starts } = payTool(() => "paid", { replayable: false });
  const { scheduler } = scheduling([payment("p")], {
    engine: { ...brief, tools: [pay] },
    limits,
    predicates: { any: () => false },
  });
  await scheduler.run("Pay").result;
  expect(starts()).toBe(1);
});

test("a host that calls by itself reads how a call ended from its result", async () => {
  const { pay } = payTool(never);
  const { engine } = scheduling([], { engine: { ...brief, tools: [pay], permissions: ALLOW_ALL } });
  const ended = await engine.execute({ id: "1", name: "pay", arguments: {} });
  const unknownTool = await engine.execute({ id: "2", name: "pray", arguments: {} });
  expect([ended.outcome, unknownTool.outcome].map(String)).toEqual(["unknown", "not-started"]);
  expect(outcomeOf({ status: "aborted" })).toBe("unknown"); // As versions without `outcome` have recorded it.
  expect(outcomeOf({ status: "failure" })).toBe("done");
});

test.each([
  [undefined, "unknown", 0],
  ["fail", "unknown", 0],
  ["retry", "success", 1],
  ["ask", "denied", 0],
] as const)(
  "engine.execute() asks the tool about a call that may have run: %s",
  async (onUnknown, status, expected) => {
    const { pay, starts } = payTool(() => "paid", { onUnknown });
    const { engine } = scheduling([], { engine: { ...brief, tools: [pay] } });
    const result = await engine.execute({ id: "1", name: "pay", arguments: {} }, { mayHaveRun: true });
    expect([result.status, starts()]).toEqual([status, expected]);
  },
);
