// Shows: a coding agent at work, watched on the screen.
// Run:   npm run demo (the model is recorded: no key, no network; tools, files and processes are real); see choices.ts for more
// Expect: the first command and the first edit are asked for and allowed for good, so the second edit is not; a
//         skill is followed, a fact remembered; publishing is refused; exit code 0 once the tests pass.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunResult } from "loopwright";
import { createMemoryFactStore } from "loopwright/memory";
import { createAgent } from "./agent.js";
import { askUser } from "./ask-user.js";
import { readChoices, USAGE } from "./choices.js";
import { watchInterruption } from "./interruption.js";
import { connectLiveModel } from "./live-model.js";
import { runPlan } from "./plan-demo.js";
import { recordedModel } from "./recorded-model.js";
import { recordedPlanner } from "./recorded-planner.js";
import { recordedUser } from "./recorded-user.js";
import { Screen } from "./screen.js";

const REPOSITORY = fileURLToPath(new URL("repository", import.meta.url));
const TASK = "Some tests of this package fail. Find out why, fix the code, and show that they pass.";

const choices = orUsage(() => readChoices(process.argv.slice(2), process.env));
if (choices.help) {
  console.log(USAGE);
  process.exit(0);
}
const provider = orUsage(() => {
  if (choices.liveModel) return connectLiveModel(choices.liveModel);
  return choices.plan === null ? recordedModel() : recordedPlanner(choices.plan);
});
const interruption = watchInterruption();
const { signal } = interruption;
const startedAt = performance.now();
const directory = choices.own?.directory ?? (choices.plan === null ? copyOfRepository() : emptyDirectory());
const task = choices.plan ?? choices.own?.task ?? TASK;
const screen = new Screen(process.stdout);
const user = choices.liveModel ? askUser(screen) : null;

const facts = createMemoryFactStore(); // An app keeps them with createFileFactStore.
const agent = await createAgent({
  provider,
  directory,
  facts,
  approver: user?.approver ?? recordedUser(screen),
  yes: choices.yes,
});
try {
  screen.open("loopwright · a coding agent at work", {
    model: choices.liveModel?.model ?? "recorded, no key, no network; tools, files, processes are real",
    directory: choices.own
      ? directory
      : `${directory} (${choices.plan === null ? "a copy" : "empty"}, removed at the end)`,
    [choices.plan === null ? "task" : "goal"]: task,
  });
  const isGood = choices.plan === null ? await runTask() : await runPlan(agent, choices.plan, signal);
  process.exitCode = interruption.exitCode ?? (isGood ? 0 : 1);
} finally {
  user?.close();
  await agent.close();
}

async function runTask(): Promise<boolean> {
  const run = agent.engine.stream(task, { signal });
  for await (const event of run) screen.show(event);
  const result = await run.result;
  await run.idle;

  const verdict = await judge(result);
  screen.close(verdict, result, performance.now() - startedAt);
  return verdict.isGood;
}

/** What is wrong with the command line or the environment is reported without a stack. */
function orUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}

function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "loopwright-demo-"));
  // Here and not in a `finally`, so that it also happens when a second Ctrl+C exits at once.
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function copyOfRepository(): string {
  const copy = emptyDirectory();
  cpSync(REPOSITORY, copy, { recursive: true });
  return copy;
}

/** Whether the task is done, whatever the model says: the run is complete, and in the demo the original tests pass. */
async function judge({ status, error }: RunResult): Promise<{ isGood: boolean; text: string }> {
  if (!signal.aborted && status !== "completed") {
    return { isGood: false, text: `The run ended as "${status}". ${error?.message ?? ""}` };
  }
  const passes = !signal.aborted && (choices.own !== null || (await originalTestsPass()));
  if (signal.aborted) return { isGood: false, text: "Interrupted. Nothing is left behind." };
  if (choices.own) return { isGood: true, text: "The agent is done. Look at what it changed before you keep it." };
  return passes
    ? { isGood: true, text: "The package's original tests pass: run once more, without the model." }
    : { isGood: false, text: "The package's original tests fail, whatever the model says." };
}

async function originalTestsPass(): Promise<boolean> {
  rmSync(join(directory, "test"), { recursive: true, force: true });
  cpSync(join(REPOSITORY, "test"), join(directory, "test"), { recursive: true });
  const command = agent.workspace.shell.run({ command: "node --test", signal });
  return command.then(
    ({ exitCode }) => exitCode === 0,
    (error) => {
      if (signal.aborted) return false;
      throw error;
    },
  );
}
