// Shows: watching a run as it happens, event by event.
// Run:   npx tsx examples/02-streaming.ts
// Expect: a line about the tool, the answer as it streams, a line about a picture, and what the run used.
import assert from "node:assert/strict";
import { AgentEngine, defineTool, latestMedia } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import * as z from "zod";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const dice = defineTool({
  name: "roll_dice",
  description: "Rolls dice.",
  input: z.object({ count: z.number().int().min(1).max(10) }),
  permission: "none",
  execute: async ({ count }) => Array.from({ length: count }, (_, index) => (index % 6) + 1).join(" "),
});

// What models that draw send beside their text: the base64 of a PNG of one pixel.
const PICTURE = {
  type: "image",
  mediaType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
} as const;

const provider = scripted([
  toolCall("roll_dice", { count: 3 }),
  [text("You rolled a one, a two and a three: six in all.", { chunkSize: 5, chunkDelayMs: 15 }), PICTURE],
]);
const engine = new AgentEngine({ provider, tools: [dice] });

const run = engine.stream("Roll three dice.");
const seen: string[] = [];
let streamed = "";
for await (const event of run) {
  seen.push(event.type);
  switch (event.type) {
    case "text-delta":
      streamed += event.text;
      process.stdout.write(event.text);
      break;
    case "media":
      console.log(`\n[${event.part.mediaType}, ${event.part.data.length} characters of base64]`);
      break;
    case "tool-call-end":
      console.log(`[${event.result.name}: ${event.result.output}]`);
      break;
    case "run-end": {
      const { turn, usage } = run.state;
      console.log(`\n[${event.status} after ${turn} turns, ${usage.inputTokens + usage.outputTokens} tokens]`);
    }
  }
}

// The same result run() would have returned.
const result = await run.result;
assert.equal(result.text, streamed);
assert.equal(seen[0], "run-start");
assert.equal(seen.at(-1), "run-end");
assert.ok(seen.filter((type) => type === "text-delta").length > 5, "the answer came in pieces");
assert.deepEqual(latestMedia(result.messages()), [PICTURE]);
