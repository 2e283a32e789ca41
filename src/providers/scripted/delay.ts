import { isHarnessError, RunAbortedError } from "../../contracts/errors.js";
import { followSignal } from "../../time/follow-signal.js";

/**
 * Waits, or rejects as soon as `signal` aborts; leaves neither a timer nor a listener behind.
 *
 * @throws the signal's reason when it is a `HarnessError`, otherwise a `RunAbortedError` caused by it
 */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortError(signal));
    const timer = setTimeout(() => {
      leave();
      resolve();
    }, ms);
    const leave = followSignal(signal, () => {
      clearTimeout(timer);
      reject(abortError(signal));
    });
  });
}

function abortError(signal: AbortSignal): Error {
  if (isHarnessError(signal.reason)) return signal.reason;
  return new RunAbortedError("the request's signal aborted", signal.reason);
}
