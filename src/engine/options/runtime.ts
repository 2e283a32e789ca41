import { ConfigurationError } from "../../contracts/errors.js";
import type { Runtime } from "../../contracts/runtime.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { describeValue } from "../../text/describe-value.js";
import { ignoreFailure, isThenable } from "../../time/is-promise.js";

/**
 * An id that is unique for good: the time, and 104 random bits.
 *
 * Not a secret. `crypto.randomUUID` would be as good, but the first use of Web Crypto costs a process two milliseconds,
 * as much as a hundred turns.
 */
export function newId(): string {
  // Joined: a template would keep each piece as a string of its own for as long as the id is kept.
  return [Date.now().toString(36), "-", randomBits(), randomBits(), randomBits(), randomBits()].join("");
}

/** 26 bits in six characters: small integers become text four times as fast as large ones. */
function randomBits(): string {
  return Math.floor(Math.random() * 2 ** 26)
    .toString(36)
    .padStart(6, "0");
}

/** A runtime that keeps its contract, or says how it did not. */
export interface CheckedRuntime extends Runtime {
  /** A value that was not what the contract says; one of our own took its place. Runs do not go on with it. */
  readonly problem: ConfigurationError | null;
}

/** A function that the host does not give is ours, and is not checked: the clock is read for every entry. */
export function checkedRuntime(host: Partial<Runtime> = {}): CheckedRuntime {
  const runtime = { problem: null as ConfigurationError | null };
  function checked<T>(name: keyof Runtime, own: () => T, isRight: (value: unknown) => boolean, expected: string) {
    if (!host[name]) return own;
    return (): T => {
      let got: string;
      try {
        const value: unknown = host[name]!();
        if (isRight(value)) return value as T;
        ignoreFailure(value);
        got = isThenable(value) ? "a promise" : describeValue(value);
      } catch (error) {
        got = `an error: ${describeThrown(error)}`;
      }
      runtime.problem ??= new ConfigurationError("OPTION_INVALID", {
        message: `AgentEngine: runtime.${name}() must return ${expected}, got ${got}.`,
        details: { option: `runtime.${name}` },
      });
      return own();
    };
  }
  return Object.assign(runtime, {
    now: checked("now", Date.now, Number.isFinite, "milliseconds since the epoch"),
    newId: checked("newId", newId, isId, "a new, non-empty string"),
    random: checked("random", Math.random, isShare, "a number of at least 0 and less than 1"),
  });
}

function isId(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isShare(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value < 1;
}
