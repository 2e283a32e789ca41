import { expect, test, vi } from "vitest";
import { StreamPace } from "../../../src/mcp/transport/stream-pace.js";

test("a stream that a server wants at once again and again is asked for at most once a second after a while", () => {
  vi.useFakeTimers();
  try {
    const pace = new StreamPace();
    let opened = 0;
    const open = () => {
      opened++;
      pace.later(open, 0);
    };

    pace.later(open, 0);
    vi.advanceTimersByTime(500);
    const soon = opened;
    vi.advanceTimersByTime(10_000);

    expect(soon).toBe(20);
    expect(opened).toBeLessThanOrEqual(31);
    expect(opened).toBeGreaterThan(25);
    pace.stop();
    vi.advanceTimersByTime(10_000);
    expect(opened).toBeLessThanOrEqual(31);
  } finally {
    vi.useRealTimers();
  }
});

test("a time that no timer has is a long one, and what is taken back is not opened", () => {
  vi.useFakeTimers();
  try {
    const pace = new StreamPace();
    const opened: string[] = [];

    pace.later(() => opened.push("late"), 99_999_999_999);
    pace.later(() => opened.push("never"), 10)();
    vi.advanceTimersByTime(29_000);
    const before = [...opened];
    vi.advanceTimersByTime(2_000);

    expect([before, opened]).toEqual([[], ["late"]]);
  } finally {
    vi.useRealTimers();
  }
});
