// Shows: an agent whose files and commands are in a container without a network, which is removed at the end.
// Run:   npx tsx examples/machines/docker.ts node:24-slim   (needs Docker, or DOCKER_HOST; any image of a Linux will do)
// Expect: what the agent ran there, that it has no network, and that a file of this machine is not there.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { AgentEngine } from "loopwright";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { builtinTools } from "loopwright/tools";
import { createMachineWorkspace, dockerMachine } from "loopwright/workspace";

const image = process.argv[2] ?? "debian:stable-slim";
const workspace = await createMachineWorkspace({
  machine: dockerMachine({ image, run: ["--memory", "1g"] }),
  root: "/srv/agent",
  makeRoot: true,
}).catch((error) => {
  console.error(`This example needs a Docker engine and the image "${image}". ${error.message}`);
  process.exit(1);
});
// Without a key a script plays the model; any provider would do.
const provider = scripted([
  toolCall("write_file", { path: "count.sh", content: "seq 1 100 | wc -l\n" }),
  toolCall("bash", { command: "sh count.sh; ls /sys/class/net" }),
  toolCall("read_file", { path: fileURLToPath(import.meta.url) }),
  text("It counts to 100."),
]);
const engine = new AgentEngine({
  provider,
  tools: builtinTools(workspace),
  // The container is thrown away, and reaches nothing: nobody has to be asked.
  permissions: createPermissionChecker({ workspace, mode: "bypassPermissions" }),
});

const { text: answer } = await engine.run("How far does the script count?");

const [, ran, read] = provider.requests.slice(1).map(({ lastToolResult }) => String(lastToolResult?.output).trim());
console.log(ran);
console.log(read);
console.log(answer);
await engine.close();
await workspace.close();

assert.match(ran!, /^100\nlo$/m);
assert.match(read!, /outside/);
