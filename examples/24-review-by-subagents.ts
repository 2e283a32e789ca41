// Shows: a review by three sub-agents that work side by side, each with its own view of one change.
// Run:   npx tsx examples/24-review-by-subagents.ts
// Expect: three findings in the order in which they were asked for, and one summary.
import assert from "node:assert/strict";
import { AgentEngine, defineTool, type ProviderRequest } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createSubagentTools, defineSubagent } from "loopwright/subagents";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const readChange = defineTool({
  name: "read_change",
  description: "Shows the change under review.",
  permission: "read_only",
  execute: async () => "- if (age > 17) sell(beer)\n+ if (age > 7) sell(beer)",
});

const reviewers = ["correctness", "security", "style"].map((view) =>
  defineSubagent({
    name: `${view}-reviewer`,
    description: `Reviews a change for ${view}.`,
    systemPrompt: `You review changes for ${view}. Report findings with lines, or say that there are not.`,
    readOnly: true,
  }),
);

// Without a key a script plays the models; any provider would do.
const FINDINGS = { correctness: "Line 1: the limit is 7, not 17.", security: "No findings.", style: "No findings." };
const provider = scripted(
  [
    ({ system, messages }: ProviderRequest) => {
      const view = /changes for (\w+)/.exec(system[0]?.text ?? "")?.[1] as keyof typeof FINDINGS | undefined;
      const last = messages.at(-1);
      if (view) return last?.role === "tool" ? text(FINDINGS[view]) : toolCall("read_change");
      if (last?.role === "tool") return text(`The change must not go in: ${last.content[0]?.output}`);
      return reviewers.map(({ name }) => toolCall("task", { prompt: "Review the change.", subagent_type: name }));
    },
  ],
  { loop: true },
);

const engine = new AgentEngine({ provider, tools: [readChange, ...createSubagentTools({ subagents: reviewers })] });
const result = await engine.run("Review the change.", { sessionId: "review" });
await engine.close();

for (const { name, status, usage } of engine.subagents("review")) console.log(name, status, usage.inputTokens);
console.log(result.text);
assert.equal(result.text, `The change must not go in: ${FINDINGS.correctness}`);
assert.deepEqual(
  result.messages().flatMap(({ role, content }) => (role === "tool" ? content.map(({ output }) => output) : [])),
  Object.values(FINDINGS),
);
