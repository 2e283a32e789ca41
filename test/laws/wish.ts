import fc from "fast-check";
import type { JsonValue } from "../../src/contracts/json.js";

const ACTS = [
  "answer",
  "slow",
  "progress",
  "huge",
  "mutate",
  "suspend",
  "suspend-caught",
  "suspend-twice",
  "suspend-hang",
  "never",
  "late",
  "cooperative",
  "throw-sync",
  "throw-null",
  "throw-undefined",
  "throw-text",
  "throw-frozen",
  "throw-bare",
  "return-nothing",
  "return-number",
  "return-array",
  "return-error",
  "parse-throw",
  "parse-slow",
  "validate-throw",
  "validate-slow",
  "validate-never",
  "check-deny",
  "check-ask",
  "check-throw",
] as const;
const CLAIMS = ["none", "read", "write", "read-all", "write-all", "two", "throw", "nothing", "holes", "text"] as const;
const GATES = ["allow", "deny", "ask", "throw", "nonsense", "never", "slow-allow", "slow-deny", "update"] as const;
const ANSWERS = ["allow", "deny", "throw", "nonsense", "never", "slow-allow", "update", "update-to-deny"] as const;
const HOOKS = [
  "nothing",
  "allow",
  "deny",
  "ask",
  "defer",
  "throw",
  "nonsense",
  "slow",
  "never",
  "update",
  "stop",
] as const;

/**
 * What a model's arguments ask of the world: how the tool behaves, what it claims, and what the gate, the approver and
 * the hooks make of it.
 */
export interface Wish {
  readonly act: (typeof ACTS)[number];
  readonly claim: (typeof CLAIMS)[number];
  readonly key: string;
  readonly ms: number;
  readonly gate: (typeof GATES)[number];
  readonly answer: (typeof ANSWERS)[number];
  readonly hook: (typeof HOOKS)[number];
}

const PLAIN: Wish = {
  act: "answer",
  claim: "none",
  key: "a",
  ms: 1,
  gate: "allow",
  answer: "allow",
  hook: "nothing",
};

/** Mostly the harmless first choice: a run in which everything goes wrong at once shows little. */
function mostly<T>(first: T, rest: readonly T[], weight = 3): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: fc.constant(first) }, { weight: 1, arbitrary: fc.constantFrom(...rest) });
}

export const wish: fc.Arbitrary<Wish> = fc.record({
  act: mostly<Wish["act"]>("answer", ACTS, 1),
  claim: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom<Wish["claim"]>("none", "read", "write", "read-all", "write-all", "two") },
    { weight: 1, arbitrary: fc.constantFrom<Wish["claim"]>(...CLAIMS) },
  ),
  key: fc.constantFrom("a", "b"),
  ms: fc.integer({ min: 1, max: 12 }),
  gate: mostly<Wish["gate"]>("allow", GATES, 4),
  answer: mostly<Wish["answer"]>("allow", ANSWERS, 2),
  hook: mostly<Wish["hook"]>("nothing", HOOKS, 4),
});

/** The wish in whatever arguments a model sent. */
export function readWish(args: JsonValue): Wish {
  const given = typeof args === "object" && args !== null && !Array.isArray(args) ? args : {};
  return { ...PLAIN, ...(given as unknown as Partial<Wish>) };
}
