import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Deadlines, LONGEST_TIMER_MS } from "../../src/time/deadlines.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("deadlines expire in their order, each once, behind one timer", () => {
  const deadlines = new Deadlines();
  const expired: string[] = [];
  deadlines.add(300, () => expired.push("late"));
  deadlines.add(100, () => expired.push("early"));
  const removed = deadlines.add(200, () => expired.push("removed"));
  deadlines.remove(removed);

  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(100);
  expect(expired).toEqual(["early"]);
  vi.advanceTimersByTime(1_000);
  expect(expired).toEqual(["early", "late"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a deadline that is removed by an earlier one does not expire", () => {
  const deadlines = new Deadlines();
  const expired: string[] = [];
  const second = deadlines.add(20, () => expired.push("second"));
  deadlines.add(10, () => deadlines.remove(second));

  vi.advanceTimersByTime(100);

  expect(expired).toEqual([]);
});

test("one that is further away than a timer can wait does not expire at once", () => {
  const deadlines = new Deadlines();
  let expired = 0;
  deadlines.add(LONGEST_TIMER_MS + 1_000, () => expired++);

  vi.advanceTimersByTime(LONGEST_TIMER_MS);
  expect(expired).toBe(0);
  vi.advanceTimersByTime(2_000);
  expect(expired).toBe(1);
});

test("clear leaves no timer, and a tidy owner needs none", () => {
  const deadlines = new Deadlines();
  deadlines.add(10, () => {});
  deadlines.clear();
  expect(vi.getTimerCount()).toBe(0);

  const tidy = new Deadlines(true);
  tidy.remove(tidy.add(10, () => {}));
  expect(vi.getTimerCount()).toBe(0);
});
