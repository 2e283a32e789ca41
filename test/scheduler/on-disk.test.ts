// What only shows with real files: overwriting, skills with rules, work trees that conflict or ask.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine, type ProviderRequest } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createScheduler } from "../../src/scheduler/index.js";
import { defineSkill, loadSkills } from "../../src/skills/index.js";
import { createSubagentTools, defineSubagent } from "../../src/subagents/index.js";
import { builtinTools } from "../../src/tools/index.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { textsOf } from "../subagents/kit.js";
import { ALLOW_ALL, directory, onDisk, task } from "./kit.js";

const write = (id: string, content: string, more = {}) =>
  task(id, {
    tool: { name: "write_file", input: { path: "a.txt", content } },
    criterion: { kind: "file", path: "a.txt", equals: content },
    ...more,
  });

test("a plan may replace what it has read or written itself, and nothing it has not seen", async () => {
  const outcomes: unknown[] = [];
  const read = task("read", {
    tool: { name: "read_file", input: { path: "a.txt" } },
    criterion: { kind: "file", path: "a.txt" },
  });
  const between = task("between", { tool: { name: "list_dir", input: {} }, dependsOn: ["read"] });
  const plans = [[read, between, write("write", "new", { dependsOn: ["between"] })], [write("write", "new")]];
  for (const tasks of plans) {
    const { root, workspace, engine } = await onDisk();
    writeFileSync(join(root, "a.txt"), "old");
    const scheduler = createScheduler({
      engine,
      workspace,
      predicates: { any: () => true },
      decomposer: (goal) => ({ goal, tasks }),
      limits: { maxAttempts: 1, maxReplans: 0 },
    });
    const report = await scheduler.run("goal").result;
    outcomes.push([report.status, readFileSync(join(root, "a.txt"), "utf8")]);
  }
  expect(outcomes).toEqual([
    ["done", "new"],
    ["failed", "old"],
  ]);
});

