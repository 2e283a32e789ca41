import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { AgentEngine } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createScheduler } from "../../src/scheduler/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { defineSubagent } from "../../src/subagents/index.js";
import { processorMs } from "../processor-time.js";
import { textsOf } from "../subagents/kit.js";
import { ALLOW_ALL, act, actTool, followed, lifeOf, scheduling, statesOf, task } from "./kit.js";

test("what is ready runs side by side up to the limit, and nothing runs before what it depends on", async () => {
  const order: string[] = [];
  let most = 0;
  let running = 0;
  const tool = actTool(async (id) => {
    most = Math.max(most, ++running);
    order.push(id);
    await nextTick();
    running--;
    return id;
  });
  const ids = ["a", "b", "c", "d", "e"];
  const tasks = [...ids.map((id) => act(id)), act("last", ids), act("after", ["last"])];
  const { scheduler } = scheduling(tasks, { engine: { tools: [tool] }, limits: { maxParallel: 3 } });

  const report = await scheduler.run("goal").result;

  expect(report.status).toBe("done");
  expect(most).toBe(3);
  expect(order.slice(5)).toEqual(["last", "after"]);
  expect(report.summary).toBe("after");
});

test("an input takes the outputs of earlier tasks, word for word, wherever a string names them", async () => {
  const seen: unknown[] = [];
  const tool = actTool((id) => `out of ${id}: {{tasks.b.output}} $&`);
  const echo = actTool(() => "", { name: "echo" });
  const echoing = {
    ...echo,
    parse: (input: unknown) => input,
    execute: (input: unknown) => seen.push(input) && "ok",
  };
  const input = { id: "x", list: ["1 {{tasks.a.output}} 2 {{ tasks.b.output }}"], other: "{{name}}" };
  const tasks = [act("a"), act("b"), task("c", { tool: { name: "echo", input }, dependsOn: ["a", "b"] })];
  const { scheduler } = scheduling(tasks, { engine: { tools: [tool, echoing as never] } });

  const report = await scheduler.run("goal").result;

  expect(report.status).toBe("done");
  expect(seen).toEqual([
    {
      id: "x",
      list: ["1 out of a: {{tasks.b.output}} $& 2 out of b: {{tasks.b.output}} $&"],
      other: "{{name}}",
    },
  ]);
});

test("a fact is on the line that begins it, however much space there is around it", async () => {
  const said = `Fact: one\nFact:\n\nNo fact.${"\n".repeat(150_000)} * Fact:  two`;
  const { scheduler } = scheduling([task("look")], { engine: { provider: scripted([text(said)]) } });
  const before = processorMs();

  const report = await scheduler.run("goal").result;

  expect(report.facts.filter((fact) => !fact.startsWith("the predicate"))).toEqual(["one", "two"]);
  expect(processorMs() - before).toBeLessThan(5_000);
});

test("a task that fails is tried again, an agent with the failure in its prompt, until it is verified", async () => {
  const provider = scripted([text("draft"), text("final. Fact: the sky is blue\n- Fact: it has two sides")]);
  const tasks = [task("write", { criterion: { kind: "predicate", name: "final" } })];
  const { scheduler } = scheduling(tasks, {
    engine: { provider },
    predicates: { final: ({ output }) => output.startsWith("final") },
  });

  const { events, report } = await followed(scheduler.run("Write it"));

  expect(lifeOf("write", events)).toEqual(["running", "verifying", "retrying", "running", "verifying", "done"]);
  expect(report).toMatchObject({ status: "done", usage: { inputTokens: 20, outputTokens: 10 } });
  expect(report.tasks).toMatchObject([{ attempts: 2, facts: ["it has two sides"] }]);
  const prompts = provider.requests.map((request) => textsOf(request as never).join("\n"));
  expect(prompts[0]).not.toContain("earlier attempt");
  expect(prompts[1]).toContain('The predicate "final" does not accept the result.\nThe result was:\ndraft');
});

