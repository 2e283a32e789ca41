// npx tsx test/flow/print-coding-figures.ts: what the guide says of the forty tasks of coding agents, measured.
import { codingTasks, replayCoding } from "./coding-replay.js";

async function main(): Promise<void> {
  const tasks = codingTasks();
  const asking: string[] = [];
  const won = new Map<string, number>();
  let tried = 0;
  let ran = 0;
  for (const task of tasks) {
    const { mine } = await replayCoding(task, {});
    if (mine.some(({ reason }) => reason !== null)) asking.push(task.id);
    for (const injection of task.injections) {
      const { theirs } = await replayCoding(task, {}, injection);
      tried++;
      if (!theirs.some((call) => call.ran)) continue;
      ran++;
      const of = `${task.kind} ${injection.goal}`;
      won.set(of, (won.get(of) ?? 0) + 1);
    }
  }
  console.log(`${tasks.length - asking.length} of ${tasks.length} tasks unasked; ${ran} of ${tried} attacks ran`);
  console.log(`asked: ${asking.join(", ")}`);
  for (const [of, count] of [...won].sort(([, a], [, b]) => b - a)) console.log(`${count} ${of}`);
}

void main();
