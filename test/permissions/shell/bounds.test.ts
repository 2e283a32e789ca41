import { expect, test } from "vitest";
import { HOSTILE_LINES } from "../../../bench/hostile-lines.js";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { analyzeCommand } from "../../../src/permissions/shell/analyze-command.js";
import { MAX_COMMANDS, MAX_EFFECTS, MAX_TARGETS } from "../../../src/permissions/shell/script/findings.js";
import { UnparsedText } from "../../../src/permissions/shell/unparsed/unparsed-text.js";
import { withoutSyntax } from "../../../src/permissions/shell/unparsed/words-of-code.js";
import { runs } from "../../runs.js";

test.each([
  ["a megabyte", `${"x ".repeat(500_000)}; git push --force`],
  ["ten thousand commands", "git push --force;".repeat(10_000)],
  ["deep substitutions", `${"$(".repeat(20_000)}git push --force`],
  ["deep groups", `${"( ".repeat(20_000)}git push --force`],
  ["many here-documents", `${"<<a ".repeat(1_000)}\ngit push --force`],
])("%s: opaque, and what was not parsed is kept", (_name, script) => {
  const { opaque, unparsed: unread, commands } = analyzeCommand(script, { cwd: "/project" });

  expect(opaque).toBe(true);
  const isSeen = commands.some(({ variants: generous }) => generous.includes("git push --force"));
  expect(isSeen || unread!.includes("git push --force")).toBe(true);
});

test("quotes and escapes do not hide a program in what was not parsed", () => {
  const script = `${" ".repeat(100_000)}g'i't pu\\sh`;

  expect(new UnparsedText(withoutSyntax(analyzeCommand(script).unparsed!)).mentions(["git", "push"])).toBe(true);
});

/** Generous: it takes 200 ms on a machine that does nothing else. What grows with the square takes minutes. */
const MOST_MS = 5_000;

test.each([
  ["a megabyte of commands", "a;".repeat(500_000)],
  ["many words of one command", `mv ${"a ".repeat(21_000)}d`],
  ["many assignments", `${"a=b ".repeat(16_000)}ls`],
  ["many redirections", `ls ${">f ".repeat(4_900)}`],
  ["builtins that start each other", `${"exec ".repeat(10_000)}rm`],
  ["builtins past functions", `${"command ".repeat(8_000)}rm`],
  ["many braces", `rm ${"{1..60} ".repeat(5_000)}`],
  ["wrappers that may start any word", `${"unshare ".repeat(16)}rm -rf /`],
])("%s: read in bounded processor time, and not understood", (_name, script) => {
  const before = process.cpuUsage();
  const { opaque } = analyzeCommand(script, { cwd: "/project", home: "/home/user" });
  const { user, system } = process.cpuUsage(before);

  expect(opaque).toBe(true);
  expect((user + system) / 1_000).toBeLessThan(MOST_MS);
});

test.each([
  ["echo", "echo $(", ")"],
  ["quoted echo", 'echo "$(', ')"'],
  ["ls", "ls $(", ")"],
  ["assignments", "a=$(", ")"],
  ["process substitutions", "cat <(", ")"],
])("output of commands inside each other, %s: the time does not double with each level", (_name, open, close) => {
  // If it did, this would take days.
  const levels = 50;
  const { commands } = analyzeCommand(`${open.repeat(levels)}git push${close.repeat(levels)}`, { cwd: "/project" });

  expect(commands.map(({ text }) => text)).toContain("git push");
});

test.each([
  ["too many words", `cat ${"a ".repeat(2_000)}$(git push --force)`],
  ["too many assignments", `${"a=b ".repeat(200)}c=$(git push --force) ls`],
  ["too many wrappers", `${"sudo ".repeat(40)}git push --force`],
  ["too many builtins", `${"exec ".repeat(40)}git push --force`],
])("%s: opaque, and what is left of it is kept", (_name, script) => {
  const { opaque, unparsed: unread } = analyzeCommand(script, { cwd: "/project" });

  expect(opaque).toBe(true);
  expect(unread).toContain("git push --force");
});

test.each([
  [String.raw`$'\x67it' push`, ["git", "push"]],
  [String.raw`g$'\151't push`, ["git", "push"]],
  ["rm -fr x", ["rm", "-rf"]],
  ["rm x -f -r", ["rm", "-rf"]],
  ["rm --recursive --force x", ["rm", "-rf"]],
  ["git push origin --force", ["git", "push", "--force"]],
])("in what was not parsed, %j is found", (script, words) => {
  expect(new UnparsedText(withoutSyntax(script)).mentions(words)).toBe(true);
});

/** Some each time: all take seconds. */
const SOME = HOSTILE_LINES.filter((_, index) => index % runs(4, 1, 1) === 0);

test("hostile lines leave a bounded number of things to compare with rules", () => {
  for (const line of SOME) {
    const { commands, effects } = analyzeCommand(line, { cwd: "/project", home: "/home/user" });
    const length = effects.reduce((sum, effect) => sum + ("path" in effect ? (effect.path?.length ?? 0) : 0), 0);

    expect(commands.length, line.slice(0, 60)).toBeLessThanOrEqual(MAX_COMMANDS);
    expect(effects.length, line.slice(0, 60)).toBeLessThanOrEqual(MAX_EFFECTS);
    expect(length, line.slice(0, 60)).toBeLessThanOrEqual(2 * MAX_TARGETS);
    expect(Math.max(0, ...commands.map(({ variants }) => variants.length)), line.slice(0, 60)).toBeLessThanOrEqual(24);
  }
});

test.each([
  `frob ${"--a=src/x ".repeat(29)}`,
  `printf '%*${"A%0A%*".repeat(28)}1%1)T'`,
  `awk '/[^${"][^][^".repeat(14)}['`,
  `sed 's;${"!\t\\s".repeat(28)}\n'`,
])(
  "no pattern is tried in every way that its text could be divided: %s",
  async (command) => {
    const checker = createPermissionChecker({ rules: { allow: ["Bash"], deny: ["Read(.env)"] } });
    expect((await checker.decide({ tool: "bash", input: { command } })).behavior).toMatch(/^(?:ask|allow)$/);
  },
  10_000,
);
