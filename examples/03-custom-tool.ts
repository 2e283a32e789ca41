// Shows: a tool with a checked input, progress while it works, and errors the model can read and fix.
// Run:   npx tsx examples/03-custom-tool.ts
// Expect: two failed calls, each with what the model was reported, then a call with its progress.
import assert from "node:assert/strict";
import { AgentEngine, defineTool } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import * as z from "zod";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const stock: Readonly<Record<string, number>> = { lamp: 4, chair: 2 };

const reserve = defineTool({
  name: "reserve",
  description: "Reserves items of the stock.",
  input: z.object({ item: z.string(), count: z.number().int().min(1) }),
  permission: "none", // It touches nothing but this process, so nobody needs to be asked.
  // How a call looks in an editor, a terminal or a log. Any argument may be missing here.
  describe: ({ item = "something", count }) => ({ title: `Reserve ${count ?? "some"} × ${item}`, kind: "other" }),
  // A generator yields its progress and returns its output. What it throws, the model reads.
  async *execute({ item, count }) {
    const available = stock[item];
    if (available === undefined) throw new Error(`There is no "${item}". In stock: ${Object.keys(stock).join(", ")}.`);
    for (let done = 1; done <= Math.min(count, available); done++) yield { done, of: count };
    return `Reserved ${Math.min(count, available)} of ${count} "${item}".`;
  },
});

const provider = scripted([
  toolCall("reserve", { item: "lamp", count: "three" }), // Refused by the schema: the tool does not run.
  toolCall("reserve", { item: "table", count: 1 }), // Refused by the tool.
  toolCall("reserve", { item: "lamp", count: 3 }),
  text("Three lamps are reserved."),
]);

const engine = new AgentEngine({ provider, tools: [reserve] });
const outcomes: string[] = [];
const progress: unknown[] = [];
const titles: unknown[] = [];
engine.on("tool-call-start", ({ description }) => titles.push(description?.title));
engine.on("tool-progress", ({ update }) => {
  progress.push(update);
  console.log("progress", update);
});
engine.on("tool-call-end", ({ result }) => {
  outcomes.push(result.status);
  console.log(`${result.status}: ${result.output}`);
});

const result = await engine.run("Reserve three lamps.");
console.log(result.text);

assert.equal(result.status, "completed");
assert.equal(titles.at(-1), "Reserve 3 × lamp");
assert.deepEqual(outcomes, ["failure", "failure", "success"]);
assert.deepEqual(progress.at(-1), { done: 3, of: 3 });
