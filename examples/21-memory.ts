// Shows: an agent that remembers a fact in one session and knows it in the next, in another process if you like.
// Run:   npx tsx examples/21-memory.ts
// Expect: the fact in the second session's prompt, and a wrong fact found and removed.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine } from "loopwright";
import { createFileFactStore, createMemoryTools, factSource } from "loopwright/memory";
import { scripted, text, toolCall } from "loopwright/providers/scripted";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const dir = mkdtempSync(join(tmpdir(), "memory-"));
const facts = createFileFactStore({ dir });
const provider = scripted([
  toolCall("remember", { fact: "The staging host is called heron.", subject: "staging host", said_by_user: true }),
  text("I will remember that."),
  text("Staging runs on heron."),
]);
const engine = new AgentEngine({
  provider,
  tools: createMemoryTools(facts),
  contextSources: [factSource(facts)],
  approver: () => ({ decision: "allow" }), // Remembering asks; recalling does not.
});

await engine.run("Our staging host is called heron. Remember that.");
const second = await engine.run("Where does staging run?");
console.log(second.text);
console.log(provider.requests[2]?.system[0]?.text);
assert.match(provider.requests[2]?.system[0]?.text ?? "", /"The staging host is called heron\."/);

const [found] = await facts.recall("host for staging");
assert.ok(found);
await facts.forget(found.id);
assert.deepEqual(await facts.list(), []);
rmSync(dir, { recursive: true });
