// Shows: a coding agent that mends a real package, watched on the screen.
// Run:   npm run demo (the model is recorded: no key, no network; tools, files and processes are real)
// Expect: two edits, the second after the first turned out not to be enough; exit code 0 once the tests pass.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Approver, RunResult } from "loopwright";
import { createAgent } from "./agent.js";
import { watchInterruption } from "./interruption.js";
import { recordedModel } from "./recorded-model.js";
import { Screen } from "./screen.js";

const REPOSITORY = fileURLToPath(new URL("repository", import.meta.url));
const TASK = "Some tests of this package fail. Find out why, mend the code, and show that they pass.";

/** Nobody sits at a recording, so what the gate asks is answered here. */
const approver: Approver = () => ({ decision: "deny", reason: "A recorded demo publishes nothing." });

const interruption = watchInterruption();
const { signal } = interruption;
const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), "loopwright-demo-"));
// Here and not in a `finally`, so that it also happens when a second Ctrl+C exits at once.
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
cpSync(REPOSITORY, folder, { recursive: true });

const agent = await createAgent({ provider: recordedModel(), folder, approver });
try {
  const screen = new Screen(process.stdout);
  screen.open("loopwright · a coding agent at work", {
    model: "recorded, no key, no network; tools, files, processes are real",
    folder: `${folder} (a copy, removed at the end)`,
    task: TASK,
  });
  const run = agent.engine.stream(TASK, { signal });
  for await (const event of run) screen.show(event);
  const result = await run.result;
  await run.idle;

  const verdict = await judge(result);
  screen.close(verdict, result, performance.now() - startedAt);
  process.exitCode = interruption.exitCode ?? (verdict.isGood ? 0 : 1);
} finally {
  await agent.close();
}

/** Whether the task is done, whatever the model says: the run has to be complete and the original tests to pass. */
async function judge({ status, error }: RunResult): Promise<{ isGood: boolean; text: string }> {
  if (!signal.aborted && status !== "completed") {
    return { isGood: false, text: `The run ended as "${status}". ${error?.message ?? ""}` };
  }
  const passes = !signal.aborted && (await originalTestsPass());
  if (signal.aborted) return { isGood: false, text: "Interrupted. Nothing is left behind." };
  return passes
    ? { isGood: true, text: "The package's original tests pass: run once more, without the model." }
    : { isGood: false, text: "The package's original tests fail, whatever the model says." };
}

async function originalTestsPass(): Promise<boolean> {
  rmSync(join(folder, "test"), { recursive: true, force: true });
  cpSync(join(REPOSITORY, "test"), join(folder, "test"), { recursive: true });
  const command = agent.workspace.shell.run({ command: "node --test", signal });
  return command.then(
    ({ exitCode }) => exitCode === 0,
    (error) => {
      if (signal.aborted) return false;
      throw error;
    },
  );
}
