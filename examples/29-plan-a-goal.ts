// Shows: a goal reached by a plan: tasks side by side, a result that looks right and is not, a retry, one answer.
// Run:   npx tsx examples/29-plan-a-goal.ts
// Expect: two towns are looked up side by side, one of them twice, since its first result was not accepted; then the sum.
import assert from "node:assert/strict";
import { AgentEngine, defineTool, type ProviderRequest } from "loopwright";
import { scripted, text } from "loopwright/providers/scripted";
import { createScheduler, type PlannedTask } from "loopwright/scheduler";
import * as z from "zod";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const add = defineTool({
  name: "add",
  description: "Adds numbers.",
  input: z.object({ a: z.string(), b: z.string() }),
  permission: "none",
  execute: ({ a, b }) => String(Number(a) + Number(b)),
});

const lookUp = (town: string): PlannedTask => ({
  id: town,
  title: `Inhabitants of ${town}`,
  instructions: `How many people live in ${town}? Reply with the number alone.`,
  dependsOn: [],
  criterion: { kind: "predicate", name: "number" },
});

const sum: PlannedTask = {
  id: "sum",
  title: "Add them up",
  instructions: "Both together.",
  tool: { name: "add", input: { a: "{{tasks.ulm.output}}", b: "{{tasks.bern.output}}" } },
  dependsOn: ["ulm", "bern"],
  criterion: { kind: "predicate", name: "number" },
};

// Without a key a script plays the model; any provider would do.
const provider = scripted(
  [
    ({ messages }: ProviderRequest) => {
      const prompt = JSON.stringify(messages);
      if (prompt.includes("live in ulm")) return text("129000");
      return text(prompt.includes("An earlier attempt has failed") ? "137000" : "About 137 thousand.");
    },
  ],
  { loop: true },
);

const engine = new AgentEngine({ provider, tools: [add] });
const scheduler = createScheduler({
  engine,
  decomposer: (goal) => ({ goal, tasks: [lookUp("ulm"), lookUp("bern"), sum] }),
  predicates: { number: ({ output }) => /^\d+$/.test(output) },
  limits: { retryDelayMs: 10 },
});

const run = scheduler.run("How many people live in Ulm and Bern together?");
for await (const event of run) {
  if (event.type === "task-state") console.log(event.taskId, event.status, event.reason?.split("\n")[0] ?? "");
}
const report = await run.result;
await engine.close();

console.log(report.toMermaid());
assert.equal(report.status, "done");
assert.equal(report.summary, "266000");
assert.deepEqual(
  report.tasks.map(({ attempts }) => attempts),
  [1, 2, 1],
);
