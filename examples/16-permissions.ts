// Shows: rules, a mode and a workspace deciding what an agent may do; explaining, linting and testing them.
// Run:   npx tsx examples/16-permissions.ts
// Expect: two commands run, one is denied, one is asked and remembered; the policy's own tests pass.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine } from "loopwright";
import { createPermissionChecker, lintRules, type PermissionRules, testPolicy } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const rules: PermissionRules = {
  allow: ["Bash(echo *)", "Edit(notes/**)"],
  deny: ["Bash(git push:*)", "Read(.env)"],
};
assert.deepEqual(lintRules(rules), []);

const root = mkdtempSync(join(tmpdir(), "loopwright-permissions-"));
const workspace = await createWorkspace({ root });
const permissions = createPermissionChecker({ workspace, rules });

// A policy has tests of its own, and says why it decides as it does.
const failures = await testPolicy(permissions, [
  { tool: "bash", input: { command: "ls && echo done" }, expect: "allow" },
  { tool: "bash", input: { command: "env X=1 git -C sub push --force" }, expect: "deny" },
  { tool: "Edit", input: { file_path: "notes/today.md" }, expect: "allow" },
  { tool: "bash", input: { command: "cat .en?" }, expect: "deny" },
]);
assert.deepEqual(failures, []);
console.log((await permissions.explain({ tool: "bash", input: { command: "ls; bash -c 'git push'" } })).text);

const bash = (command: string) => toolCall("bash", { command });
const asked: string[] = [];
const engine = new AgentEngine({
  provider: scripted([
    [bash("ls"), bash("echo hello"), bash("git push")],
    bash("mkdir -p notes"),
    bash("mkdir -p notes/2026"),
    text("Done."),
  ]),
  tools: builtinTools(workspace),
  permissions,
  // "Always" is data: the narrowest rules that would have allowed the call.
  approver: ({ input, suggestions }) => {
    asked.push((input as { command: string }).command);
    return { decision: "allow", remember: suggestions };
  },
});
const statuses: string[] = [];
engine.on("tool-call-end", ({ result }) => void statuses.push(result.status));
const result = await engine.run("Tidy up.");
console.log(statuses, asked);

await engine.close();
await workspace.close();
rmSync(root, { recursive: true, force: true });
assert.equal(result.status, "completed");
assert.deepEqual([...statuses].sort(), ["denied", "success", "success", "success", "success"]);
assert.deepEqual(asked, ["mkdir -p notes"]);
