import { expect, test } from "vitest";
import { formatRule, parseRule } from "../../src/rules/parse-rule.js";

test.each([
  ["Bash", "bash", null],
  ["bash(*)", "bash", null],
  ["Bash(:*)", "bash", null],
  ["Bash(npm run test:*)", "bash", "npm run test:*"],
  ["  Read( ./.env )  ", "read_file", "./.env"],
  ["Edit(src/**)", "edit_file", "src/**"],
  ["Agent(Explore)", "task", "Explore"],
  ["mcp__github__get_issue", "mcp__github__get_issue", null],
  ["mcp__github__*", "mcp__github__*", null],
  ["my-tool.v2", "my-tool.v2", null],
  ["BASH(rm *)", "bash", "rm *"],
])("%s is about %s", (rule, canonical, content) => {
  expect(parseRule(rule)).toMatchObject({ canonical, content });
});

test("a parenthesis in the content may be escaped, and need not be", () => {
  expect(parseRule("Bash(echo \\(a\\))").content).toBe("echo (a)");
  expect(parseRule("Bash(node -e 'f(1)')").content).toBe("node -e 'f(1)'");
});

test.each([
  "",
  "   ",
  "Bash(",
  "Bash(ls",
  "Bash(ls\\)",
  "Bash()",
  "Bash(  )",
  "Bash)",
  "(ls)",
  "Bash(ls)x",
  "Ba sh(ls)",
  "B\u0430sh(ls)",
  "Bash\u200b(ls)",
  "Bash(ls\nrm)",
  "Bash(ls\u0000)",
  `Bash(${"x".repeat(5_000)})`,
  42,
  null,
  undefined,
  {},
])("%j is refused with what is wrong", (rule) => {
  expect(() => parseRule(rule as string)).toThrow(/is malformed: .+\. Write/);
});

test("a rule that was taken apart is written as it was", () => {
  for (const rule of ["Bash", "Bash(ls *)", "Read(src/a.ts)"]) {
    const { tool, content } = parseRule(rule);
    expect(formatRule(tool, content)).toBe(rule);
  }
  expect(parseRule(formatRule("bash", "echo (a)")).content).toBe("echo (a)");
});
