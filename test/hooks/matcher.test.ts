import { expect, test } from "vitest";
import { createMatcher, matchValuesOf } from "../../src/hooks/matcher.js";

test.each([undefined, "", "*"])("%j matches everything", (matcher) => {
  expect(createMatcher(matcher)(["Bash"])).toBe(true);
  expect(createMatcher(matcher)(null)).toBe(true);
});

test("names match exactly, expressions anywhere", () => {
  expect(createMatcher("Edit|Write")(["Write"])).toBe(true);
  expect(createMatcher("Edit, Write")(["MultiEdit"])).toBe(false);
  expect(createMatcher("mcp__.*__read")(["mcp__files__read_all"])).toBe(true);
  expect(createMatcher("^Notebook")(["Read"])).toBe(false);
});

test("an event without a value to match runs every hook", () => {
  expect(matchValuesOf({ hookEventName: "Stop" } as never)).toBeNull();
  expect(createMatcher("Edit")(null)).toBe(true);
});

test("a tool is matched by its own name and by the one that hooks know", () => {
  const values = matchValuesOf({ hookEventName: "PreToolUse", toolName: "bash" } as never);

  expect(values).toContain("bash");
  expect(createMatcher("Bash")(values)).toBe(true);
});

test("a changed file is matched by its name without directories", () => {
  expect(matchValuesOf({ hookEventName: "FileChanged", filePath: "/work/src/a.ts" } as never)).toEqual(["a.ts"]);
});

test("an expression that never ends matches, and what is not one is refused", () => {
  expect(createMatcher("^(a+)+$")([`${"a".repeat(40)}!`])).toBe(true);
  expect(() => createMatcher("(")).toThrow(SyntaxError);
});
