import { followSignal } from "./follow-signal.js";

/** Resolves after a while, at once when the signal aborts. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let leave = () => {};
    const timer = setTimeout(() => {
      leave();
      resolve();
    }, ms);
    if (!signal) return;
    leave = followSignal(signal, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