test("what fails as often as it may is replanned, and what holds is not done again", async () => {
  const ran: string[] = [];
  const tool = actTool((id) => {
    ran.push(id);
    if (id === "bad") throw new Error("no way");
    return id;
  });
  const first = [act("good"), act("bad", ["good"]), act("end", ["bad"])];
  const second = [act("good"), act("better", ["good"]), act("end", ["better"])];
  const plans: unknown[] = [];
  const { scheduler } = scheduling([], {
    engine: { tools: [tool] },
    decomposer: (goal, { earlier }) => {
      plans.push(earlier && [earlier.done.length, earlier.failed[0]?.reason, earlier.skipped.map(({ id }) => id)]);
      return { goal, tasks: earlier ? second : first };
    },
    limits: { maxAttempts: 2 },
  });

  const { events, report } = await followed(scheduler.run("goal"));

  expect(ran).toEqual(["good", "bad", "bad", "better", "end"]);
  expect(plans).toEqual([undefined, [1, '"act" failed: Tool "act" failed: no way', ["end"]]]);
  expect(report).toMatchObject({ status: "done", summary: "end", replans: [{ failed: [{ id: "bad" }] }] });
  expect(report.tasks.map(({ id }) => id)).toEqual(["good", "better", "end"]);
  expect(statesOf(events)).toEqual([
    "loading-skill",
    "decomposing",
    "dispatching",
    "decomposing",
    "dispatching",
    "verifying",
    "merging",
    "done",
  ]);
});

test("a goal that no plan reaches fails after the last replan, with every reason", async () => {
  let plans = 0;
  const tool = actTool((id) => {
    throw new Error(`${id} is impossible`);
  });
  const { scheduler } = scheduling([], {
    engine: { tools: [tool] },
    decomposer: (goal) => ({ goal, tasks: [act(`t${++plans}`)] }),
    limits: { maxAttempts: 1, maxReplans: 2 },
  });

  const { events, report } = await followed(scheduler.run("goal"));

  expect(plans).toBe(3);
  expect(report).toMatchObject({ status: "failed", summary: expect.stringContaining("t3 is impossible") });
  expect(statesOf(events).at(-1)).toBe("failed");
  expect(report.replans.map(({ failed }) => failed[0]!.id)).toEqual(["t1", "t2"]);
});

test("a task that is not replayable is not tried again, and one that is denied neither", async () => {
  const ran: string[] = [];
  const tool = actTool((id) => {
    ran.push(id);
    throw new Error("broken");
  });
  const tasks = [
    act("once", [], { replayable: false }),
    task("denied", { tool: { name: "deny", input: { id: "x" } } }),
  ];
  const { scheduler } = scheduling(tasks, {
    engine: {
      tools: [tool, actTool(() => "", { name: "deny" })],
      permissions: { decide: ({ tool }) => ({ behavior: Object(tool).name === "deny" ? "deny" : "allow" }) },
    },
    limits: { maxReplans: 0 },
  });

  const report = await scheduler.run("goal").result;

  expect(ran).toEqual(["once"]);
  expect(report.tasks).toMatchObject([
    { status: "failed", attempts: 1 },
    { status: "failed", attempts: 1, reason: expect.stringContaining("was not allowed") },
  ]);
});

test("sub-agents do their tasks with their own prompt, and usage and cost add up over all of them", async () => {
  const prices = () => 0.25;
  const provider = scripted([text("one"), text("two")], { loop: true });
  const worker = defineSubagent({ name: "worker", description: "Works.", systemPrompt: "You are a worker." });
  const tasks = [task("a", { subagent: "worker" }), task("b", { subagent: "worker", dependsOn: ["a"] })];
  const { scheduler } = scheduling(tasks, { engine: { provider, prices }, subagents: [worker] });

  const report = await scheduler.run("goal").result;

  expect(report).toMatchObject({ status: "done", costUsd: 0.5, usage: { inputTokens: 20, outputTokens: 10 } });
  expect(provider.requests[0]?.system.map(({ text }) => text)).toEqual(["You are a worker."]);
  expect(textsOf(provider.requests[1] as never).join("\n")).toContain('The result of the task "a"');
});

test("files that an agent and its tools have changed, and facts it has remembered, are in the report", async () => {
  const save = actTool(() => "saved", { name: "save" });
  const saving = { ...save, parse: (input: unknown) => input };
  const remember = {
    ...actTool(() => "kept", { name: "remember", permission: "none" }),
    parse: (input: unknown) => input,
  };
  const provider = scripted([
    [toolCall("save", { path: "src/a.ts" }), toolCall("remember", { text: "tests run with make" })],
    text("Saved."),
  ]);
  const { scheduler } = scheduling([task("save")], { engine: { provider, tools: [saving, remember] as never } });

  const report = await scheduler.run("goal").result;

  expect(report).toMatchObject({ status: "done", files: ["src/a.ts"], facts: ["tests run with make"] });
  expect(report.tasks[0]?.tools).toEqual(["save", "remember"]);
});

