// Shows: a refactoring by two sub-agents, each in a git work tree of its own, merged into the repository afterwards.
// Run:   npx tsx examples/27-two-work-trees.ts
// Expect: both files are changed, and neither work tree nor branch is left.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, type ProviderRequest } from "loopwright";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createSubagentTools, defineSubagent } from "loopwright/subagents";
import { builtinTools } from "loopwright/tools";
import { createWorkspace, type Workspace } from "loopwright/workspace";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const base = mkdtempSync(join(tmpdir(), "loopwright-trees-"));
const root = join(base, "repository");
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@example.com", ...args], { encoding: "utf8" });
git("init", "-q", root);
for (const name of ["a", "b"]) writeFileSync(join(root, `${name}.js`), `var ${name} = 1;\n`);
git("-C", root, "add", "-A");
git("-C", root, "commit", "-qm", "first");

const workers = ["a", "b"].map((name) =>
  defineSubagent({ name, description: "Modernises.", systemPrompt: `Modernise ${name}.js.`, isolation: "worktree" }),
);

// Without a key a script plays the models; any provider would do.
const provider = scripted(
  [
    ({ system, messages }: ProviderRequest) => {
      const name = /^Modernise (\w)\.js/.exec(system[0]?.text ?? "")?.[1];
      const isDone = messages.at(-1)?.role === "tool";
      if (!name)
        return isDone
          ? text("Both are modern.")
          : workers.map((each) => toolCall("task", { prompt: "Go.", subagent_type: each.name }));
      return isDone ? text("Done.") : toolCall("edit_file", { path: `${name}.js`, old_text: "var", new_text: "const" });
    },
  ],
  { loop: true },
);

const open: Workspace[] = [];
const toolsIn = async (dir: string) => {
  const workspace = await createWorkspace({ root: dir });
  open.push(workspace);
  return builtinTools(workspace);
};
const worktrees = { root, dir: join(base, "trees"), tools: toolsIn };
const tools = [...(await toolsIn(root)), ...createSubagentTools({ subagents: workers, worktrees })];
const permissions = createPermissionChecker({ mode: "acceptEdits", workspace: open[0] });
const engine = new AgentEngine({ provider, tools, permissions });
const result = await engine.run("Modernise the code.");
await engine.close();
for (const workspace of open) await workspace.close();

console.log(result.text);
const files = ["a", "b"].map((name) => readFileSync(join(root, `${name}.js`), "utf8"));
console.log(files.join(""));
assert.deepEqual(files, ["const a = 1;\n", "const b = 1;\n"]);
assert.equal(git("-C", root, "worktree", "list").trim().split("\n").length, 1);
rmSync(base, { recursive: true });
