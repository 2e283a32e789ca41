import { isHarnessError, RunAbortedError } from "../../contracts/errors.js";

/**
 * Waits, or rejects as soon as `signal` aborts; leaves neither a timer nor a listener behind.
 *
 * @throws the signal's reason when it is a `HarnessError`, otherwise a `RunAbortedError` caused by it
 */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortError(signal));
    const onAbort = () => {
      clearTimeout(timer);
      reject(abortError(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

function abortError(signal: AbortSignal): Error {
  if (isHarnessError(signal.reason)) return signal.reason;
  return new RunAbortedError("the request's signal aborted", signal.reason);
}
