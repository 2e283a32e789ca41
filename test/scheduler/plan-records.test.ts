// One reducer makes all that a scheduler knows from its records: what each record counts for.
import { expect, test } from "vitest";
import { limitsOfRun } from "../../src/scheduler/bounds.js";
import { Progress } from "../../src/scheduler/progress.js";
import type { TaskRecord } from "../../src/scheduler/records.js";
import { addSpent, NOTHING_SPENT } from "../../src/scheduler/spent.js";
import { act, actTool, scheduling, task } from "./kit.js";

const used = (tokens: number, costUsd: number | null) => ({
  ...NOTHING_SPENT,
  usage: { inputTokens: tokens, outputTokens: 0 },
  costUsd,
});

type Step<K extends TaskRecord["kind"]> = Omit<Extract<TaskRecord, { kind: K }>, "v" | "kind" | "task" | "attempt">;

function planned(...ids: readonly string[]) {
  const progress = new Progress();
  const plan = (...tasks: readonly string[]) => {
    const { usage } = NOTHING_SPENT;
    const number = progress.plans + 1;
    progress.applyPlan({ v: 1, kind: "proposed", number, tasks: tasks.map((id) => task(id)), usage, costUsd: 0 });
    progress.applyPlan({ v: 1, kind: "approved", number });
  };
  plan(...ids);
  const apply = (kind: TaskRecord["kind"], attempt: number, more: object = {}, id = ids[0]!) =>
    progress.applyTask({ v: 1, kind, task: id, attempt, ...more } as TaskRecord);
  const failed = (more: Partial<Step<"failed">> = {}) => ({
    reason: "no",
    isFinal: false,
    spent: NOTHING_SPENT,
    ...more,
  });
  const waiting = (soFar: Step<"waiting">["soFar"]) => ({ requests: [{ id: "q", reason: "May I?" }], soFar });
  return { progress, plan, apply, failed, waiting, first: () => progress.tasks.get(ids[0]!)! };
}

test("an attempt that was cut off is no failure of its task, and leaves no reason", () => {
  const { apply, failed, first } = planned("a");
  apply("started", 1);
  apply("failed", 1, failed({ isCutOff: true }));
  expect([first().failures, first().reason, first().status]).toEqual([0, null, "retrying"]);
  apply("started", 2);
  apply("failed", 2, failed());
  expect([first().failures, first().reason]).toEqual([1, "no"]);
});

test("an attempt that goes on after a crash or an answer is counted once", () => {
  const { progress, apply, waiting } = planned("a", "b");
  apply("started", 1);
  apply("started", 1);
  apply("waiting", 1, waiting(used(10, 1)));
  apply("started", 1);
  apply("started", 1, {}, "b");
  expect(progress.attempts).toBe(2);
});

test("what an attempt that waits has used counts while it waits, and once when it has ended", () => {
  const { progress, apply, failed, waiting } = planned("a");
  apply("waiting", 1, waiting(used(10, 1)));
  expect(progress.used).toEqual({ usage: { inputTokens: 10, outputTokens: 0 }, costUsd: 1 });
  apply("started", 1);
  expect(progress.used.costUsd).toBe(0);
  apply("failed", 1, failed({ spent: used(15, 2) }));
  expect(progress.used).toEqual({ usage: { inputTokens: 15, outputTokens: 0 }, costUsd: 2 });
});

test("one price that is not known leaves every sum that it is part of unknown", () => {
  for (const costs of [
    [null, 1],
    [1, null],
  ] as const) {
    const [a, b] = costs.map((cost) => used(1, cost)) as [typeof NOTHING_SPENT, typeof NOTHING_SPENT];
    expect(addSpent(a, b).costUsd).toBeNull();
    const ended = planned("a", "b");
    ended.apply("failed", 1, ended.failed({ spent: a }));
    ended.apply("failed", 2, ended.failed({ spent: b }));
    expect([ended.progress.costUsd, ended.first().spent.costUsd]).toEqual([null, null]);
    const asked = planned("a", "b");
    asked.apply("waiting", 1, asked.waiting(a));
    asked.apply("waiting", 1, asked.waiting(b), "b");
    expect(asked.progress.used.costUsd).toBeNull();
  }
});

test("what a task has used under a plan that was given up stays its own, and its attempts' numbers are not used again", () => {
  const { apply, failed, plan, first } = planned("a");
  apply("started", 1);
  apply("failed", 1, failed({ isFinal: true, spent: used(10, 1) }));
  plan("a");
  expect([first().attempts, first().failures, first().spent.costUsd]).toEqual([1, 0, 1]);
});

test("a call whose end is not known is remembered under every plan, also when its task is tried again", () => {
  const { progress, apply, failed, plan } = planned("a");
  apply("failed", 1, failed({ unknownCall: "digest" }));
  plan("b");
  expect([...progress.unknownCalls]).toEqual(["digest"]);
});

test("a run that goes on may use what is left after its own past and the plan's", () => {
  const bounds = { maxTokens: 1_000, maxCostUsd: 10 };
  const progress = Object.assign(new Progress(), { usage: used(300, 0).usage, costUsd: 2 });
  const work = { limits: bounds, journal: { progress }, began: performance.now(), parts: { config: { limits: {} } } };
  expect(limitsOfRun(work as never, used(200, 3))).toEqual({ maxTokens: 500, maxCostUsd: 5 });
});

test("a clock that is set back gives no task a negative time", async () => {
  let now = 1_000_000;
  const runtime = { now: () => (now -= 1_000), newId: () => `id-${now--}`, random: () => 0 };
  const { scheduler } = scheduling([act("a")], { engine: { tools: [actTool(() => "ok")], runtime: runtime as never } });
  const report = await scheduler.run("One").result;
  expect([report.status, report.tasks[0]!.durationMs]).toEqual(["done", 0]);
});

test("a retry waits no longer than the plan has time", async () => {
  const fails = actTool(() => {
    throw new Error("not yet");
  });
  const { scheduler } = scheduling([act("a")], {
    engine: { tools: [fails] },
    limits: { retryDelayMs: 600_000, deadlineMs: 150 },
  });
  const began = performance.now();
  expect((await scheduler.run("One").result).status).toBe("deadline");
  expect(performance.now() - began).toBeLessThan(300_000);
});
