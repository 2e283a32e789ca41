import { expect, test } from "vitest";
import { compileCommandPattern } from "../../../src/permissions/rules/command-pattern.js";
import { analyzeCommand } from "../../../src/permissions/shell/analyze-command.js";

const pattern = (content: string) => compileCommandPattern(`Bash(${content})`, content);
const last = (line: string) => analyzeCommand(line).commands.at(-1)!;

test.each([
  ["npm test", "npm test", true],
  ["npm test", "npm test -- x", false],
  ["npm run test:*", "npm run test", true],
  ["npm run test:*", "npm run test -- x", true],
  ["npm run test:*", "npm run test:unit", false],
  ["npm run test*", "npm run test:unit", true],
  ["git * main", "git push origin main", true],
  ["git *", "/usr/bin/git status", false],
  ["ls *", "ls 'a b'", true],
  ["curl https://a.example/*", "curl https://a.example/x", true],
  ["curl https://a.example/*", "curl https://a.example/x https://b.example/", false],
  ["curl https://*.a.example/*", "curl https://x.a.example/y", true],
  ["curl https://*.a.example/*", "curl https://b.example/.a.example/y", false],
])("an allow of %s for %s: %s", (content, line, expected) => {
  expect(pattern(content).covers(last(line))).toBe(expected);
});

test.each([
  ["git push:*", "/usr/bin/git -C x push -f", true],
  ["git push --force:*", "git push origin -f", true],
  ["rm -rf:*", "rm -f -r x", true],
  ["rm -rf:*", "rm -r x", false],
  ["git push:*", "git stash push", false],
  ["git push:*", "timeout 5 sudo git push", true],
])("a deny of %s for %s: %s", (content, line, expected) => {
  expect(pattern(content).catches(last(line))).toBe(expected);
});

test("a rule with an operator is about the whole line", () => {
  expect(pattern("a && b").coversLine(" a && b ")).toBe(true);
  expect(pattern("a && b").coversLine("a && b && c")).toBe(false);
  expect(pattern("a").coversLine("a")).toBe(true);
});
