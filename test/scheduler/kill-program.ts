// Works off a plan and is killed on the way: `node kill-program.mjs <dir> <seed> <killAt>`. It kills itself at the
// killAt-th moment: before or after a write to a session, before, in the middle of or after the effect of a tool, at a
// request to the model, before an answer. Run again, it resumes. Prints the report once there is one.
//
// <dir>/effects has a line for each effect that was begun and, with "end", completed. <dir>/<id>.done is the effect.
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { AgentEngine, type Answer, defineTool, type ProviderRequest } from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { createScheduler } from "../../src/scheduler/index.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { killingMoment, sessionsWithMoments } from "../sessions/killing-moments.js";
import { randomPlan } from "./random-plan.js";

const [dir, seed, killAt] = process.argv.slice(2) as [string, string, string];

let moments = 0;
const killsAt = killingMoment(Number(killAt));
function moment(): void {
  moments++;
  killsAt();
}
const sessions = sessionsWithMoments(dir, moment);

async function effect(id: string): Promise<string> {
  moment();
  appendFileSync(join(dir, "effects"), `begin ${id}\n`);
  await nextTick();
  moment();
  writeFileSync(join(dir, `${id}.done`), id);
  appendFileSync(join(dir, "effects"), `end ${id}\n`);
  moment();
  return `done ${id}`;
}

/** What it does must not happen twice, what `many` does may. */
const effects = (name: string, replayable: boolean) =>
  defineTool<{ id: string }>({
    name,
    description: "Has an effect.",
    input: { type: "object", properties: { id: { type: "string" } }, required: ["id"] } as never,
    permission: "read_write",
    replayable,
    execute: ({ id }) => effect(id),
  });

/** Plans with an odd seed are made by the model, which plans nothing that could need another plan. */
const isPlannedByModel = Number(seed) % 2 === 1;
const plan = randomPlan(Number(seed)).map((task) => {
  return isPlannedByModel && task.tool?.name === "once" ? { ...task, tool: { ...task.tool, name: "many" } } : task;
});

/** A model that makes the one call its prompt asks for, and says what came of it; that plans; and that judges. */
const provider = scripted(
  [
    ({ messages, system }: ProviderRequest) => {
      moment();
      const prompt = JSON.stringify(messages);
      if (system[0]?.text.startsWith("You plan")) return text(JSON.stringify({ tasks: plan }));
      const result = /Finished \w+\.|done \w+/.exec(prompt)?.[0] ?? "";
      if (system[0]?.text.startsWith("You check"))
        return text(JSON.stringify({ verdict: "pass", evidence: [result], reason: "It says so." }));
      const id = /use tool once for (\w+)/.exec(prompt)![1]!;
      return messages.at(-1)?.role === "tool" ? text(`Finished ${id}.`) : toolCall("once", { id });
    },
  ],
  { loop: true },
);

const workspace = await createWorkspace({ root: dir });
const engine = new AgentEngine({
  provider,
  tools: [effects("once", false), effects("many", true)],
  permissions: { decide: ({ input }) => ({ behavior: /t[036]/.test(JSON.stringify(input)) ? "ask" : "allow" }) },
  sessions,
});
const scheduler = createScheduler({
  engine,
  workspace,
  decomposer: isPlannedByModel
    ? undefined
    : (goal, { earlier }) => {
        moment();
        if (!earlier) return { goal, tasks: plan };
        // What has failed is done under another id; what waited for it waits for that.
        const failed = new Map(earlier.failed.map(({ task }) => [task.id, `${task.id}x`]));
        const renamed = (id: string) => failed.get(id) ?? id;
        const tasks = [...earlier.failed.map(({ task }) => task), ...earlier.skipped].map((task) => {
          const id = renamed(task.id);
          const more = failed.has(task.id) ? randomPlan.taskFor(id, task) : {};
          return { ...task, ...more, id, dependsOn: task.dependsOn.map(renamed) };
        });
        return { goal, tasks };
      },
  approvePlan: () => (Number(seed) % 3 === 0 ? "ask" : true),
  limits: { maxParallel: 3, retryDelayMs: 0, maxReplans: 1_000 },
});

const isBegun = existsSync(join(dir, "sessions", "plan.jsonl"));
let run = isBegun ? scheduler.resume("plan") : scheduler.run("goal", { sessionId: "plan" });
let report = await run.result.catch((error: { code: string }) => {
  if (error.code !== "SESSION_NOT_FOUND") throw error;
  return null; // Killed before its first entry.
});
if (!report) {
  run = scheduler.run("goal", { sessionId: "plan" });
  report = await run.result;
}
// Everything that is asked is allowed, in as many rounds as it takes.
while (report.status === "needs-approval") {
  moment();
  const answers: Answer[] = report.pending.map(({ id }) => ({ id, decision: "allow" }));
  report = await scheduler.resume("plan", { answers }).result;
}
await engine.close();
await workspace.close();
let modelCalls = 0;
for await (const { id } of sessions.list()) {
  for await (const entry of sessions.read(id)) {
    if (entry.type === "message" && entry.message.role === "assistant" && entry.message.usage) modelCalls++;
  }
}
console.log(JSON.stringify({ moments, report, modelCalls }));
