// Large collections of attempts and of everyday work, run through the checker whole.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Workspace } from "../../src/index.js";
import { createPermissionChecker, type PermissionCheckerOptions } from "../../src/permissions/index.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { runs } from "../runs.js";
import { BENIGN } from "./corpus/benign.js";
import { WITHOUT_RULES } from "./corpus/bypass-plain.js";
import { AGAINST_RULES } from "./corpus/bypass-rules.js";
import { DENIED_COMMANDS, DISGUISES, READS, SPELLINGS } from "./corpus/denies.js";
import { FILE_CASES } from "./corpus/file-tools.js";
import {
  ASKED,
  DENIED,
  DENY_RULES,
  EVERYDAY,
  EVERYDAY_RULES,
  READING,
  WORKING,
  WORKING_RULES,
} from "./corpus/texts.js";
import { filesIn } from "./files-kit.js";
import { bash, behaviorOf, project } from "./kit.js";

const ALL = { allow: ["Bash", "Edit", "Read"] };
const MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;
/** Of everyday work, at most so much may ask. */
const MAX_ASKED_SHARE = 0.03;

let workspace: Workspace;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ workspace, close } = await project());
});
afterAll(() => close());

/** The commands a checker answers in one of these ways, with the answer. */
async function answered(
  options: PermissionCheckerOptions,
  commands: readonly string[],
  isWrong: (behavior: string) => boolean,
): Promise<string[]> {
  const checker = createPermissionChecker({ workspace, ...options });
  const wrong: string[] = [];
  for (const command of commands) {
    const behavior = await behaviorOf(checker, bash(command));
    if (isWrong(behavior)) wrong.push(`${behavior}: ${command}`);
  }
  return wrong;
}

test.each(Object.entries(WITHOUT_RULES))(
  "without rules, nothing that does more than read runs: %s",
  async (_, lines) => {
    expect(await answered({}, lines, (behavior) => behavior === "allow")).toEqual([]);
  },
);

test.each(Object.entries(AGAINST_RULES))("%s allows nothing that does more than its name says", async (rule, lines) => {
  expect(await answered({ rules: { allow: [rule] } }, lines, (behavior) => behavior === "allow")).toEqual([]);
});

test.each(DENIED_COMMANDS)("%s is a deny in every disguise of %s", async (rule, command) => {
  const [program = "", ...rest] = command.split(" ");
  // Every disguise, or every other one; the next command then wears those between.
  const step = runs(2, 1, 1);
  const first = DENIED_COMMANDS.findIndex(([each]) => each === rule) % step;
  const disguised = DISGUISES.filter((_, index) => index % step === first).map((each) =>
    each.replaceAll("CMD", command).replaceAll("PROGRAM", program).replaceAll("REST", rest.join(" ")),
  );

  const rules = { ...ALL, deny: [rule] };
  expect(await answered({ rules }, disguised, (behavior) => behavior !== "deny")).toEqual([]);
});

test.each(Object.entries(SPELLINGS))("%s is a deny in every spelling of the command", async (rule, lines) => {
  expect(await answered({ rules: { ...ALL, deny: [rule] } }, lines, (behavior) => behavior !== "deny")).toEqual([]);
});

test("a deny to read a file is a deny for every command that names it", async () => {
  const lines = READS.map((line) => line.replaceAll("FILE", ".env"));

  const rules = { ...ALL, deny: ["Read(./.env)"] };
  expect(await answered({ rules }, lines, (behavior) => behavior !== "deny")).toEqual([]);
});

test("what a hostile reader tries does not run without a question, and is denied where a rule denies it", async () => {
  expect(await answered({}, ASKED, (behavior) => behavior === "allow")).toEqual([]);
  expect(await answered({ rules: DENY_RULES }, DENIED, (behavior) => behavior !== "deny")).toEqual([]);
});

test("everyday work in a project with secrets runs without a question", async () => {
  expect(await answered({ rules: EVERYDAY_RULES }, EVERYDAY, (behavior) => behavior !== "allow")).toEqual([]);
});

