// What the records of a plan add up to: the same for a process that lives and for one that reads them later.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addUsage } from "../../src/engine/run/usage-meter.js";
import { limitsOfRun, overrunOf } from "../../src/scheduler/bounds.js";
import { Progress } from "../../src/scheduler/progress.js";
import type { TaskRecord } from "../../src/scheduler/records.js";
import { addSpent, NOTHING_SPENT, type Spent } from "../../src/scheduler/spent.js";
import { task } from "./kit.js";

const usage = (inputTokens: number, more = {}) => ({ inputTokens, outputTokens: 0, ...more });
const spent = (costUsd: number | null, tokens = 0): Spent => ({ ...NOTHING_SPENT, usage: usage(tokens), costUsd });

function planOf(...ids: string[]) {
  const progress = new Progress();
  const tasks = ids.map((id) => task(id));
  progress.applyPlan({ v: 1, kind: "proposed", number: 1, tasks, usage: usage(0), costUsd: 0 });
  progress.applyPlan({ v: 1, kind: "approved", number: 1 });
  return progress;
}

const _started = (id: string, attempt: number): TaskRecord => ({ v: 1, kind: "started", task: id, attempt });
const failed = (id: string, attempt: number, of: Spent, more = {}): TaskRecord => {
  return { v: 1, kind: "failed", task: id, attempt, reason: "r", isFinal: false, spent: of, ...more };
};
const waiting = (id: string, soFar: Spent): TaskRecord => {
  return { v: 1, kind: "waiting", task: id, attempt: 1, requests: [{ id: "q", reason: "?" }] as never, soFar };
};

const costs = fc.array(fc.option(fc.integer({ min: 0, max: 1_000 }), { nil: null }), { minLength: 1, maxLength: 6 });
const sumOf = (all: readonly (number | null)[]) =>
  all.includes(null) ? null : all.reduce<number>((a, b) => a + b!, 0);

describe("a sum with a price that is not known is not known", () => {
  test("of one task's attempts, and of the plan, also while some of them wait for the host", () => {
    fc.assert(
      fc.property(costs, costs, (ended, open) => {
        const progress = planOf("a", ...open.map((_, n) => `w${n}`));
        ended.forEach((cost, n) => void progress.applyTask(failed("a", n + 1, spent(cost))));
        open.forEach((cost, n) => void progress.applyTask(waiting(`w${n}`, spent(cost))));
        expect(progress.tasks.get("a")!.spent.costUsd).toBe(sumOf(ended));
        expect(progress.costUsd).toBe(sumOf(ended));
        expect(progress.used.costUsd).toBe(sumOf([...ended, ...open]));
      }),
    );
  });

  test("in either order", () => {
    expect([addSpent(spent(null), spent(1)).costUsd, addSpent(spent(1), spent(null)).costUsd]).toEqual([null, null]);
  });
});

test("a sum of which a part is estimated is estimated, in either order", () => {
  const estimated = usage(1, { estimated: true });
  for (const sum of [addUsage(estimated, usage(2)), addUsage(usage(2), estimated)])
    expect(sum).toEqual(usage(3, { estimated: true }));
  expect(addUsage(usage(1), usage(2))).toEqual(usage(3));
});

describe("the bounds of a plan count", () => {
  const workOf = (progress: Progress, limits: object) =>
    ({ limits, journal: { progress }, began: performance.now(), parts: { config: { limits: {} } } }) as never;

  test("what waits for the host", () => {
    const progress = planOf("a", "b");
    progress.applyTask(waiting("a", spent(2, 100)));
    expect(overrunOf(workOf(progress, { maxTokens: 100 }))?.status).toBe("budget-exceeded");
    expect(overrunOf(workOf(progress, { maxCostUsd: 2 }))?.status).toBe("budget-exceeded");
    expect(overrunOf(workOf(progress, { maxTokens: 101, maxCostUsd: 3 }))).toBeNull();
  });

  test("a price that is not known as no price that is small", () => {
    const progress = planOf("a");
    progress.applyTask(failed("a", 1, spent(null)));
    expect(overrunOf(workOf(progress, { maxCostUsd: 1_000 }))?.why).toContain("a price is not");
  });

  test("what a run had used before it goes on, in what it may still use", () => {
    const progress = planOf("a");
    progress.applyTask(failed("a", 1, spent(2, 100)));
    const limits = limitsOfRun(workOf(progress, { maxTokens: 1_000, maxCostUsd: 10 }), spent(3, 250));
    expect(limits).toEqual({ maxTokens: 650, maxCostUsd: 5 });
  });
});
