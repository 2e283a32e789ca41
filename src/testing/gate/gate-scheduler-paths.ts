// The ways through calls that the host makes itself: `engine.execute`, and the tasks of a plan.
import type { ProviderAdapter } from "../../contracts/provider.js";
import { createMemorySessionStore } from "../../engine/transcript/memory-session-store.js";
import { scripted, text } from "../../providers/scripted/index.js";
import type { PlannedTask } from "../../scheduler/plan/plan.js";
import { createScheduler } from "../../scheduler/scheduler.js";
import { call, engineFor, type GatePath, type PathDrive } from "./gate-drive.js";

export const SCHEDULER_PATHS: Readonly<Record<string, GatePath>> = {
  async "a call of the host, made again with the answer"(drive) {
    const engine = engineFor(drive, scripted([]), { approver: undefined });
    const wanted = { id: "call_1", name: drive.tool.name, arguments: drive.asked };
    const { details } = await engine.execute(wanted, { sessionId: "s", suspend: true });
    const { pending = [] } = Object(details) as { readonly pending?: readonly { readonly id: string }[] };
    const answers = pending.map(({ id }) => ({ id, decision: "allow" as const, updatedInput: drive.input }));
    await engine.execute(wanted, { sessionId: "s", suspend: true, answers });
    await engine.close();
  },

  async "a task of a plan"(drive) {
    await runPlan(drive, scripted([]), { tool: { name: drive.tool.name, input: drive.input } });
  },

  async "an agent that does a task of a plan"(drive) {
    await runPlan(drive, scripted([call(drive, drive.input), text("Done.")]), {});
  },

  async "a task of a plan, resumed with the answer"(drive) {
    const sessions = createMemorySessionStore();
    const task = { tool: { name: drive.tool.name, input: drive.asked } };
    const { pending } = await runPlan(drive, scripted([]), task, { sessions, approver: undefined });
    const engine = engineFor(drive, scripted([]), { sessions });
    const answers = pending.map(({ id }) => ({ id, decision: "allow" as const, updatedInput: drive.input }));
    await schedulerOf(engine, task).resume("plan", { answers }).result;
    await engine.close();
  },
};

async function runPlan(
  drive: PathDrive,
  provider: ProviderAdapter,
  task: Partial<PlannedTask>,
  options: Parameters<typeof engineFor>[2] = {},
) {
  const engine = engineFor(drive, provider, options);
  const report = await schedulerOf(engine, task).run("Go.", { sessionId: "plan" }).result;
  await engine.close();
  return report;
}

function schedulerOf(engine: ReturnType<typeof engineFor>, task: Partial<PlannedTask>) {
  const criterion = { kind: "predicate", name: "any" } as const;
  const whole = { id: "a", title: "Do it", instructions: "Do it.", dependsOn: [], criterion, ...task };
  return createScheduler({
    engine,
    predicates: { any: () => true },
    decomposer: (goal) => ({ goal, tasks: [whole] }),
    limits: { maxAttempts: 1, maxReplans: 0 },
  });
}
