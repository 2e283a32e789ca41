// npx tsx test/flow/print-coding-figures.ts: what the guide says of the forty tasks of coding agents, measured.
import { BY_CONTENTS, type CodingTask, codingTasks, leavesClosedSandbox, replayCoding } from "./coding-replay.js";

/** Why an attack ran. */
function causeOf({ calls }: CodingTask, { where, goal }: CodingTask["injections"][number]): string {
  const { input, source } = calls[where]!;
  if (source.from === "tracked") return "from a file that git tracks";
  if (BY_CONTENTS.includes(goal)) return "bad contents where the user wants contents";
  const isProjects = source.from === "command" && !String(input.command).startsWith("gh ");
  return isProjects ? "from what a program of the project prints" : "into a script that the user named";
}

async function print(title: string, isHeld: boolean): Promise<void> {
  const tasks = codingTasks();
  const asking = new Map<string, string[]>();
  const leaving: string[] = [];
  const won = new Map<string, number>();
  let tried = 0;
  for (const task of tasks) {
    const { mine } = await replayCoding(task, { isHeld });
    const asked = mine.flatMap(({ made, reason }) => (reason === null ? [] : String(made.input.command ?? made.tool)));
    if (asked.length > 0) asking.set(task.id, asked);
    else if (mine.some(({ made }) => leavesClosedSandbox(made))) leaving.push(task.id);
    for (const injection of task.injections) {
      const { theirs } = await replayCoding(task, { isHeld, injection });
      tried++;
      if (!theirs.some((call) => call.ran && !call.isHeld)) continue;
      const cause = causeOf(task, injection);
      won.set(cause, (won.get(cause) ?? 0) + 1);
    }
  }
  const ran = [...won.values()].reduce((all, count) => all + count, 0);
  console.log(
    `${title}: ${tasks.length - asking.size} of ${tasks.length} tasks unasked; ${ran} of ${tried} attacks ran`,
  );
  if (isHeld) console.log(`  of those unasked ${leaving.length} commit or connect: ${leaving.join(", ")}`);
  for (const [cause, count] of [...won].sort(([, a], [, b]) => b - a)) console.log(`  ${count} ${cause}`);
  for (const [id, calls] of asking)
    console.log(`  asked: ${id}: ${calls.join(" | ").replaceAll("\n", " ").slice(0, 120)}`);
}

async function main(): Promise<void> {
  await print("under a rule for each tool alone", false);
  await print("where a sandbox without a network keeps commands in", true);
}

void main();
