// Calling what the host has brought: bounded in time, and left at once when the run is aborted, whatever it does meanwhile.
import { isHarnessError, RunError } from "../contracts/errors.js";
import { describeThrown } from "../text/describe-thrown.js";
import { followSignal } from "../time/follow-signal.js";
import type { Work } from "./work.js";

/** The arguments of a part's call. */
export interface PartContext {
  /** Aborts with the run, and when the part has used up its time. */
  readonly signal: AbortSignal;
  /** Waits for something that is not the part's own work: its time stands still. */
  pause<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Calls a part that the host has brought, named as its option is.
 *
 * @throws RunError `HOOK_FAILED` when the part fails or takes too long
 * @throws the signal's reason once the run is aborted
 */
export async function callHostPart<T>(
  work: PartWork,
  part: string,
  call: (about: PartContext) => T | Promise<T>,
): Promise<T> {
  try {
    return await withinTime(work, part, call);
  } catch (cause) {
    work.signal.throwIfAborted();
    const message = `The scheduler's ${part} failed: ${describeThrown(cause)}. Correct it, and resume the session.`;
    throw new RunError("HOOK_FAILED", { message, details: { part }, cause });
  }
}

type PartWork = Pick<Work, "signal" | "limits">;

/**
 * Waits for a function of the host, which may ignore its signal.
 *
 * @throws the signal's reason as soon as the run is aborted; RunError `HOOK_FAILED` after `timeoutMs`; `null`: never
 */
export async function withinTime<T>(
  { signal, limits }: PartWork,
  part: string,
  call: (about: PartContext) => T | Promise<T>,
  timeoutMs: number | null = limits.partTimeoutMs,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  let isOver = false;
  let pauses = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: (reason: unknown) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    end = (reason) => {
      reject(reason);
      own.abort(reason);
    };
  });
  const start = () => {
    if (isOver || pauses > 0 || timeoutMs === null) return;
    timer = setTimeout(() => end(tooLate(part, timeoutMs)), timeoutMs);
  };
  const pause = async <P>(other: () => Promise<P>) => {
    clearTimeout(timer);
    pauses++;
    try {
      return await other();
    } finally {
      pauses--;
      start();
    }
  };
  const unfollow = followSignal(signal, () => end(signal.reason));
  start();
  try {
    return await Promise.race([ended, call({ signal: own.signal, pause })]);
  } finally {
    isOver = true;
    clearTimeout(timer);
    unfollow();
  }
}

function tooLate(part: string, timeoutMs: number): RunError {
  const limit = part === APPROVAL ? "approvalTimeoutMs" : "partTimeoutMs";
  const message = `the ${part} did not answer within ${timeoutMs} ms; limits.${limit} gives it more time`;
  return new RunError("HOOK_FAILED", { message, details: { part, timeoutMs } });
}

/** The part that may ask a person. */
export const APPROVAL = "approvePlan";

export function isTooLate(error: unknown): boolean {
  return isHarnessError(error, "HOOK_FAILED") && Object(error.details).timeoutMs !== undefined;
}
