// A plan has bounds of its own, and what the host brings to it has, too.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { AgentEngine } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createScheduler, type SchedulerOptions } from "../../src/scheduler/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { act, actTool, scheduling, task } from "./kit.js";

const never = () => new Promise<never>(() => {});
const six = ["a", "b", "c", "d", "e", "f"];

/** Each answer takes 1,010 tokens. */
const model = () =>
  scripted([[{ type: "text", text: "done" }, { usage: { inputTokens: 1_000, outputTokens: 10 } }] as never], {
    loop: true,
  });

test("what an agent had used when the plan was aborted is in the report, and counts once when it goes on", async () => {
  const sessions = createMemorySessionStore();
  let abort = () => {};
  const stops = () => {
    abort();
    return never();
  };
  const tools = [actTool(stops, { onUnknown: "retry" })];
  const engine = { sessions, tools, prices: () => 0.5, limits: { abandonMs: 10 } };
  const asks = scheduling([task("a")], {
    engine: { ...engine, provider: scripted([toolCall("act", { id: "stop" })]) },
  });
  const run = asks.scheduler.run("goal", { sessionId: "s" });
  abort = () => run.abort("enough");
  expect(await run.result).toMatchObject({ status: "aborted", costUsd: 0.5, usage: { inputTokens: 10 } });

  tools[0] = actTool((id) => id, { onUnknown: "retry" });
  const next = scheduling([task("a")], { engine: { ...engine, provider: scripted([text("done")]) } });
  const report = await next.scheduler.resume("s").result;
  expect(report).toMatchObject({ status: "done", costUsd: 1, usage: { inputTokens: 20 } });
});

describe("a plan that has come to a limit of its own", () => {
  test("begins nothing more, says which limit it was, and goes on under a higher one", async () => {
    const sessions = createMemorySessionStore();
    const tasks = six.map((id) => task(id));
    const price = () => 0.5;
    for (const [id, limits, higher, status] of [
      ["tokens", { maxTokens: 2_500 }, { maxTokens: 10_000 }, "budget-exceeded"],
      ["attempts", { maxTotalAttempts: 3 }, { maxTotalAttempts: 6 }, "budget-exceeded"],
      ["cost", { maxCostUsd: 1.5 }, { maxCostUsd: 4 }, "budget-exceeded"],
    ] as const) {
      const engine = { provider: model(), sessions, prices: price };
      const first = scheduling(tasks, { engine, limits: { ...limits, maxParallel: 1 } });
      const report = await first.scheduler.run("Six", { sessionId: id }).result;
      expect([id, report.status, report.tasks.filter((one) => one.status === "done").length]).toEqual([id, status, 3]);
      expect(report.summary).toContain(`limits.${Object.keys(limits)[0]}`);
      expect(report.summary).toContain("Raise the limit, and resume the session.");

      const same = scheduling(tasks, { engine, limits: { ...limits, maxParallel: 1 } });
      expect((await same.scheduler.resume(id).result).status).toBe(status);
      expect(engine.provider.requests.length).toBe(3);

      const next = scheduling(tasks, { engine, limits: higher });
      expect((await next.scheduler.resume(id).result).status).toBe("done");
      expect(engine.provider.requests.length).toBe(6);
    }
  });

  test("ends so while the planner still looks, and the planner goes on under a higher one", async () => {
    const sessions = createMemorySessionStore();
    const looks = Array.from({ length: 6 }, (_, at) => toolCall("act", { id: `look ${at}` }));
    const plan = text(JSON.stringify({ tasks: [act("a")] }));
    const engine = {
      provider: scripted([...looks, plan, text("done")]),
      sessions,
      tools: [actTool((id) => id)],
      prices: () => 0.5,
    };
    const first = scheduling([], { engine, limits: { maxCostUsd: 1.5 }, decomposer: undefined });
    const report = await first.scheduler.run("goal", { sessionId: "s" }).result;
    expect(report).toMatchObject({ status: "budget-exceeded", tasks: [], costUsd: 1.5, usage: { inputTokens: 30 } });
    expect(report.summary).toContain("limits.maxCostUsd");

    const next = scheduling([], { engine, limits: { maxCostUsd: 9 }, decomposer: undefined });
    const whole = await next.scheduler.resume("s").result;
    expect(whole).toMatchObject({ status: "done", costUsd: 3.5, usage: { inputTokens: 70 } });
  });

  test("ends as deadline when its time is up; what is at work comes to its end", async () => {
    const slow = actTool(() => sleep(80, "ok"));
    const sessions = createMemorySessionStore();
    const tasks = six.map((id, at) => act(id, at === 0 ? [] : [six[at - 1]!]));
    const { scheduler } = scheduling(tasks, { engine: { tools: [slow], sessions }, limits: { deadlineMs: 100 } });
    const report = await scheduler.run("Six", { sessionId: "s" }).result;
    expect(report.status).toBe("deadline");
    const done = report.tasks.filter(({ status }) => status === "done").length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(6);
    expect(report.tasks.filter(({ status }) => status === "pending").length).toBe(6 - done);
    const next = scheduling(tasks, { engine: { tools: [slow], sessions } });
    expect((await next.scheduler.resume("s").result).status).toBe("done");
  });

  test("an agent gets no more time than is left, and is not counted as failed for it", async () => {
    const provider = scripted([() => sleep(1_000, [], { ref: false })] as never);
    const { scheduler } = scheduling([task("a")], {
      engine: { provider, limits: { abandonMs: 10 } },
      limits: { deadlineMs: 60, maxAttempts: 1 },
    });
    const report = await scheduler.run("One").result;
    expect([report.status, report.tasks[0]?.status]).toEqual(["deadline", "retrying"]);
  });

  test.each(["maxTokens", "maxCostUsd", "maxTotalAttempts", "deadlineMs", "partTimeoutMs", "approvalTimeoutMs"])(
    "limits.%s is checked when the scheduler is made",
    (name) => {
      const { engine } = scheduling([]);
      const make = (value: unknown) => () =>
        createScheduler({ engine: engine as AgentEngine, limits: { [name]: value } });
      for (const wrong of [-1, Number.NaN, "7"]) expect(make(wrong)).toThrow(`limits.${name}`);
      if (name === "maxCostUsd") expect(make(1)).toThrow("prices");
    },
  );
});

