// Shows: a compaction stage of your own: a function from a view to edits, as one rung of the ladder.
// Run:   npx tsx examples/18-your-own-stage.ts
// Expect: old screenshots are dropped before anything else is; the newest stays.
import assert from "node:assert/strict";
import { AgentEngine, defineTool, type ToolMessage } from "loopwright";
import {
  type Change,
  type CompactionStage,
  createCompactionPipeline,
  sessionMemory,
  toEdits,
} from "loopwright/compaction";
import { scripted, text, toolCall } from "loopwright/providers/scripted";

const dropScreenshots: CompactionStage = (view, budget) => {
  const shots = view.messages.flatMap((message, at) =>
    message.role === "tool" && message.content.some(({ name }) => name === "screenshot") ? [{ message, at }] : [],
  );
  const changes = shots.slice(0, -1).map(({ message, at }): Change => {
    const content = message.content.map((part) =>
      part.name === "screenshot" ? { ...part, output: "(an old screenshot)" } : part,
    );
    const replacement: ToolMessage = { ...message, content };
    return { first: at, last: at, replacement: [replacement] };
  });
  return toEdits("drop-screenshots", view, budget, changes); // [] when nothing would become smaller
};

const screenshot = defineTool({
  name: "screenshot",
  description: "Takes a picture of the screen.",
  permission: "read_only",
  execute: async () => ({ output: [{ type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" }] }),
});
const provider = scripted([...Array.from({ length: 8 }, (_, n) => toolCall("screenshot", { n })), text("Done.")], {
  contextWindow: 12_000,
  maxOutputTokens: 1_000,
});
const engine = new AgentEngine({
  provider,
  tools: [screenshot],
  compaction: createCompactionPipeline({ stages: [dropScreenshots, sessionMemory()] }),
});
const stages: string[] = [];
engine.on("compaction", ({ report }) => stages.push(report.stage));

const result = await engine.run("Watch the screen.");
console.log(stages.join(", "));

assert.equal(result.status, "completed");
assert.deepEqual([...new Set(stages)], ["drop-screenshots"]);
const sent = JSON.stringify(provider.requests.at(-1)!.messages);
assert.match(sent, /an old screenshot/);
assert.match(sent, /image\/png/);