test("an abort ends what is at work, and the plan can be resumed", async () => {
  const ran: string[] = [];
  let isFirst = true;
  const tool = actTool(
    (id, signal) => {
      ran.push(id);
      if (id !== "slow" || !isFirst) return id;
      isFirst = false;
      setImmediate(() => run.abort("enough"));
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
    { replayable: true },
  );
  const { scheduler } = scheduling([act("a"), act("slow", ["a"]), act("b", ["slow"])], { engine: { tools: [tool] } });

  const run = scheduler.run("goal");
  const report = await run.result;
  const resumed = await scheduler.resume(run.id).result;

  expect(report).toMatchObject({ status: "aborted", error: { code: "RUN_ABORTED" } });
  expect(report.tasks.map(({ status }) => status)).toEqual(["done", "running", "pending"]);
  expect(resumed).toMatchObject({ status: "done", summary: "b" });
  expect(ran).toEqual(["a", "slow", "slow", "b"]);
});

test("a plan whose engine is closed has not failed: another engine goes on with it", async () => {
  const sessions = createMemorySessionStore();
  const { scheduler, engine } = scheduling([act("a"), act("b", ["a"])], {
    engine: {
      sessions,
      tools: [
        actTool((_, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("cut off")))),
      ],
    },
  });

  const run = scheduler.run("goal");
  for await (const event of run) if (event.type === "task-state") void engine.close();
  const report = await run.result;
  const next = scheduling([], { engine: { sessions, tools: [actTool((id) => id, { replayable: true })] } });
  const resumed = await next.scheduler.resume(run.id).result;

  expect(report).toMatchObject({ status: "aborted", error: { code: "RUN_ABORTED" } });
  expect(resumed).toMatchObject({ status: "done", summary: "b" });
});

test("leaving the iteration ends the run, and one that nobody iterates goes on", async () => {
  const { scheduler } = scheduling([act("a"), act("b", ["a"])], { engine: { tools: [actTool((id) => id)] } });

  const left = scheduler.run("goal");
  for await (const event of left) if (event.type === "plan") break;
  const unread = await scheduler.run("goal").result;

  expect((await left.result).status).toBe("aborted");
  expect(unread.status).toBe("done");
});

test("a finished plan gives its report again, and does nothing", async () => {
  let ran = 0;
  const { scheduler } = scheduling([act("a")], { engine: { tools: [actTool(() => ++ran)] } });

  const run = scheduler.run("goal", { sessionId: "p" });
  const report = await run.result;
  const { report: again, events } = await followed(scheduler.resume("p"));

  expect(ran).toBe(1);
  expect(events).toMatchObject([{ type: "report", report: again }]);
  expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(report)));
  expect(again.toMarkdown()).toBe(report.toMarkdown());
});

test("answers that are none are passed over, and the true one among them counts", async () => {
  const { scheduler } = scheduling([act("a")], {
    engine: { tools: [actTool((id) => id)], permissions: { decide: () => ({ behavior: "ask" }) } },
  });
  const { pending } = await scheduler.run("goal", { sessionId: "p" }).result;

  const answers = [null, 5, {}, { id: 1 }] as never[];
  const waiting = await scheduler.resume("p", { answers }).result;
  const yes = { id: pending[0]!.id, decision: "allow" as const };
  const done = await scheduler.resume("p", { answers: [...answers, yes] }).result;

  expect(waiting).toMatchObject({ status: "needs-approval", pending });
  expect(done).toMatchObject({ status: "done" });
});

test("misuse rejects: an unknown session, a session in use, an empty goal, options that are not", async () => {
  const sessions = createMemorySessionStore();
  const { scheduler } = scheduling([act("a")], { engine: { tools: [actTool(() => "")], sessions } });
  await scheduler.run("goal", { sessionId: "p" }).result;

  await expect(scheduler.resume("nobody").result).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(scheduler.run("goal", { sessionId: "p" }).result).rejects.toMatchObject({ code: "SESSION_BUSY" });
  await expect(scheduler.run(" ").result).rejects.toMatchObject({ code: "OPTION_INVALID" });
  await expect(scheduler.run("goal", { sesionId: "p" } as never).result).rejects.toMatchObject({
    code: "OPTION_INVALID",
  });
  expect(() => createScheduler({ engine: {} as never })).toThrow(/expected an object with run/);
  const release = await sessions.lock("q");
  await expect(scheduler.run("goal", { sessionId: "q" }).result).rejects.toMatchObject({ code: "SESSION_BUSY" });
  await release();
});

