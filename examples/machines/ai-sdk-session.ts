// Shows: an agent whose files and commands are in a sandbox session of the AI SDK.
// Run:   npx tsx examples/machines/ai-sdk-session.ts   (needs npm install @ai-sdk/sandbox-just-bash, on Node 22 or later)
// Expect: what the agent counted there, and that the session, which stays yours, has the file that it wrote.
import assert from "node:assert/strict";
import { AgentEngine } from "loopwright";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { builtinTools } from "loopwright/tools";
import { createWorkspaceOver, sessionFiles, sessionShell } from "loopwright/workspace";

const name = process.argv[2] ?? "@ai-sdk/sandbox-just-bash";
const { createJustBashSandbox } = await import(name).catch((error) => {
  console.error(`This example needs the package "${name}": npm install ${name}. ${error.message}`);
  process.exit(1);
});
// Any provider of sandboxes of the AI SDK has createSession(). One whose sessions can spawn() is a machine, and faster:
// createMachineWorkspace({ machine: sessionMachine(session), root }).
const session = await createJustBashSandbox().createSession();
const workspace = await createWorkspaceOver({
  root: "/home/user",
  files: sessionFiles(session),
  shell: sessionShell(session),
});
// Without a key a script plays the model; any provider would do.
const provider = scripted([
  toolCall("write_file", { path: "count.sh", content: "seq 1 100 | wc -l\n" }),
  toolCall("bash", { command: "sh count.sh" }),
  text("It counts to 100."),
]);
const engine = new AgentEngine({
  provider,
  tools: builtinTools(workspace),
  permissions: createPermissionChecker({ workspace, mode: "bypassPermissions" }),
});

const { text: answer } = await engine.run("How far does the script count?");
const ran = String(provider.requests[2]?.lastToolResult?.output).trim();
await engine.close();
await workspace.close();
const { stdout } = await session.run({ command: "cat count.sh" });

console.log(ran);
console.log(stdout.trim());
console.log(answer);
assert.match(ran, /^100$/m);
assert.equal(stdout, "seq 1 100 | wc -l\n");
