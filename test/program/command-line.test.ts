import { expect, test } from "vitest";
import { MODES } from "../../src/permissions/decision.js";
import { readCommandLine } from "../../src/program/command-line.js";

test.each([
  [[], { command: "chat", words: [], print: false }],
  [["fix", "the", "tests"], { command: "chat", words: ["fix", "the", "tests"] }],
  [["sessions"], { command: "sessions", words: [] }],
  [["inspect", "abc", "--serve"], { command: "inspect", words: ["abc"], serve: true }],
  [["-p", "demo"], { command: "chat", words: ["demo"], print: true }],
  [["--", "sessions", "-p"], { command: "chat", words: ["sessions", "-p"], print: false }],
  [["help"], { command: "help" }],
  [["-hv"], { command: "help" }],
  [["-p", "--output-format=json", "x"], { outputFormat: "json" }],
  [["--max-cost", "0.5", "--max-turns=3"], { maxCostUsd: 0.5, maxTurns: 3 }],
  [["-p", "--max-tokens", "4000", "Go"], { maxTokens: 4000, words: ["Go"] }],
  [["--budget", "$2.50"], { budget: { maxCostUsd: 2.5 } }],
  [["--budget", "200k tokens", "-c"], { budget: { maxTokens: 200_000 }, continueLast: true }],
  [["--docker", "node:24", "--docker-network", "Go"], { docker: "node:24", dockerNetwork: true, words: ["Go"] }],
  [["sessions", "--ssh", "a@b:/c"], { command: "sessions", ssh: "a@b:/c" }],
  [["trust", "--dir", "a"], { command: "trust", directory: "a" }],
  [
    ["--allowed-tools", "Bash(git log *), Edit Read", "--allowed-tools", "Write(a b/**)"],
    { allowedTools: ["Bash(git log *)", "Edit", "Read", "Write(a b/**)"] },
  ],
])("%j is understood", (argv, expected) => {
  expect(readCommandLine(argv)).toMatchObject(expected);
});

test("--permission-mode takes the modes of the permissions, and a refusal names them all", () => {
  expect(MODES.map((mode) => readCommandLine(["--permission-mode", mode]).permissionMode)).toEqual(MODES);
  for (const mode of MODES) expect(() => readCommandLine(["--permission-mode", "none"])).toThrow(mode);
});

test.each([
  [["--print=yes"], "takes no value"],
  [["--serve"], "belongs to loopwright inspect"],
  [["--output-format", "json"], "add -p"],
  [["inspect", "--output-format", "stream-json"], "is for -p only"],
  [["inspect", "a", "b"], 'does not take "b"'],
  [["--max-cost", "0"], "expected a number above 0"],
  [["--max-tokens", "1.5"], "expected a whole number above 0"],
  [["--budget", "0"], "such as 2.50"],
  [["--budget", "a lot"], "such as 2.50"],
  [["-p", "--budget", "2"], "limit the run"],
  [["-x"], "There is no option -x"],
  [["--docker-network"], "belongs to --docker"],
  [["--docker", "a", "--ssh", "b:/c"], "it says another place for the tools"],
  [["--docker", "a", "--sandbox"], "for commands on this machine"],
  [["--ssh", "b:/c", "--trust-project"], "never starts anything here"],
  [["--ssh", "b:/c", "--dir", "a"], "behind the host"],
  [["sessions", "--docker", "a"], "does not belong to loopwright sessions"],
  [["trust", "--ssh", "b:/c"], "does not belong to loopwright trust"],
])("%j is refused", (argv, message) => {
  expect(() => readCommandLine(argv)).toThrow(message);
});