test("a file that a task wrote, and whose check failed, is written again by the next attempt", async () => {
  const { root, workspace, engine } = await onDisk();
  let checks = 0;
  const scheduler = createScheduler({
    engine,
    workspace,
    verifier: () => ++checks > 1,
    decomposer: (goal) => ({ goal, tasks: [write("write", "same")] }),
    limits: { retryDelayMs: 0 },
  });

  const report = await scheduler.run("goal").result;

  expect(report.tasks).toMatchObject([{ status: "done", attempts: 2 }]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("same");
});

test("the rules of the chosen skill hold for every task, whoever does it", async () => {
  const skill = defineSkill({
    name: "tidy-up",
    description: "Tidy up the notes.",
    instructions: "Tidy.",
    guardrails: [{ text: "Never write to secret.", rule: "write_file(secret.txt)" }],
  });
  const skills = await loadSkills({ skills: [skill] });
  const worker = defineSubagent({ name: "worker", description: "Works.", systemPrompt: "You work." });
  const provider = scripted(
    [
      ({ messages }: ProviderRequest) =>
        messages.at(-1)?.role === "tool"
          ? text(JSON.stringify(messages.at(-1)).includes("Created") ? "written" : "refused")
          : toolCall("write_file", { path: "secret.txt", content: "x" }),
    ],
    { loop: true },
  );
  const { root, workspace, engine } = await onDisk({
    provider,
    permissions: skills.gate(createPermissionChecker({ mode: "bypassPermissions" })),
    contextSources: [skills.source],
  });
  const byTool = task("tool", { tool: { name: "write_file", input: { path: "secret.txt", content: "x" } } });
  const said = { kind: "predicate", name: "refused" } as const;
  const scheduler = createScheduler({
    engine,
    workspace,
    skills,
    subagents: [worker],
    predicates: { any: () => true, refused: ({ output }) => output === "refused" },
    decomposer: (goal) => ({
      goal,
      tasks: [byTool, task("main", { criterion: said }), task("sub", { subagent: "worker", criterion: said })],
    }),
    limits: { maxReplans: 0 },
  });

  const report = await scheduler.run("Tidy up the notes").result;

  expect(report.tasks.map(({ id, status }) => `${id} ${status}`)).toEqual(["tool failed", "main done", "sub done"]);
  expect(existsSync(join(root, "secret.txt"))).toBe(false);
});

/** Workers in work trees of a repository whose one file, a.txt, they edit as `edits` says. */
async function inTrees(edits: Record<string, readonly [string, string]>, permissions = ALLOW_ALL as never) {
  const root = directory();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: root });
  writeFileSync(join(root, "a.txt"), "list:\n");
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  const worker = defineSubagent({
    name: "worker",
    description: "Edits.",
    systemPrompt: "You edit.",
    isolation: "worktree",
  });
  const workspaces = [await createWorkspace({ root })];
  const provider = scripted(
    [
      ({ messages }: ProviderRequest) => {
        const prompt = textsOf({ messages } as never).join("\n");
        const id = /Do (\w+)\./.exec(prompt)![1]!;
        const isAgain = prompt.includes("An earlier attempt has failed");
        const [old_text, new_text] = isAgain ? ["list:\n", `list:\n- ${id} again\n`] : edits[id]!;
        return messages.at(-1)?.role === "tool"
          ? text(`Edited for ${id}.`)
          : toolCall("edit_file", { path: "a.txt", old_text, new_text });
      },
    ],
    { loop: true },
  );
  const worktrees = {
    root,
    dir: directory(),
    tools: async (dir: string) => {
      const workspace = await createWorkspace({ root: dir });
      workspaces.push(workspace);
      return builtinTools(workspace);
    },
  };
  const tools = [...builtinTools(workspaces[0]!), ...createSubagentTools({ subagents: [worker], worktrees })];
  const engine = new AgentEngine({ provider, tools, permissions });
  onTestFinished(async () => {
    await engine.close();
    for (const workspace of workspaces) await workspace.close();
  });
  const tasks = Object.keys(edits).map((id) => task(id, { subagent: "worker" }));
  const scheduler = createScheduler({
    engine,
    subagents: [worker],
    predicates: { any: () => true },
    decomposer: (goal) => ({ goal, tasks }),
    limits: { retryDelayMs: 0 },
  });
  return { root, scheduler };
}

test("of two workers that change the same lines, one is tried again on what the other has left", async () => {
  const { root, scheduler } = await inTrees({ x: ["list:\n", "list:\n- x\n"], y: ["list:\n", "list:\n- y\n"] });

  const report = await scheduler.run("goal").result;

  expect(report.tasks.map(({ status, attempts }) => [status, attempts]).sort()).toEqual([
    ["done", 1],
    ["done", 2],
  ]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toMatch(/^list:\n- (x again\n- y|y again\n- x)\n$/);
  expect(report.files).toEqual(["a.txt"]);
});

test("what a worker in a work tree asks is answered through the plan, and it goes on in its tree", async () => {
  const decide = ({ tool }: { tool: { name: string } }) => ({ behavior: tool.name === "edit_file" ? "ask" : "allow" });
  const { root, scheduler } = await inTrees({ x: ["list:\n", "list:\n- x\n"] }, { decide } as never);

  const asked = await scheduler.run("goal", { sessionId: "p" }).result;
  const answers = asked.pending.map(({ id }) => ({ id, decision: "allow" as const }));
  const report = await scheduler.resume("p", { answers }).result;

  expect(asked).toMatchObject({ status: "needs-approval", pending: [{ tool: "edit_file", agentPath: ["worker"] }] });
  expect(report).toMatchObject({ status: "done", files: ["a.txt"], tasks: [{ attempts: 1 }] });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("list:\n- x\n");
});

test("a sub-agent in a work tree that the engine cannot give it is refused when the scheduler is made", () => {
  const worker = defineSubagent({
    name: "worker",
    description: "Edits.",
    systemPrompt: "You edit.",
    isolation: "worktree",
  });
  const engine = new AgentEngine({ provider: scripted([]) });

  expect(() => createScheduler({ engine, subagents: [worker] })).toThrow(/works in a work tree.*createSubagentTools/);
});
