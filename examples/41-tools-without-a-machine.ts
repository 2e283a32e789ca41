// Shows: an agent whose files and commands are in memory, so that nothing it does reaches this machine.
// Run:   npx tsx examples/41-tools-without-a-machine.ts
// Expect: what the agent wrote and ran, the file it left, and the host's own file refused.
import assert from "node:assert/strict";
import { Bash } from "just-bash";
import { AgentEngine } from "loopwright";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { builtinTools } from "loopwright/tools";
import { createJustBashWorkspace } from "loopwright/workspace";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const bash = new Bash({ files: { "/home/user/orders.csv": "tea,3\nbread,2\ntea,4\n" } });
const workspace = await createJustBashWorkspace({ bash });
// Without a key a script plays the model; any provider would do.
const provider = scripted([
  toolCall("write_file", {
    path: "sum.sh",
    content: `awk -F, '$1 == "tea" { n += $2 } END { print n }' orders.csv\n`,
  }),
  toolCall("bash", { command: "bash sum.sh | tee total.txt" }),
  toolCall("read_file", { path: "/etc/hostname" }),
  text("Seven cups of tea were ordered."),
]);
const engine = new AgentEngine({
  provider,
  tools: builtinTools(workspace),
  // The files are the agent's own, so nobody has to be asked.
  permissions: createPermissionChecker({ workspace, mode: "bypassPermissions" }),
});

const { text: answer } = await engine.run("How many cups of tea were ordered?");

const results = provider.requests.slice(1).map(({ lastToolResult }) => String(lastToolResult?.output).trim());
for (const result of results) console.log(result);
console.log(
  answer,
  bash.fs.getAllPaths().filter((path) => path.endsWith(".txt")),
);
await engine.close();
await workspace.close();

assert.match(String(results[1]), /7/);
assert.match(String(results[2]), /outside/);
assert.equal(await bash.readFile("/home/user/total.txt"), "7\n");
