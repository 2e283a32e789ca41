import { wait } from "../../time/wait.js";

/** The way in which a server that is gone is connected again. */
export interface ReconnectOptions {
  /** Before the first attempt; each further one waits twice as long. Unit: milliseconds. Default: 500. */
  readonly baseMs?: number | undefined;
  /** The longest wait. Unit: milliseconds. Default: 30_000. */
  readonly maxMs?: number | undefined;
  /** Attempts in a row; then none is made until a tool is called. Default: 8. */
  readonly maxAttempts?: number | undefined;
}

export interface Backoff {
  readonly isExhausted: boolean;
  /** Waits before the next attempt; longer each time. Resolves at once when the signal aborts. */
  wait(): Promise<void>;
  /** A session came to its end after this time. One that lasted starts over; one that crashes at once does not. */
  lasted(ms: number): void;
  reset(): void;
}

const STABLE_MS = 10_000;

export function startBackoff(options: ReconnectOptions | null, signal: AbortSignal): Backoff {
  const { baseMs = 500, maxMs = 30_000, maxAttempts = 8 } = options ?? {};
  let attempts = 0;
  return {
    get isExhausted() {
      return attempts >= maxAttempts;
    },
    wait() {
      return wait(Math.min(baseMs * 2 ** attempts++, maxMs), signal);
    },
    lasted(ms) {
      if (ms >= STABLE_MS) attempts = 0;
    },
    reset() {
      attempts = 0;
    },
  };
}