test("a store that fails ends the run as failed, and nothing else begins", async () => {
  const sessions = createMemorySessionStore();
  const ran: string[] = [];
  let writes = 0;
  const failing = {
    ...sessions,
    append: async (id: string, entries: never) => {
      if (id === "p" && ++writes > 4) throw new Error("disk full");
      return sessions.append(id, entries);
    },
  };
  const tool = actTool((id) => ran.push(id) && id);
  const { scheduler } = scheduling([act("a"), act("b", ["a"])], {
    engine: { tools: [tool], sessions: failing as never },
  });

  const report = await scheduler.run("goal", { sessionId: "p" }).result;

  expect(report).toMatchObject({ status: "failed", error: { code: "SESSION_WRITE" } });
  expect(ran).toEqual(["a"]);
});

test("tools get the host's context, and a merger makes the summary", async () => {
  const seen: unknown[] = [];
  const base = actTool((id) => id);
  const tool = {
    ...base,
    execute: (input: { id: string }, { app }: { app: unknown }) => seen.push(app) && input.id,
  };
  const engine = new AgentEngine({ provider: scripted([]), tools: [tool as never], permissions: ALLOW_ALL });
  const scheduler = createScheduler({
    engine,
    predicates: { any: () => true },
    decomposer: (goal) => ({ goal, tasks: [act("a"), act("b")] }),
    merger: (tasks, { goal }) => `${goal}: ${tasks.map(({ output }) => output).join("+")}`,
  });

  const report = await scheduler.run("sum", { context: { user: 7 } }).result;
  await engine.close();

  expect(report.summary).toBe("sum: a+b");
  expect(seen).toEqual([{ user: 7 }, { user: 7 }]);
});

test("a part of the host's that breaks ends the plan with an error that names it", async () => {
  const breaks = () => {
    throw new Error("out of paper");
  };
  const tools = [actTool((id) => id)];
  const merging = scheduling([act("a")], { merger: breaks, engine: { tools } });
  const choosing = scheduling([act("a")], { skills: { select: breaks }, engine: { tools } });

  const merged = await merging.scheduler.run("goal").result;
  const chosen = await choosing.scheduler.run("goal").result;

  expect(merged).toMatchObject({ status: "failed", error: { code: "HOOK_FAILED", details: { part: "merger" } } });
  expect(merged.error!.message).toBe(
    "The scheduler's merger failed: out of paper. Correct it, and resume the session.",
  );
  expect(merged.tasks).toMatchObject([{ id: "a", status: "done", output: "a" }]);
  expect(chosen).toMatchObject({ status: "failed", error: { code: "HOOK_FAILED", details: { part: "skills" } } });
});

test("an abort ends a run wherever it is: planning, asking, waiting to try again, checking, merging", async () => {
  const never = () => new Promise<never>(() => {});
  const failing = actTool(() => {
    throw new Error("no");
  });
  const tools = [actTool((id) => id)];
  const places: [string, Parameters<typeof scheduling>[1]][] = [
    ["decomposing", { decomposer: never }],
    ["decomposing", { approvePlan: never }],
    ["decomposing", { approvePlan: () => "ask", engine: { approver: never } }],
    ["retrying", { engine: { tools: [failing] }, limits: { retryDelayMs: 600_000 } }],
    ["verifying", { predicates: { any: never } }],
    ["verifying", { verifier: never }],
    ["merging", { merger: never }],
  ];
  for (const [place, options] of places) {
    const { scheduler } = scheduling([act("a")], { ...options, engine: { tools, ...options?.engine } });
    const run = scheduler.run("goal");
    for await (const event of run) {
      const reached = event.type === "state" ? event.state : event.type === "task-state" ? event.status : null;
      if (reached === place) setImmediate(() => run.abort("enough"));
    }

    expect({ place, status: (await run.result).status }).toEqual({ place, status: "aborted" });
  }
});
