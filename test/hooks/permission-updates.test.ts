import { expect, test } from "vitest";
import { ourUpdates, theirUpdates } from "../../src/hooks/dialect.js";

const OURS = [
  { type: "addRules", behavior: "allow", destination: "session", rules: ["Bash(npm test)", "Read"] },
  { type: "setMode", destination: "session", mode: "acceptEdits" },
] as never;

test("rules are objects for hooks and strings for us", () => {
  const theirs = theirUpdates(OURS);

  expect(theirs).toMatchObject([
    { rules: [{ toolName: "Bash", ruleContent: "npm test" }, { toolName: "Read" }] },
    { type: "setMode", mode: "acceptEdits" },
  ]);
  expect(ourUpdates(theirs)).toEqual(OURS);
});

test("a hook may write rules as strings, and what is not a list is left for the engine to refuse", () => {
  expect(ourUpdates([{ type: "addRules", rules: ["Bash(ls)"] }])).toEqual([{ type: "addRules", rules: ["Bash(ls)"] }]);
  expect(ourUpdates("all")).toBe("all");
  expect(ourUpdates([null])).toEqual([null]);
});
