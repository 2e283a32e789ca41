// A plan that lies: whatever a planner returns is a valid plan, or comes back with sentences that say what is wrong.
import fc from "fast-check";
import { expect, test } from "vitest";
import { isHarnessError } from "../../../src/index.js";
import { scripted, text } from "../../../src/providers/scripted/index.js";
import type { Criterion, PlannedTask } from "../../../src/scheduler/index.js";
import { planSchema } from "../../../src/scheduler/plan/plan.js";
import { readPlan } from "../../../src/scheduler/plan/read-plan.js";
import { runs } from "../../runs.js";
import { textsOf } from "../../subagents/kit.js";
import { act, actTool, followed, scheduling, task } from "../kit.js";

const act1 = actTool(() => "");
const RULES = {
  goal: "goal",
  maxTasks: 5,
  tools: { get: (name: string) => (name === "act" ? act1 : undefined), list: () => [act1] },
  subagents: ["worker"],
  predicates: ["any"],
  criteria: ["command", "file", "predicate", "judge"] as Criterion["kind"][],
  done: new Map<string, PlannedTask>(),
  failed: new Map<string, PlannedTask>(),
};

const issuesOf = async (tasks: unknown, rules = {}) => (await readPlan({ tasks }, { ...RULES, ...rules })).issues;
const raw = (more: object) => ({ ...act("a"), ...more });

