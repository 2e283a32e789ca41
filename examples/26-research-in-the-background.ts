// Shows: a sub-agent in the background; its end reaches the model as a message, and the run waits for it.
// Run:   npx tsx examples/26-research-in-the-background.ts
// Expect: the agent goes on at once, and uses what was found when it comes.
import assert from "node:assert/strict";
import { AgentEngine, type ProviderRequest } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createSubagentTools, defineSubagent } from "loopwright/subagents";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const researcher = defineSubagent({
  name: "researcher",
  description: "Finds things out.",
  systemPrompt: "You find things out.",
  kind: "background",
});

// Without a key a script plays the models; any provider would do.
const provider = scripted(
  [
    ({ system, messages }: ProviderRequest) => {
      if (system[0]?.text === researcher.systemPrompt) return text("The harbour is 12 m deep.");
      const found = messages.find((message) => message.role === "user" && message.origin === "subagent");
      if (found) return text(`With that, the plan is complete: ${JSON.stringify(found.content).match(/12 m/)?.[0]}.`);
      if (messages.length === 1)
        return toolCall("task", { prompt: "How deep is the harbour?", subagent_type: "researcher" });
      return text("I have begun the plan; the depth is being looked up.");
    },
  ],
  { loop: true },
);

const engine = new AgentEngine({ provider, tools: createSubagentTools({ subagents: [researcher] }) });
engine.on("run-end", ({ agentPath, status }) => console.log(agentPath.at(-1) ?? "main", status));
const result = await engine.run("Plan the bridge.", { sessionId: "bridge" });
await engine.close();

console.log(result.text);
assert.match(result.text, /complete: 12 m/);
assert.equal(engine.subagents("bridge")[0]?.kind, "background");
