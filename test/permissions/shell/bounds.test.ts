import { expect, test } from "vitest";
import { analyzeCommand } from "../../../src/permissions/shell/analyze-command.js";
import { mentions } from "../../../src/permissions/shell/unread.js";

test.each([
  ["a megabyte", `${"x ".repeat(500_000)}; git push --force`],
  ["ten thousand commands", "git push --force;".repeat(10_000)],
  ["deep substitutions", `${"$(".repeat(20_000)}git push --force`],
  ["deep groups", `${"( ".repeat(20_000)}git push --force`],
  ["many here-documents", `${"<<a ".repeat(1_000)}\ngit push --force`],
])("%s: opaque, and rules that deny still find the command", (_name, script) => {
  const { opaque, unread, commands } = analyzeCommand(script, { cwd: "/work" });

  expect(opaque).toBe(true);
  const isSeen = commands.some(({ generous }) => generous.includes("git push --force"));
  expect(isSeen || mentions(unread!, ["git", "push", "--force"])).toBe(true);
});

test("quotes and escapes do not hide a program in what was not parsed", () => {
  const script = `${" ".repeat(100_000)}g'i't pu\\sh`;

  expect(mentions(analyzeCommand(script).unread!, ["git", "push"])).toBe(true);
});
