// Shows: an agent whose files and commands are on a host behind SSH.
// Run:   npx tsx examples/machines/ssh.ts ssh://agent@build.example.com   (needs OpenSSH, a known host and a login without a password)
// Expect: the name of that host, the file that the agent wrote there, and nothing left of it.
import assert from "node:assert/strict";
import { AgentEngine } from "loopwright";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { builtinTools } from "loopwright/tools";
import { createMachineWorkspace, sshMachine } from "loopwright/workspace";

const address = process.argv[2];
if (address === undefined) {
  console.error("This example needs a host: npx tsx examples/machines/ssh.ts ssh://user@host:22");
  process.exit(1);
}
const { hostname: host, username, port } = new URL(address);
const root = `/tmp/loopwright-example-${process.pid}`;
const workspace = await createMachineWorkspace({
  machine: sshMachine({ host, user: username || undefined, port: port === "" ? undefined : Number(port) }),
  root,
  makeRoot: true,
}).catch((error) => {
  console.error(`This example needs a login on "${host}". ${error.message}`);
  process.exit(1);
});
// Without a key a script plays the model; any provider would do.
const provider = scripted([
  toolCall("write_file", { path: "notes/today.txt", content: "one\n" }),
  toolCall("edit_file", { path: "notes/today.txt", old_text: "one", new_text: "two" }),
  toolCall("bash", { command: "uname -n; cat notes/today.txt" }),
  text("The note says two."),
]);
const engine = new AgentEngine({
  provider,
  tools: builtinTools(workspace),
  permissions: createPermissionChecker({ workspace, mode: "acceptEdits" }),
  // Commands are asked about; this host allows them all.
  approver: () => ({ decision: "allow" }),
});

const { text: answer } = await engine.run("What does the note say?");

console.log(provider.requests.at(-1)?.lastToolResult?.output);
console.log(answer);
await engine.close();
const { exitCode } = await workspace.shell.run({ command: `rm -r ${root}` });
await workspace.close();

assert.match(String(provider.requests.at(-1)?.lastToolResult?.output), /two/);
assert.equal(exitCode, 0);