test("of a hundred lines at most two ask where only reading happens, and at most three under rules for the work", async () => {
  const files = await filesIn(
    ..."src/a.ts src/b.test.ts src/util/c.ts docs/intro.md packages/a/package.json packages/b/package.json README.md".split(
      " ",
    ),
    ..."CHANGELOG.md package.json tsconfig.json data.csv data.txt tests/t.py Makefile test/a.test.ts list.txt".split(
      " ",
    ),
  );
  files.git("init", "-q", "-b", "main");
  files.git("add", ".");
  files.git("commit", "-q", "-m", "a");

  const reading = await files.others("allow", READING);
  const working = await files.others("allow", WORKING, WORKING_RULES, "acceptEdits");

  expect(reading.length / READING.length, reading.join("\n")).toBeLessThanOrEqual(0.02);
  expect(working.length / WORKING.length, working.join("\n")).toBeLessThanOrEqual(0.03);
  expect([...reading, ...working].filter((each) => each.startsWith("deny"))).toEqual([]);
  await files.close();
});

test("of everyday work at most three of a hundred lines ask", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-everyday-")));
  for (const directory of ["src", "docs", "packages/a", "packages/b"])
    mkdirSync(join(root, directory), { recursive: true });
  for (const file of ["src/a.ts", "README.md", "package.json"]) writeFileSync(join(root, file), "content\n");
  const own = await createWorkspace({ root });
  const asked: string[] = [];

  for (const { rules, lines } of Object.values(BENIGN)) {
    asked.push(...(await answered({ workspace: own, rules }, lines, (behavior) => behavior !== "allow")));
  }

  const total = Object.values(BENIGN).reduce((sum, { lines }) => sum + lines.length, 0);
  expect(asked.length / total, asked.join("\n")).toBeLessThanOrEqual(MAX_ASKED_SHARE);
  expect(asked.filter((each) => each.startsWith("deny"))).toEqual([]);
  await own.close();
  rmSync(root, { recursive: true, force: true });
});

test("file tools answer as the rules about files say", async () => {
  const wrong: string[] = [];
  for (const [rules, tool, path, answer] of FILE_CASES) {
    const checker = createPermissionChecker({ workspace, rules });
    const behavior = await behaviorOf(checker, { tool, input: { path, file_path: path } });
    if (behavior !== answer) wrong.push(`${JSON.stringify(rules)} ${tool} ${path}: ${behavior} instead of ${answer}`);
  }

  expect(wrong).toEqual([]);
});

test("modes, sources and hooks keep the fixed order: deny, ask, allow, mode, hook", async () => {
  const wrong: string[] = [];
  const sources = ["policy", "user", "session", "project"] as const;
  // Every combination, or one of seven, which meets each two choices together.
  const step = runs(7, 1, 1);
  let combination = 0;
  for (const mode of MODES) {
    for (const denies of [null, ...sources]) {
      for (const asks of [null, ...sources]) {
        for (const allows of [null, ...sources]) {
          for (const hook of [undefined, "allow", "ask"] as const) {
            if (combination++ % step > 0) continue;
            const command = "npm test";
            const checker = createPermissionChecker({
              workspace,
              mode,
              sources: [
                ...(denies ? [{ source: denies, deny: [`Bash(${command})`] }] : []),
                ...(asks ? [{ source: asks, ask: [`Bash(${command})`] }] : []),
                ...(allows ? [{ source: allows, allow: [`Bash(${command})`] }] : []),
              ],
            });
            const request = { ...bash(command), ...(hook && { hook: { behavior: hook } }) };
            const behavior = await behaviorOf(checker, request);
            const asked = mode === "dontAsk" ? "deny" : "ask";
            const expected =
              denies || mode === "plan"
                ? "deny"
                : asks || hook === "ask"
                  ? asked
                  : allows || mode === "bypassPermissions" || hook === "allow"
                    ? "allow"
                    : asked;
            if (behavior !== expected)
              wrong.push(JSON.stringify({ mode, denies, asks, allows, hook, behavior, expected }));
          }
        }
      }
    }
  }

  expect(wrong).toEqual([]);
});

test("what a suggestion adds allows the call next time, and no other command", async () => {
  const wrong: string[] = [];
  const step = runs(7, 1, 1);
  for (const [name, { lines }] of Object.entries(BENIGN)) {
    for (const command of lines.filter((_, index) => index % step === 0)) {
      const checker = createPermissionChecker({ workspace });
      const { behavior, suggestions = [] } = await checker.decide({ ...bash(command), sessionId: "s" });
      if (behavior !== "ask" || suggestions.length === 0) continue;
      checker.remember(suggestions, { sessionId: "s" });
      const again = await behaviorOf(checker, { ...bash(command), sessionId: "s" });
      const other = await behaviorOf(checker, { ...bash(`${command}; unheard-of`), sessionId: "s" });
      if (again !== "allow" || other === "allow") wrong.push(`${name}: ${command}: ${again}, ${other}`);
    }
  }

  expect(wrong).toEqual([]);
});
