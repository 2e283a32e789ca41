import { getEventListeners } from "node:events";
import { expect, test, vi } from "vitest";
import { wait } from "../../src/time/wait.js";

test("a wait is over when its time has passed, and at once when its signal aborts", async () => {
  vi.useFakeTimers();
  try {
    const controller = new AbortController();
    const over: string[] = [];
    void wait(1_000).then(() => over.push("in time"));
    const aborted = wait(1_000, controller.signal).then(() => over.push("aborted"));
    controller.abort();
    await aborted;
    expect(over).toEqual(["aborted"]);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(over).toEqual(["aborted", "in time"]);
  } finally {
    vi.useRealTimers();
  }
});

test("a wait that has passed leaves no listener at its signal", async () => {
  const { signal } = new AbortController();
  await wait(0, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
