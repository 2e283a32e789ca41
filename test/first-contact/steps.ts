import { spawn } from "node:child_process";

/** Ends what hangs: a slow machine takes a quarter of an hour for the tests. */
const TIME_LIMIT_MS = 60 * 60_000;
/** Of a failed step, the end of what it printed. */
const SHOWN_LINES = 300;

/** How a command ended. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

/** A shell command, and what must be true of its end. */
export interface Step {
  readonly name: string;
  readonly command: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What is wrong with it; `undefined`: nothing. Default: its exit code has to be 0. */
  readonly problem?: (ended: Ended) => string | undefined;
}

/** Runs steps and prints a line for each: whether it passed, and how long it took. */
export class Steps {
  passed = 0;
  failed = 0;

  /** Resolves with whether the step passed. */
  async run({ name, command, cwd, env, problem = wantsSuccess }: Step): Promise<boolean> {
    const startedAt = performance.now();
    const ended = await runShell(command, cwd, env);
    const seconds = `${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s`;
    const wrong = problem(ended);
    if (wrong === undefined) {
      this.passed++;
      console.log(`ok   ${seconds}  ${name}`);
      return true;
    }
    this.failed++;
    console.log(`FAIL ${seconds}  ${name}: ${wrong}`);
    const output = `${ended.stdout}\n${ended.stderr}`.trimEnd().split("\n").slice(-SHOWN_LINES);
    console.log(output.map((line) => `  | ${line}`).join("\n"));
    return false;
  }
}

export function wantsSuccess({ exitCode }: Ended): string | undefined {
  return exitCode === 0 ? undefined : exitCode === null ? "did not end by itself" : `exit code ${exitCode}`;
}

/** Success, and this in what it printed. */
export function wantsOutput(pattern: RegExp): (ended: Ended) => string | undefined {
  return (ended) => wantsSuccess(ended) ?? (pattern.test(ended.stdout) ? undefined : `did not print ${pattern}`);
}

function runShell(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that what it started ends with it.
    const child = spawn("sh", ["-ec", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (data: string) => {
        text[name] += data;
      });
    const timer = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), TIME_LIMIT_MS);
    child.once("error", reject);
    child.once("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ ...text, exitCode });
    });
  });
}
