import { expect, test } from "vitest";
import { limitsWithin, readBudget } from "../../../src/program/sessions/session-budget.js";

test.each([
  ["5", { maxCostUsd: 5 }],
  ["$0.25", { maxCostUsd: 0.25 }],
  [" 200k ", { maxTokens: 200_000 }],
  ["1.5M tokens", { maxTokens: 1_500_000 }],
])("%j is a budget", (text, budget) => {
  expect(readBudget(text)).toEqual(budget);
});

test.each(["", "0", "-1", "0k", "1e9", "NaN", "5 dollars", "$5k"])(
  "%j is none, and the message says what would be",
  (text) => {
    expect(() => readBudget(text)).toThrow(/such as 2\.50, or of tokens in thousands or millions, such as 200k/);
  },
);

const spent = { inputTokens: 900, outputTokens: 100, costUsd: 1.5 };

test("a run has what the session has left, and never more than one run may use", () => {
  expect(limitsWithin({}, spent, { maxTurns: 3 })).toEqual({ maxTurns: 3 });
  expect(limitsWithin({ maxTokens: 5_000 }, spent, {})).toEqual({ maxTokens: 4_000 });
  expect(limitsWithin({ maxTokens: 5_000 }, spent, { maxTokens: 10 })).toEqual({ maxTokens: 10 });
  expect(limitsWithin({ maxCostUsd: 2 }, spent, { maxCostUsd: 9 })).toEqual({ maxCostUsd: 0.5 });
});

test("nothing is sent once it is used up, or where nobody knows what was", () => {
  expect(() => limitsWithin({ maxTokens: 1_000 }, spent, {})).toThrow("used up: 1000 of 1000 tokens");
  expect(() => limitsWithin({ maxCostUsd: 1.5 }, spent, {})).toThrow("used up: $1.50 of $1.50");
  expect(() => limitsWithin({ maxCostUsd: 9 }, { ...spent, costUsd: null }, {})).toThrow("Limit tokens instead");
});
