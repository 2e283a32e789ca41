// Shows: members of a team that write to each other while they work off one list.
// Run:   npx tsx examples/30-team-messages.ts
// Expect: ada names the hero and writes to bob, whose chapter has that name although nobody told him in his task.
import assert from "node:assert/strict";
import { AgentEngine, type ProviderRequest } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { defineSubagent } from "loopwright/subagents";
import { createMemoryTaskStore, createTeam } from "loopwright/tasks";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const store = createMemoryTaskStore();
await store.create({ subject: "Write chapter one, and choose the hero's name" });
await store.create({ subject: "Write chapter two" });
const members = ["ada", "bob"].map((name) =>
  defineSubagent({ name, description: "Writes.", systemPrompt: `You are ${name}. Do your task.` }),
);

// Without a key a script plays the models; any provider would do.
const provider = scripted(
  [
    ({ messages }: ProviderRequest) => {
      const said = JSON.stringify(messages);
      const step = messages.filter(({ role }) => role === "assistant").length;
      if (said.includes("chapter one")) {
        return step === 0 ? toolCall("message_send", { to: "*", message: "The hero is Iva." }) : text("Iva sets out.");
      }
      if (step === 0 && !said.includes("The hero is")) return toolCall("message_read", { wait_ms: 10_000 });
      return text(`${/The hero is (\w+)/.exec(said)?.[1]} comes home.`);
    },
  ],
  { loop: true },
);

const engine = new AgentEngine({ provider });
engine.on("tool-call-start", ({ call }) => console.log(call.name, JSON.stringify(call.arguments)));
const report = await createTeam({ engine, members, store }).run().result;
await engine.close();

for (const { id, status, result } of report.tasks) console.log(id, status, result);
assert.deepEqual(
  report.tasks.map(({ result }) => result),
  ["Iva sets out.", "Iva comes home."],
);
