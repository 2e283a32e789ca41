// Shows: the built-in tools alone, called by your own code: no engine, no model.
// Run:   npx tsx examples/11-tools-without-engine.ts
// Expect: a file written, edited and run; then two failures, which are results and not exceptions.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JsonValue, ToolRegistry } from "loopwright";
import { fakeToolContext } from "loopwright/testing";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";

const directory = await mkdtemp(join(tmpdir(), "loopwright-example-"));
const workspace = await createWorkspace({ root: directory });
const registry = new ToolRegistry(builtinTools(workspace));

// The same pipeline an engine uses: parse, validate, permission of the tool itself, execute. It never throws.
let calls = 0;
async function call(name: string, args: JsonValue) {
  return registry.execute({ id: `call_${++calls}`, name, arguments: args }, fakeToolContext());
}

try {
  const results = [
    await call("write_file", { path: "sum.mjs", content: "console.log(1 + 1);\n" }),
    await call("edit_file", { path: "sum.mjs", old_text: "1 + 1", new_text: "20 + 22" }),
    await call("bash", { command: "node sum.mjs" }),
    await call("read_file", { path: "sums.mjs" }),
    await call("edit_file", { path: 7 }),
  ];
  console.log(results.map(({ name, status, output }) => `— ${name}: ${status}\n${output}`).join("\n"));

  assert.deepEqual(
    results.map(({ status }) => status),
    ["success", "success", "success", "failure", "failure"],
  );
  assert.equal(results[2]?.output, "42\n");
} finally {
  await workspace.close();
  await rm(directory, { recursive: true });
}
