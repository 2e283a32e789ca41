import { execFile } from "node:child_process";
import { childEnvironment } from "../processes/child-environment.js";

/** A patch of more than this is not kept in memory. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** Nothing that the repository configures is run: no hooks, monitors, pagers, external diffs or signing programs. */
const PLAIN = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.quotePath=false",
  "commit.gpgSign=false",
  "diff.external=",
  "user.name=loopwright",
  "user.email=loopwright@localhost",
].flatMap((setting) => ["-c", setting]);

/** How a git command ended. */
export interface GitOutcome {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git in a directory; never rejects for its exit code. `input` goes to its standard input. */
export function tryGit(dir: string, args: readonly string[], input?: Uint8Array): Promise<GitOutcome> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: dir,
      env: childEnvironment({ GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" }),
      encoding: "buffer",
      maxBuffer: MAX_OUTPUT_BYTES,
      timeout: TIMEOUT_MS,
    } as const;
    const child = execFile("git", [...PLAIN, ...args], options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      if (exitCode === null) reject(new Error(`git ${args[0]} could not be run: ${error!.message}`, { cause: error }));
      else resolve({ exitCode, stdout, stderr: stderr.toString("utf8") });
    });
    child.stdin?.on("error", () => {}); // It may end before it has read everything.
    child.stdin?.end(input);
  });
}

/** The standard output of a git command. @throws Error with what git wrote, when it fails */
export async function git(dir: string, ...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await tryGit(dir, args);
  if (exitCode === 0) return stdout.toString("utf8").trimEnd();
  throw new Error(`git ${args.slice(0, 2).join(" ")} failed in "${dir}": ${stderr.trim().slice(0, 500)}`);
}
