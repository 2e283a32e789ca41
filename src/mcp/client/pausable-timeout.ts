import { LONGEST_TIMER_MS } from "../../time/deadlines.js";

/**
 * A time limit that can be paused, by several at once, and begun again by a sign of life. `mostMs` is what it never lasts
 * longer than in all; `expire` is called with which of the two is over.
 */
export function startClock(ms: number, expire: (limitMs: number) => void, mostMs = ms) {
  let left = ms;
  let mostLeft = mostMs;
  let pauses = 0;
  let since = performance.now();
  let timer: ReturnType<typeof setTimeout>;
  const count = () => {
    const now = performance.now();
    left -= now - since;
    mostLeft -= now - since;
    since = now;
  };
  const run = () => {
    timer = setTimeout(look, Math.max(0, Math.min(left, mostLeft, LONGEST_TIMER_MS)));
  };
  const look = () => {
    count();
    if (left > 0 && mostLeft > 0) return run();
    expire(mostLeft > 0 ? ms : mostMs);
  };
  run();
  return {
    pause() {
      let isPaused = true;
      if (pauses++ === 0) {
        clearTimeout(timer);
        count();
      }
      return () => {
        if (!isPaused) return;
        isPaused = false;
        if (--pauses > 0) return;
        since = performance.now();
        run();
      };
    },
    /** Costs no timer: the one that is set looks again. */
    extend() {
      if (pauses === 0) count();
      left = ms;
    },
    stop() {
      pauses = Number.POSITIVE_INFINITY;
      clearTimeout(timer);
    },
  };
}
