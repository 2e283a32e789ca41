// A plan of many tasks in a random graph: what a sub-task costs beside a call of its own, and whether that grows with the plan.
import { AgentEngine } from "loopwright";
import { createScheduler, type PlannedTask } from "loopwright/scheduler";
import { noop, streamingModel } from "../floors.js";
import { interleave } from "../measure.js";
import { isQuick, report } from "../row.js";

const SMALL = 1_000;
const LARGE = 10_000;
const EDGES = 3;

/** Each task depends on up to three earlier ones. */
function randomGraph(count: number): PlannedTask[] {
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  return Array.from({ length: count }, (_, at) => {
    const before = at === 0 ? [] : Array.from({ length: random(EDGES + 1) }, () => `t${random(at)}`);
    return {
      id: `t${at}`,
      title: `Task ${at}`,
      instructions: "Do nothing.",
      tool: { name: noop.name, input: {} },
      dependsOn: [...new Set(before)],
      criterion: { kind: "predicate", name: "any" },
    };
  });
}

const engineOf = () =>
  new AgentEngine({
    provider: streamingModel(() => []),
    tools: [noop],
    permissions: { decide: () => ({ behavior: "allow" }) },
  });

async function planned(tasks: readonly PlannedTask[]): Promise<void> {
  const engine = engineOf();
  const scheduler = createScheduler({
    engine,
    decomposer: (goal) => ({ goal, tasks }),
    predicates: { any: () => true },
    limits: { maxTasks: LARGE },
  });
  const { status } = await scheduler.run("go").result;
  if (status !== "done") throw new Error(`The plan ended as ${status}.`);
}

async function callsAlone(tasks: readonly PlannedTask[]): Promise<void> {
  const engine = engineOf();
  for (const { id } of tasks) await engine.execute({ id, name: noop.name, arguments: {} }, { sessionId: id });
}

async function functionAlone(tasks: readonly PlannedTask[]): Promise<void> {
  for (const _task of tasks) await noop.execute();
}

const small = randomGraph(SMALL);
const large = randomGraph(LARGE);
const rounds = { rounds: isQuick ? 3 : 9, warmups: 1 };
const times = await interleave(
  {
    direct: () => functionAlone(large),
    calls: () => callsAlone(large),
    small: () => planned(small),
    large: () => planned(large),
  },
  rounds,
);
const perTask = (milliseconds: number, count: number) => (milliseconds / count) * 1_000;
report([
  {
    what: "a sub-task of 10,000 in a random graph (floor: engine.execute of each call)",
    unit: "µs",
    floor: perTask(times.calls, LARGE),
    ours: perTask(times.large, LARGE),
    budgets: [{ max: 3, times: "floor" }],
  },
  {
    what: "a sub-task of 10,000 in a random graph (floor: the function called directly)",
    unit: "µs",
    floor: perTask(times.direct, LARGE),
    ours: perTask(times.large, LARGE),
  },
  {
    what: "a sub-task of 10,000 over a sub-task of 1,000",
    unit: "",
    ours: perTask(times.large, LARGE) / perTask(times.small, SMALL),
    budgets: [{ max: 1.5 }],
  },
]);
