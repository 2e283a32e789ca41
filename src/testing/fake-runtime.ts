import type { Runtime } from "../contracts/runtime.js";
import { byDefault, checkOptions, numberFrom, type OptionTable } from "../json/check-options.js";

/** The start of a fake runtime. */
export interface FakeRuntimeOptions {
  /** The first time of the clock. Unit: milliseconds since the epoch. Default: 1_700_000_000_000. */
  readonly now?: number | undefined;
  /** The seed of the random numbers. Whole. Default: 1. */
  readonly seed?: number | undefined;
}

const OPTIONS = {
  now: byDefault(1_700_000_000_000, numberFrom(0, "milliseconds since the epoch", undefined, true)),
  seed: byDefault(1, numberFrom(Number.MIN_SAFE_INTEGER, "seed")),
} satisfies OptionTable<FakeRuntimeOptions>;

/** A runtime whose clock a test moves. */
export interface FakeRuntime extends Runtime {
  /** Moves the clock. Unit: milliseconds. @throws RangeError for a step back or one that is not finite */
  advance(ms: number): void;
}

/**
 * A runtime that does the same in every test: the clock stands until `advance`, ids are `id-1`, `id-2`, …, and
 * `random` is a sequence that depends on `seed` alone.
 */
export function fakeRuntime(options: FakeRuntimeOptions = {}): FakeRuntime {
  const { now, seed } = checkOptions("fakeRuntime()", options, OPTIONS);
  let time = now;
  let ids = 0;
  let state = seed | 0;
  return {
    now: () => time,
    newId: () => `id-${++ids}`,
    // Mulberry32: small, fast, and good enough to spread jitter.
    random() {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
    advance(ms) {
      if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY)) {
        throw new RangeError(
          `A fake clock got advance(${ms}). Pass milliseconds of at least 0; time does not go back.`,
        );
      }
      time += ms;
    },
  };
}
