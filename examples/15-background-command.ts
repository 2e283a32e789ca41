// Shows: a command that runs on in the background: start a server, read what it writes, use it, end it.
// Run:   npx tsx examples/15-background-command.ts
// Expect: the server's own words, its answer to a request, and the line that says how it ended.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";

const directory = await mkdtemp(join(tmpdir(), "loopwright-example-"));
await writeFile(
  join(directory, "server.mjs"),
  `import { createServer } from "node:http";
   import { writeFileSync } from "node:fs";
   const server = createServer((request, response) => response.end("hello from " + request.url));
   server.listen(0, "127.0.0.1", () => {
     console.log("listening");
     writeFileSync("port", String(server.address().port));
   });`,
);
const request = `until [ -s port ]; do sleep 0.05; done
node -e 'fetch("http://127.0.0.1:" + process.argv[1] + "/tea").then(async (r) => console.log(await r.text()))' "$(cat port)"`;

const workspace = await createWorkspace({ root: directory });
const engine = new AgentEngine({
  provider: scripted([
    toolCall("bash", { command: "node server.mjs", description: "the server", run_in_background: true }),
    toolCall("bash", { command: request }),
    toolCall("bash_output", { task_id: "bash_1" }),
    toolCall("bash_kill", { task_id: "bash_1" }),
    text("The server works."),
  ]),
  tools: builtinTools(workspace, { names: ["bash", "bash_output", "bash_kill"] }),
  permissions: { decide: () => ({ behavior: "allow" }) }, // The directory is a throwaway.
});

try {
  const outputs: string[] = [];
  engine.on("tool-call-end", ({ result }) => outputs.push(`— ${result.name}: ${result.output}`));
  const result = await engine.run("Start the server and see whether it answers.");
  console.log([...outputs, result.text].join("\n"));

  assert.equal(result.status, "completed");
  assert.equal(outputs[1], "— bash: hello from /tea\n");
  assert.match(outputs[2]!, /listening\n\[bash_1: running for /);
  assert.match(outputs[3]!, /Ended: bash_1 \(the server\)/);
} finally {
  await engine.close();
  await workspace.close();
  await rm(directory, { recursive: true });
}
