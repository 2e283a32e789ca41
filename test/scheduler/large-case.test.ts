// A change over many files of a git repository: parallel workers in work trees of their own, one of which lies, so that the
// tests fail, the plan is replaced, and the tests pass in the end.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine, type ProviderRequest } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createScheduler } from "../../src/scheduler/index.js";
import { createSubagentTools, defineSubagent } from "../../src/subagents/index.js";
import { builtinTools } from "../../src/tools/index.js";
import { createWorkspace, type Workspace } from "../../src/workspace/index.js";
import { textsOf } from "../subagents/kit.js";
import { directory, followed, lifeOf } from "./kit.js";

const MODULES = ["m0", "m1", "m2", "m3", "m4", "m5"];
const LIAR = "m3";

function repository(): { root: string; git: (...args: string[]) => string } {
  const root = directory();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: root, encoding: "utf8" });
  mkdirSync(join(root, "src"));
  for (const name of MODULES) {
    writeFileSync(
      join(root, `src/${name}.mjs`),
      `// Module ${name}.\nexport function getName() {\n  return "${name}";\n}\n`,
    );
  }
  const imports = MODULES.map((name) => `import { readName as ${name} } from "./src/${name}.mjs";`);
  const checks = MODULES.map((name) => `test("${name}", () => assert.equal(${name}(), "${name}"));`);
  const head = [`import test from "node:test";`, `import assert from "node:assert/strict";`];
  writeFileSync(join(root, "all.test.mjs"), `${[...head, ...imports, ...checks].join("\n")}\n`);
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "first");
  return { root, git };
}

const rename = (name: string) => ({
  id: `rename-${name}`,
  title: `Rename in ${name}`,
  instructions: `Rename getName to readName in src/${name}.mjs.`,
  subagent: "worker",
  dependsOn: [],
  criterion: { kind: "file", path: `src/${name}.mjs`, contains: "readName" },
});

const runTests = (id: string, dependsOn: readonly string[]) => ({
  id,
  title: "Run the tests",
  instructions: "All tests have to pass.",
  tool: { name: "bash", input: { command: "node --test --test-reporter=tap 2>&1 | grep '^# '" } },
  dependsOn,
  criterion: { kind: "command", command: "node --test" },
});

/** The planner, and workers that read, edit and report. The liar only writes a comment, which looks right. */
function model({ system, messages }: ProviderRequest) {
  const prompt = textsOf({ messages } as never).join("\n");
  if (!system.some(({ text }) => text === "You rename.")) {
    if (!prompt.includes("An earlier plan has failed")) {
      const tasks = [
        ...MODULES.map(rename),
        runTests(
          "tests",
          MODULES.map((name) => `rename-${name}`),
        ),
      ];
      return text(JSON.stringify({ tasks }));
    }
    const fix = {
      id: "fix",
      title: "Rename the function itself",
      instructions: "The declaration was left out.",
      tool: {
        name: "edit_file",
        input: { path: `src/${LIAR}.mjs`, old_text: "function getName", new_text: "function readName" },
      },
      dependsOn: [`rename-${LIAR}`],
      criterion: { kind: "file", path: `src/${LIAR}.mjs`, contains: "export function readName" },
    };
    return text(JSON.stringify({ tasks: [fix, runTests("tests-again", ["fix"])] }));
  }
  const name = /in src\/(m\d)\.mjs/.exec(prompt)![1]!;
  const path = `src/${name}.mjs`;
  const step = messages.filter(({ role }) => role === "assistant").length;
  if (step === 0) return toolCall("read_file", { path });
  const [old_text, new_text] =
    name === LIAR ? [`// Module ${name}.`, `// Module ${name}: readName.`] : ["function getName", "function readName"];
  if (step === 1) return toolCall("edit_file", { path, old_text, new_text });
  return text(`Renamed in ${path}.\nFact: ${path} exports readName now`);
}

test("a change over many files ends with green tests, although one worker lies", async () => {
  const { root, git } = repository();
  const trees = directory();
  const workspaces: Workspace[] = [];
  const open = async (dir: string) => {
    const workspace = await createWorkspace({ root: dir });
    workspaces.push(workspace);
    return workspace;
  };
  const workspace = await open(root);
  const worker = defineSubagent({
    name: "worker",
    description: "Renames.",
    systemPrompt: "You rename.",
    isolation: "worktree",
  });
  const inTree = { root, dir: trees, tools: async (dir: string) => builtinTools(await open(dir)) };
  const engine = new AgentEngine({
    provider: scripted([model as never], { loop: true }),
    tools: [...builtinTools(workspace), ...createSubagentTools({ subagents: [worker], worktrees: inTree })],
    permissions: createPermissionChecker({
      mode: "acceptEdits",
      workspace,
      rules: { allow: ["bash(node --test)", "bash(node --test --test-reporter=tap)"] },
    }),
  });
  onTestFinished(async () => {
    await engine.close();
    for (const one of workspaces) await one.close();
  });
  const scheduler = createScheduler({
    engine,
    workspace,
    subagents: [worker],
    limits: { maxAttempts: 2, retryDelayMs: 0 },
  });

  const { events, report } = await followed(scheduler.run("Rename getName to readName everywhere"));

  expect(report.summary).toMatch(/# pass 6/);
  expect(report).toMatchObject({
    status: "done",
    replans: [{ failed: [{ id: "tests", reason: expect.stringContaining("exit code 1") }] }],
  });
  expect(report.tasks.map(({ id, status, attempts }) => `${id} ${status} ${attempts}`)).toEqual([
    ...MODULES.map((name) => `rename-${name} done 1`),
    "fix done 1",
    "tests-again done 1",
  ]);
  expect(lifeOf("tests", events)).toEqual(["running", "verifying", "failed"]);
  expect([...report.files].sort()).toEqual(MODULES.map((name) => `src/${name}.mjs`));
  expect(report.facts).toContain("src/m0.mjs exports readName now");
  expect(report.usage.inputTokens).toBe(10 * (2 + 6 * 3));
  expect(spawnSync(process.execPath, ["--test"], { cwd: root, env: { PATH: process.env.PATH } }).status).toBe(0);
  expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
  for (const name of MODULES)
    expect(readFileSync(join(root, `src/${name}.mjs`), "utf8")).toContain("function readName");
});
