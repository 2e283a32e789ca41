// Shows: taking back what an agent did to files, without losing what you did to them meanwhile.
// Run:   npx tsx examples/20-checkpoints.ts
// Expect: the rewind is refused over your own edit, then leaves it and takes back the rest; an undo brings that back.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, isHarnessError } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createCheckpoints, createMemorySessionStore, rewindSession } from "loopwright/sessions";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";

const directory = await mkdtemp(join(tmpdir(), "loopwright-example-"));
const root = join(directory, "project");
await mkdir(root);
await writeFile(join(root, "notes.md"), "my notes, not committed\n");

const sessions = createMemorySessionStore();
const checkpoints = createCheckpoints({ dir: join(directory, "checkpoints"), sessions });
const workspace = await createWorkspace({ root, journal: checkpoints });
const rewinder = await checkpoints.open(workspace);
const engine = new AgentEngine({
  provider: scripted([
    toolCall("write_file", { path: "plan.md", content: "a plan\n" }),
    toolCall("write_file", { path: "src/main.ts", content: "main();\n" }),
    text("Done."),
  ]),
  sessions,
  tools: builtinTools(workspace),
  permissions: { decide: () => ({ behavior: "allow" }) },
});
const files = async () => (await readdir(root, { recursive: true })).sort();

try {
  const { sessionId } = await engine.run("Plan it and write it.");
  await writeFile(join(root, "plan.md"), "a plan, and what I think of it\n");
  let prompt = "";
  for await (const entry of sessions.read(sessionId)) {
    if (entry.type === "message" && entry.message.role === "user") prompt = entry.id;
  }

  const refusal = await rewinder.rewindFiles(sessionId, prompt).catch((error: unknown) => error);
  assert.ok(isHarnessError(refusal, "REWIND_REFUSED"));
  console.log("refused:", JSON.stringify(refusal.details));

  await rewinder.rewindFiles(sessionId, prompt, { onConflict: "skip" });
  console.log("rewound:", await files());
  assert.deepEqual(await files(), ["notes.md", "plan.md"]);
  assert.match(await readFile(join(root, "plan.md"), "utf8"), /what I think/);

  await rewinder.undoRewind(sessionId);
  console.log("undone: ", await files());
  assert.deepEqual(await files(), ["notes.md", "plan.md", "src", "src/main.ts"]);

  // The conversation goes back by itself, with the files or without them.
  await rewindSession(sessions, sessionId, prompt);
} finally {
  await workspace.close();
  await rm(directory, { recursive: true });
}
