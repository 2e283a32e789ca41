// Shows: a team of two agents that work off one list of tasks, kept in files that other processes may share.
// Run:   npx tsx examples/25-team-on-a-list.ts
// Expect: two chapters are written side by side, then the book, which has both of them.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, type ProviderRequest } from "loopwright";
import { scripted, text } from "loopwright/providers/scripted";
import { defineSubagent } from "loopwright/subagents";
import { createFileTaskStore, createTeam } from "loopwright/tasks";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const dir = mkdtempSync(join(tmpdir(), "loopwright-team-"));
const store = createFileTaskStore({ dir });
const one = await store.create({ subject: "Write chapter one" });
const two = await store.create({ subject: "Write chapter two" });
await store.create({ subject: "Bind the book", blockedBy: [one.id, two.id] });

const members = ["ada", "bob"].map((name) =>
  defineSubagent({ name, description: "Writes.", systemPrompt: `You are ${name}. Do your task.` }),
);

// Without a key a script plays the models; any provider would do.
const provider = scripted(
  [
    ({ messages }: ProviderRequest) => {
      const prompt = JSON.stringify(messages[0]?.content);
      if (prompt.includes("Bind")) return text([...prompt.matchAll(/Chapter \w+\./g)].join(" "));
      return text(`Chapter ${/chapter (\w+)/.exec(prompt)?.[1]}.`);
    },
  ],
  { loop: true },
);

const engine = new AgentEngine({ provider });
const report = await createTeam({ engine, members, store }).run().result;
await engine.close();
rmSync(dir, { recursive: true });

for (const { id, status, result } of report.tasks) console.log(id, status, result);
assert.equal(report.status, "done");
assert.equal(report.tasks.at(-1)?.result, "Chapter one. Chapter two.");