test("each way in which a plan can be wrong is one sentence that names the task", async () => {
  const cases: [unknown, RegExp][] = [
    [[act("a", ["b"]), act("b", ["c"]), act("c", ["a"])], /cycle: a → b → c → a/],
    [[act("a", ["a"])], /cycle: a → a/],
    [[raw({ tool: { name: "atc", input: {} } })], /"a" uses the unknown tool "atc". Did you mean "act"/],
    [[raw({ tool: undefined, subagent: "wroker" })], /"a" is for the unknown sub-agent "wroker"; there are worker/],
    [[raw({ subagent: "worker" })], /both a tool and a sub-agent/],
    [[raw({ criterion: undefined })], /"a" has no criterion/],
    [[raw({ criterion: { kind: "hope" } })], /criterion of the kind string "hope"/],
    [[raw({ criterion: { kind: "file" } })], /needs "path"/],
    [[raw({ criterion: { kind: "command", command: " " } })], /empty "command"/],
    [[raw({ criterion: { kind: "predicate", name: "anny" } })], /unknown predicate "anny"; there are any/],
    [[raw({ criterion: { kind: "command", command: "echo {{tasks.b.output}}" } })], /criteria cannot/],
    [[act("a", ["nobody"])], /depends on "nobody", which is not a task/],
    [[act("a"), act("a")], /two tasks with the id "a"/],
    [[raw({ id: "a b" })], /needs an "id"/],
    [[raw({ tool: { name: "act", input: { id: "{{tasks.b.output}}" } } })], /output of "b", which is not a task/],
    [[act("b"), raw({ tool: { name: "act", input: { id: "{{tasks.b.output}}" } } })], /Add it to dependsOn/],
    [
      [act("b"), raw({ dependsOn: ["b"], tool: { name: "act", input: { id: "{{tasks.b.result}}" } } })],
      /Write {{tasks.ID/,
    ],
    [[raw({ tool: { name: "act", input: { text: "x" } } })], /input that "act" refuses/],
    [[raw({ dependson: ["b"] })], /unknown field "dependson". Did you mean "dependsOn"/],
    [Array.from({ length: 6 }, (_, index) => act(`t${index}`)), /has 6 tasks; at most 5/],
    [[], /has no tasks/],
    ["none", /needs "tasks", an array/],
    [[null], /tasks\[0\] is null/],
  ];
  for (const [tasks, issue] of cases) expect((await issuesOf(tasks)).join("\n")).toMatch(issue);
});

test("a plan may have as many tasks as the host allows, and its size is bounded by that", async () => {
  const tasks = Array.from({ length: 10_000 }, (_, at) => act(`t${at}`, at === 0 ? [] : [`t${at - 1}`]));
  expect(await issuesOf(tasks, { maxTasks: tasks.length })).toEqual([]);
  const huge = [raw({ instructions: Array.from({ length: 200_000 }, () => 1) })];
  expect((await issuesOf(huge)).join("\n")).toMatch(/more than 100500 values/);
});

test("what is done stays as it is, and what has failed is not planned again unchanged", async () => {
  const done = new Map([["a", act("a")]]);
  const failed = new Map([["b", act("b", ["a"])]]);

  const kept = await readPlan({ tasks: [raw({ title: "else" }), act("c", ["a"])] }, { ...RULES, done, failed });

  expect(kept.plan?.tasks).toEqual([act("a"), act("c", ["a"])]);
  expect(await issuesOf([act("c", ["a"])], { done, failed })).toEqual([]);
  expect(await issuesOf([act("b", ["a"])], { done, failed })).toEqual([
    expect.stringContaining("planned again unchanged"),
  ]);
  expect(await issuesOf([act("a")], { done, failed })).toEqual([expect.stringContaining("done already")]);
});

test("a valid plan is taken with null for what it leaves out, as models in strict mode write it", async () => {
  const criterion = { kind: "predicate", name: "any", command: null, path: null };
  const tasks = [{ ...task("a"), tool: null, subagent: null, replayable: null, criterion }];

  const { plan } = await readPlan({ goal: null, tasks }, RULES);

  expect(plan).toEqual({ goal: "goal", tasks: [{ ...task("a"), criterion: { kind: "predicate", name: "any" } }] });
});

test("whatever a planner returns, reading it ends with a plan or with issues, and never both or neither", async () => {
  const criterion = fc.oneof(
    fc.constant({ kind: "predicate", name: "any" }),
    fc.object({ maxDepth: 1 }),
    fc.anything(),
  );
  const id = fc.constantFrom("a", "b", "c", "d");
  const planned = fc.record({ id, dependsOn: fc.array(id, { maxLength: 2 }), criterion }, { requiredKeys: [] });
  const lie = fc.oneof(fc.array(planned, { maxLength: 6 }), fc.anything());
  await fc.assert(
    fc.asyncProperty(lie, async (tasks) => {
      const { plan, issues } = await readPlan({ tasks }, RULES);
      expect(plan === null).toBe(issues.length > 0);
      const ids = new Set(plan?.tasks.map((one) => one.id));
      for (const one of plan?.tasks ?? []) for (const before of one.dependsOn) expect(ids.has(before)).toBe(true);
    }),
    { numRuns: runs(100, 1_000, 20_000) },
  );
});

test("a model's invalid plan goes back to it with the issues, and the next one counts", async () => {
  const lies = { tasks: [act("a", ["b"]), act("b", ["a"])] };
  const plan = { tasks: [act("a"), act("b", ["a"])] };
  const provider = scripted([text(JSON.stringify(lies)), text("no JSON at all"), text(JSON.stringify(plan))]);
  const { scheduler } = scheduling([], { engine: { provider, tools: [actTool((id) => id)] }, decomposer: undefined });

  const { events, report } = await followed(scheduler.run("goal"));

  expect(report).toMatchObject({ status: "done", usage: { inputTokens: 30 } });
  expect(events.flatMap((event) => (event.type === "plan-refused" ? event.issues : []))).toEqual([
    "Tasks wait for each other in a cycle: a → b → a.",
  ]);
  expect(textsOf(provider.requests[1] as never).join("\n")).toContain("in a cycle: a → b → a");
  expect(provider.requests[0]?.output).toEqual(planSchema(["predicate", "judge"]));
});

test("a planner that keeps lying is given up after three plans, as PLAN_INVALID with the issues", async () => {
  const lies = text(JSON.stringify({ tasks: [raw({ criterion: null })] }));
  const provider = scripted([lies, lies, lies]);
  const { scheduler } = scheduling([], { engine: { provider, tools: [act1] }, decomposer: undefined });
  let asked = 0;
  const issues: (readonly string[])[] = [];
  const byHost = scheduling([], {
    decomposer: (goal, request) => {
      issues.push(request.issues);
      return { goal, tasks: [act(`x${++asked}`)] };
    },
  });

  const report = await scheduler.run("goal").result;
  const hosts = await byHost.scheduler.run("goal").result;

  expect(report).toMatchObject({ status: "failed", tasks: [], error: { code: "PLAN_INVALID" } });
  expect(isHarnessError(report.error) && report.error.message).toContain('Task "a" has no criterion');
  expect(hosts).toMatchObject({ status: "failed", error: { code: "PLAN_INVALID" } });
  expect(asked).toBe(3);
  expect(issues.map((one) => one.length)).toEqual([0, 1, 1]);
});

test("a planner that never answers with JSON is told so in the error, and what it used counts", async () => {
  const provider = scripted([text("Let me think."), text("Let me think."), text("Let me think.")]);
  const { scheduler } = scheduling([], { engine: { provider, prices: () => 0.5 }, decomposer: undefined });

  const report = await scheduler.run("goal").result;

  expect(report).toMatchObject({ status: "failed", usage: { inputTokens: 30, outputTokens: 15 }, costUsd: 1.5 });
  expect(report.error).toMatchObject({ code: "PLAN_INVALID", message: expect.stringContaining("It is not JSON.") });
});

test("a planner that fails, or is not there, ends the run as failed", async () => {
  const throwing = scheduling([], {
    decomposer: () => {
      throw new Error("no idea");
    },
  });
  const silent = scheduling([], { engine: { retry: false }, decomposer: undefined });

  expect(await throwing.scheduler.run("goal").result).toMatchObject({
    status: "failed",
    error: { code: "PLAN_INVALID", message: "There is no plan: no idea" },
  });
  expect(await silent.scheduler.run("goal").result).toMatchObject({
    status: "failed",
    error: { code: "PLAN_INVALID" },
  });
});

test("a planner may read but not act, and cannot start agents", async () => {
  const read = actTool(() => "", { name: "look", permission: "read_only" });
  const spawning = actTool(() => "", { name: "task", permission: "none", spawns: { maxDepth: 1 } });
  const provider = scripted([text(JSON.stringify({ tasks: [act("a")] }))]);
  const { scheduler } = scheduling([], { engine: { provider, tools: [act1, read, spawning] }, decomposer: undefined });

  await scheduler.run("goal").result;

  expect(provider.requests[0]?.tools.map(({ name }) => name)).toEqual(["look"]);
});
