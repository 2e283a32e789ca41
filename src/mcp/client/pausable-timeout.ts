import { LONGEST_TIMER_MS } from "../../time/deadlines.js";

/** No time limit. */
export const NO_CLOCK = { pause: () => () => {}, stop: () => {} };

/** A time limit that can be paused, by several at once. */
export function startClock(ms: number, expire: () => void) {
  let left = ms;
  let pauses = 0;
  let since = performance.now();
  let timer = setTimeout(expire, Math.min(left, LONGEST_TIMER_MS));
  return {
    pause() {
      let isPaused = true;
      if (pauses++ === 0) {
        clearTimeout(timer);
        left -= performance.now() - since;
      }
      return () => {
        if (!isPaused) return;
        isPaused = false;
        if (--pauses > 0) return;
        since = performance.now();
        timer = setTimeout(expire, Math.min(Math.max(0, left), LONGEST_TIMER_MS));
      };
    },
    stop() {
      pauses = Number.POSITIVE_INFINITY;
      clearTimeout(timer);
    },
  };
}
