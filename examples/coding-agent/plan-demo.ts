// A goal reached by a plan, watched on the screen: planning, execution, verification, final report.
import { createScheduler } from "loopwright/scheduler";
import { defineSkill, loadSkills } from "loopwright/skills";
import type { createAgent } from "./agent.js";
import { PlanScreen } from "./plan-screen.js";
import { fileInGoal } from "./recorded-planner.js";

const CREATE_FILE = defineSkill({
  name: "create-file",
  description: "Create or write a file with a given content in a directory.",
  instructions: "Look at what is there first. Make the directory, write the file, and read it back.",
  guardrails: ["Never overwrite a file that is there already."],
});

/** Resolves with whether the goal was reached. */
export async function runPlan(
  { engine, workspace }: Awaited<ReturnType<typeof createAgent>>,
  goal: string,
  signal: AbortSignal,
): Promise<boolean> {
  const screen = new PlanScreen(process.stdout);
  const wanted = fileInGoal(goal)?.path;
  engine.on("permission-decision", (event) => screen.showDecision(event));
  const scheduler = createScheduler({
    engine,
    workspace,
    skills: await loadSkills({ skills: [CREATE_FILE] }),
    predicates: { "name-is-free": async () => wanted === undefined || !(await exists(workspace, wanted)) },
  });
  const run = scheduler.run(goal, { signal });
  for await (const event of run) screen.show(event);
  const report = await run.result;
  screen.close(report);
  return report.status === "done";
}

async function exists({ files }: Awaited<ReturnType<typeof createAgent>>["workspace"], path: string): Promise<boolean> {
  return files.stat(path).then(
    () => true,
    () => false,
  );
}
