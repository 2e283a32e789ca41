import { followSignal } from "./follow-signal.js";

/** Settles as the work does. @throws the signal's reason, as soon as it aborts */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work;
  let unfollow = () => {};
  const aborted = new Promise<never>((_, reject) => {
    unfollow = followSignal(signal, () => reject(signal.reason));
  });
  return Promise.race([work, aborted]).finally(() => unfollow());
}
