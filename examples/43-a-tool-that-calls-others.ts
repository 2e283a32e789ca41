// Shows: a tool that calls others, by the rules for each; a question in the middle is answered by another process.
// Run:   npx tsx examples/43-a-tool-that-calls-others.ts
// Expect: the notes are read once; the one that is out of date waits for approval, and then it alone is thrown away.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, defineTool } from "loopwright";
import { scripted, type Turn, toolCall } from "loopwright/providers/scripted";
import { createFileSessionStore } from "loopwright/sessions";
import * as z from "zod";

const dir = mkdtempSync(join(tmpdir(), "loopwright-example-"));
const notes = { "plan.txt": "2026: build", "old.txt": "2019: buy film", "ideas.txt": "2026: paint" };
for (const [name, content] of Object.entries(notes)) writeFileSync(join(dir, name), content);
let reads = 0;

const readNote = defineTool({
  name: "read_note",
  description: "Reads a note.",
  input: z.object({ name: z.string() }),
  permission: "read_only",
  async execute({ name }) {
    reads++;
    return readFileSync(join(dir, name), "utf8");
  },
});

const dropNote = defineTool({
  name: "drop_note",
  description: "Throws a note away.",
  input: z.object({ name: z.string() }),
  permission: "read_write", // The default gate asks.
  async execute({ name }) {
    rmSync(join(dir, name));
    return `${name} is gone`;
  },
});

const tidyUp = defineTool({
  name: "tidy_up",
  description: "Throws away the notes of past years.",
  input: z.object({ names: z.array(z.string()), year: z.number() }),
  permission: "none", // What it calls has permissions of its own.
  claims: () => [{ mode: "write", key: "*" }],
  timeoutMs: null,
  onUnknown: "retry",
  async execute({ names, year }, { calls }) {
    const read = await calls!.run(names.map((name) => ({ name: "read_note", input: { name } })));
    const old = names.filter((_, index) => Number.parseInt(String(read[index]!.value), 10) < year);
    const dropped = await calls!.run(old.map((name) => ({ name: "drop_note", input: { name } })));
    return dropped.map(({ output }) => output).join(", ");
  },
});

/** Every process makes the same engine. */
function agent(turns: readonly Turn[]): AgentEngine {
  return new AgentEngine({
    provider: scripted(turns),
    tools: [readNote, dropNote, tidyUp],
    sessions: createFileSessionStore({ dir: join(dir, "sessions") }),
  });
}

try {
  const asking = agent([toolCall("tidy_up", { names: Object.keys(notes), year: 2026 })]);
  const { status, pending } = await asking.run("Tidy up my notes.", { sessionId: "notes" });
  await asking.close();
  for (const { tool, input, within } of pending)
    console.log(`${status}: ${tool} ${JSON.stringify(input)}, for ${within?.tool}`);
  assert.equal(reads, 3);

  const answering = agent([({ lastToolResult }) => `Done: ${lastToolResult?.output}.`]);
  const answers = pending.map(({ id }) => ({ id, decision: "allow" }) as const);
  const result = await answering.resume("notes", { answers }).result;
  await answering.close();
  console.log(result.text);

  assert.equal(result.text, "Done: old.txt is gone.");
  assert.equal(reads, 3); // What was read before the question is on record.
  assert.deepEqual(
    Object.keys(notes).map((name) => existsSync(join(dir, name))),
    [true, false, true],
  );
} finally {
  rmSync(dir, { recursive: true });
}
