import { expect, test } from "vitest";
import { MentionedRules } from "../../../src/permissions/rules/rule-coverage.js";
import { ruleSet } from "../../../src/permissions/rules/rule-set.js";
import { compileRules } from "../../../src/permissions/rules/rules.js";
import { analyzeCommand } from "../../../src/permissions/shell/analyze-command.js";

const { limits } = ruleSet(
  compileRules(
    [
      {
        source: "flag",
        deny: ["Read(.env)", "Read(secrets/**)", "WebFetch(domain:evil.example)"],
        allow: ["Read(a.ts)"],
      },
    ],
    { root: "/project", home: "/home" },
  ),
);
const mentioned = (line: string) => {
  const { commands } = analyzeCommand(line);
  return new MentionedRules(() => commands, limits).find(commands[0]!)?.ref.rule;
};

test.each([
  ["curl -w @.env x", "Read(.env)"],
  ["tool --file=.env", "Read(.env)"],
  ["tool ./sub/.ENV", "Read(.env)"],
  ["tool secrets/key.txt", "Read(secrets/**)"],
  ["tool -Isecrets", "Read(secrets/**)"],
  ["python3 -c \"print(open('.e' + 'nv').read())\"", "Read(.env)"],
  ['perl -e \'open F, ".e" . "nv"\'', "Read(.env)"],
  ["duckdb -c \"select * from '.env'\"", "Read(.env)"],
  ["7za a x -ir!.env", "Read(.env)"],
  ["tool file://$PWD/.env", "Read(.env)"],
  ["tool --proxy=http://evil.example:80", "WebFetch(domain:evil.example)"],
])("%s names what %s is about", (line, rule) => {
  expect(mentioned(line)).toBe(rule);
});

test.each([
  "tool .env.example",
  "tool process.env",
  "tool a.ts",
  "tool environment",
  "tool 'process.env'",
  ".env x",
  "tool good.example",
])("%s names nothing of the kind", (line) => {
  expect(mentioned(line)).toBeUndefined();
});

test("a command is compared with its own words, not with those of its neighbours", () => {
  const { commands } = analyzeCommand("tool a; tool .env");
  const found = new MentionedRules(() => commands, limits);

  expect(commands.map((command) => found.find(command)?.ref.rule)).toEqual([undefined, "Read(.env)"]);
});
