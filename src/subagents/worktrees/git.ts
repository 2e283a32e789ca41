import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { ToolError } from "../../contracts/errors.js";
import { childEnvironment } from "../../processes/child-environment.js";
import type { GitOptions, GitOutcome, TreePlace } from "./tree-place.js";

/** A patch of more than this is not kept in memory. */
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
export const GIT_TIMEOUT_MS = 120_000;

/** Nothing that the repository configures is run or left out: no hooks, monitors, pagers, external diffs, signing programs. */
export const PLAIN = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.quotePath=false",
  "commit.gpgSign=false",
  "diff.external=",
  "diff.ignoreSubmodules=none",
  "user.name=loopwright",
  "user.email=loopwright@localhost",
].flatMap((setting) => ["-c", setting]);

/** The variables of a git command. */
export function gitVariables(dir: string, { ceiling = dirname(dir), index }: GitOptions): Record<string, string> {
  const settings = { GIT_TERMINAL_PROMPT: "0", LC_ALL: "C", GIT_CEILING_DIRECTORIES: ceiling };
  return { ...settings, ...(index !== undefined && { GIT_INDEX_FILE: index }) };
}

/** Runs git of this machine in a directory; never rejects for its exit code. */
export function tryGit(dir: string, args: readonly string[], options: GitOptions = {}): Promise<GitOutcome> {
  return new Promise((resolve, reject) => {
    const about = {
      cwd: dir,
      env: childEnvironment(gitVariables(dir, options)),
      encoding: "buffer",
      maxBuffer: MAX_OUTPUT_BYTES,
      timeout: GIT_TIMEOUT_MS,
    } as const;
    const child = execFile("git", [...PLAIN, ...args], about, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      if (exitCode === null) reject(new Error(`git ${args[0]} could not be run: ${error!.message}`, { cause: error }));
      else resolve({ exitCode, stdout, stderr: stderr.toString("utf8") });
    });
    child.stdin?.on("error", () => {}); // It may end before it has read everything.
    child.stdin?.end(options.input);
  });
}

/** The top directory of the repository that a directory is in. @throws ToolError `TOOL_FAILED` when it has no commit */
export async function topDirectoryOf(place: TreePlace, dir: string): Promise<string> {
  try {
    const top = await outputOf(place, dir, ["rev-parse", "--show-toplevel"], { ceiling: "" });
    await git(place, top, "rev-parse", "HEAD");
    return top;
  } catch (cause) {
    const message = `There can be no work tree: "${dir}" is not in a git repository that has a commit${place.where}.`;
    throw new ToolError("TOOL_FAILED", { message, cause });
  }
}

/** The standard output of a git command at the top of a work tree. @throws Error with what git wrote, when it fails */
export function git(place: TreePlace, dir: string, ...args: readonly string[]): Promise<string> {
  return outputOf(place, dir, args);
}

/** As `git`, with options. */
export async function outputOf(
  place: TreePlace,
  dir: string,
  args: readonly string[],
  options?: GitOptions,
): Promise<string> {
  const { exitCode, stdout, stderr } = await place.git(dir, args, options);
  if (exitCode === 0) return stdout.toString("utf8").trimEnd();
  throw new Error(`git ${args.slice(0, 2).join(" ")} failed in "${dir}": ${stderr.trim().slice(0, 500)}`);
}
