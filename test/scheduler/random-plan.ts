import type { PlannedTask } from "../../src/scheduler/index.js";

/** Numbers that look random, the same for the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = (seed + 1) * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** A graph of tasks of three kinds: tools whose effects may, and may not, happen twice, and agents. Each makes its own file. */
export function randomPlan(seed: number): PlannedTask[] {
  const random = randomNumbers(seed);
  const count = 4 + random(6);
  return Array.from({ length: count }, (_, index) => {
    const id = `t${index}`;
    const dependsOn = Array.from({ length: index }, (_, before) => `t${before}`).filter(() => random(3) === 0);
    const kind = (["once", "many", "agent"] as const)[random(3)]!;
    const instructions = kind === "agent" ? `use tool once for ${id}` : "Do it.";
    const tool = kind === "agent" ? {} : { tool: { name: kind, input: { id } } };
    return {
      id,
      title: id,
      instructions,
      ...tool,
      dependsOn,
      criterion: { kind: "file", path: `${id}.done`, equals: id },
    };
  });
}

/** The same task under another id. */
randomPlan.taskFor = (id: string, task: PlannedTask): Partial<PlannedTask> => ({
  instructions: task.tool ? task.instructions : `use tool once for ${id}`,
  ...(task.tool && { tool: { name: task.tool.name, input: { id } } }),
  criterion: { kind: "file", path: `${id}.done`, equals: id },
});
