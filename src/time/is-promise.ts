/** Whether a value has to be waited for. */
export function isThenable<T>(value: T | Promise<T>): value is Promise<Awaited<T>> {
  try {
    return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
  } catch {
    return false; // A proxy whose traps throw.
  }
}

/** Keeps the failure of a promise that nobody waits for from ending the process. */
export function ignoreFailure(promise: unknown): void {
  Promise.resolve(promise).then(undefined, () => {});
}
