// Shows: the built-in tools at work in a directory: write, read, edit, search, run.
// Run:   npx tsx examples/07-files-and-shell.ts
// Expect: each call with the first line of its result; one path outside the directory is refused.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";

const directory = await mkdtemp(join(tmpdir(), "loopwright-example-"));
const workspace = await createWorkspace({ root: directory });

const provider = scripted([
  toolCall("write_file", { path: "src/greet.mjs", content: 'console.log("Hello, wrold!");\n' }),
  [toolCall("glob", { pattern: "**/*.mjs" }), toolCall("grep", { pattern: "wrold" })],
  toolCall("edit_file", { path: "src/greet.mjs", old_text: "wrold", new_text: "world" }),
  toolCall("bash", { command: "node src/greet.mjs" }),
  toolCall("read_file", { path: "../../etc/passwd" }),
  text("The greeting is spelled right."),
]);

const engine = new AgentEngine({
  provider,
  tools: builtinTools(workspace),
  permissions: { decide: () => ({ behavior: "allow" }) }, // The directory is a throwaway; the sandbox still holds.
});

try {
  const lines: string[] = [];
  engine.on("tool-call-end", ({ result }) => lines.push(`${result.name}: ${String(result.output).split("\n")[0]}`));
  const result = await engine.run("Write a greeting, check its spelling, run it.");
  console.log([...lines, result.text].join("\n"));

  assert.equal(result.status, "completed");
  assert.equal(await readFile(join(directory, "src/greet.mjs"), "utf8"), 'console.log("Hello, world!");\n');
  assert.match(String(provider.requests[4]?.lastToolResult?.output), /^Hello, world!/);
  assert.equal(provider.requests[5]?.lastToolResult?.isError, true);
} finally {
  await engine.close();
  await workspace.close();
  await rm(directory, { recursive: true });
}
