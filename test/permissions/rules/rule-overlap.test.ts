import { expect, test } from "vitest";
import { covers } from "../../../src/permissions/rules/rule-overlap.js";
import { compileRule } from "../../../src/permissions/rules/rules.js";

const rule = (text: string) =>
  compileRule({ rule: text, behavior: "allow", source: "flag" }, { root: "/p", home: "/h" });

test.each([
  ["Bash", "Bash(ls)", true],
  ["Bash(npm *)", "Bash(npm test)", true],
  ["Bash(npm test)", "Bash(npm *)", false],
  ["Edit(src/**)", "Edit(src/a.ts)", true],
  ["Read(src/**)", "Edit(src/a.ts)", false],
  ["mcp__s", "mcp__s__t", true],
])("%s covers %s: %s", (broad, narrow, expected) => {
  expect(covers(rule(broad), rule(narrow))).toBe(expected);
});
