import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { BulkReader } from "./walk/search-source.js";

/** The path of a ripgrep on this machine: on the `PATH`, or of the package `@vscode/ripgrep` when it is installed. */
export async function findRipgrep(): Promise<string | null> {
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    // A relative directory could be one of the workspace, where others put programs.
    .filter(isAbsolute)
    .map((directory) => join(directory, "rg"))
    .find(isExecutable);
  return onPath ?? (await findPackaged());
}

async function findPackaged(): Promise<string | null> {
  const { importByName } = await import("../../peers/import-by-name.js");
  // Any version will do that names a program, and searches go on without one.
  const { rgPath } = (await importByName("@vscode/ripgrep").catch(() => ({}))) as { readonly rgPath?: unknown };
  return typeof rgPath === "string" && isAbsolute(rgPath) && isExecutable(rgPath) ? rgPath : null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface RipgrepSearch {
  /** Its working directory: ignore files given by name are relative to it. */
  readonly cwd: string;
  /** The directory to search, relative to `cwd`. */
  readonly directory: string;
  /** In ripgrep's dialect. */
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  /** Globs that narrow the search, and with a leading `!`, what to leave out. */
  readonly globs: readonly string[];
  /** An ignore file of a directory above `directory`, for speed. */
  readonly ignoreFile?: string;
  readonly signal: AbortSignal;
  /** Called with the path of each file that may match, relative to `directory`, in no order. */
  onFile(path: string): void;
}

/**
 * Reports the files that may match; returns whether these are all, which they are not when ripgrep failed.
 *
 * A superset of the answer: it obeys fewer ignore rules, and its `globs` may let more pass. Aborting ends it.
 */
export async function listMatchingFiles(program: string, search: RipgrepSearch): Promise<boolean> {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(program, ripgrepOptions(search), {
    cwd: search.cwd,
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "pipe"],
    signal: search.signal,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on("error", () => resolve(null));
    child.on("close", resolve);
  });
  let problems = "";
  child.stderr.on("data", (text) => {
    problems = (problems + text).slice(0, 1_000);
  });
  const { length } = startOf(search);
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const files = (rest + text).split("\0");
    rest = files.pop()!;
    for (const file of files) search.onFile(file.slice(length));
  });
  const exitCode = await ended;
  // 0: found, 1: nothing found, 2: a problem; unreadable files alone say nothing with --no-messages.
  return exitCode === 0 || exitCode === 1 || (exitCode === 2 && problems === "");
}

/** The same by a ripgrep where the files are, which `narrow` runs. */
export async function listFilesElsewhere(narrow: BulkReader["narrow"], search: RipgrepSearch): Promise<boolean> {
  const files = await narrow(search.cwd, ripgrepOptions(search));
  for (const file of files ?? []) search.onFile(file.slice(startOf(search).length));
  return files !== null;
}

function startOf({ directory }: RipgrepSearch): string {
  return directory === "" ? "./" : `${directory}/`;
}

/**
 * Its own configuration and the machine's ignore rules are left out, so that the answer does not depend on them. Binary
 * files count as text, since where ripgrep sees that a file is binary depends on the size of its buffers.
 */
function ripgrepOptions(search: RipgrepSearch): string[] {
  return [
    ..."--no-config --color=never --no-messages --files-with-matches --null --hidden --text".split(" "),
    ..."--no-require-git --no-ignore-global --no-ignore-dot --no-ignore-parent".split(" "),
    ..."--regex-size-limit=200M --dfa-size-limit=200M".split(" "),
    ...(search.ignoreCase ? ["--ignore-case"] : ["--case-sensitive"]),
    ...(search.multiline ? ["--multiline"] : []),
    ...(search.ignoreFile ? ["--ignore-file", search.ignoreFile] : []),
    ...search.globs.flatMap((glob) => ["--glob", glob]),
    ...["--regexp", search.pattern, "--", search.directory === "" ? "./" : search.directory],
  ];
}