describe("what the host brings has as much time as hooks have", () => {
  const limits = { partTimeoutMs: 40, maxAttempts: 1, maxReplans: 0 };
  const tools = [actTool(() => "ok")];

  async function reportOf(part: Partial<SchedulerOptions>) {
    const { scheduler } = scheduling([act("a")], { engine: { tools }, ...part, limits: { ...limits, ...part.limits } });
    return scheduler.run("Do it").result;
  }

  test("a silent predicate, verifier, decomposer or merger is named with the time it had", async () => {
    const [predicate, verifier, decomposer, merger] = [
      await reportOf({ predicates: { any: never } }),
      await reportOf({ verifier: never }),
      await reportOf({ decomposer: never }),
      await reportOf({ merger: never }),
    ];
    const silent = (part: string) => `the ${part} did not answer within 40 ms; limits.partTimeoutMs gives it more time`;
    expect(predicate.tasks[0]?.reason).toContain(silent('predicate "any"'));
    expect(verifier.tasks[0]?.reason).toContain(silent("verifier"));
    expect(decomposer.error).toMatchObject({
      code: "PLAN_INVALID",
      message: expect.stringContaining(silent("decomposer")),
    });
    expect(merger.error).toMatchObject({ code: "HOOK_FAILED", message: expect.stringContaining(silent("merger")) });
    for (const { status } of [predicate, verifier, decomposer, merger]) expect(status).toBe("failed");
  });

  test("the signal of a part aborts when its time is up", async () => {
    const signals: AbortSignal[] = [];
    const silent = (signal: AbortSignal) => {
      signals.push(signal);
      return never();
    };
    await reportOf({ decomposer: (_goal, { signal }) => silent(signal) });
    await reportOf({ verifier: (_task, _result, { signal }) => silent(signal) });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test("while a verifier waits for verify(), its time stands still", async () => {
    let checked = 0;
    const report = await reportOf({
      limits: { partTimeoutMs: 100 },
      predicates: { any: () => sleep(70).then(() => ++checked > 0) },
      verifier: async (_task, _result, { verify }) => sleep(50).then(verify),
    });
    expect([report.status, checked]).toEqual(["done", 1]);
  });

  test("approvePlan may ask a person: it has no limit of its own, and with one the plan is left as a question", async () => {
    const slow = await reportOf({ approvePlan: () => sleep(80, true) });
    expect(slow.status).toBe("done");
    const left = await reportOf({ approvePlan: never, limits: { approvalTimeoutMs: 40 } });
    expect(left).toMatchObject({ status: "needs-approval", pending: [{ tool: "scheduler_plan" }] });
  });
});
