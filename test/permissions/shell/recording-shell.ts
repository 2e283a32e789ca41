import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/**
 * What bash calls for a program it does not find, which is every program here: it writes down the words, plays the wrappers, and
 * succeeds or fails by the last digit of the name. A line end in a word would split the record into two writes, between which others
 * write theirs.
 */
const DRIVER = `
command_not_found_handle() {
  printf '%s\\0' "$RECORD_ID" "$#" "\${@//$'\\n'/$'\\2'}" >> "$RECORD_FILE"
  case $1 in
    bash) shift; "$RECORD_BASH" --norc "$@"; return ;;
    env) shift; while [[ $1 == [A-Z]*=* ]]; do shift; done; "$@"; return ;;
    nice) shift 3; "$@"; return ;;
    timeout) shift 2; "$@"; return ;;
    nohup|sudo|xargs) shift; "$@"; return ;;
    *[02468]) return 0 ;;
    *) return 1 ;;
  esac
}
export -f command_not_found_handle
export RECORD_ID RECORD_FILE RECORD_BASH
ulimit -t 10
# A function that calls itself in a pipe would fork without end.
FUNCNEST=20
RECORD_ID=0
while IFS= read -r -d '' script <&9; do
  ( exec 9<&-; unset script_list; eval "$script" ) < /dev/null > /dev/null 2>&1 &
  RECORD_SCRIPT=$!
  # A coprocess may wait for itself without end. Nothing is ever written to the driver's input, so to read it is to wait.
  { read -r -t 20; kill -9 "$RECORD_SCRIPT"; } <&0 2> /dev/null &
  RECORD_GUARD=$!
  wait "$RECORD_SCRIPT"
  kill "$RECORD_GUARD"
  RECORD_ID=$((RECORD_ID + 1))
done 9< "$1"
`;

/** For one batch of scripts. */
const TIME_LIMIT_MS = process.env.PROVE ? 3_600_000 : 300_000;

/** For each script, the words of every program real bash started. Runs in a directory of its own, where no program is found. */
export async function recordPrograms(scripts: readonly string[]): Promise<readonly (readonly string[][])[]> {
  const directory = await mkdtemp(join(tmpdir(), "recording-shell-"));
  try {
    const [work, programs] = [join(directory, "work"), join(directory, "programs")];
    await Promise.all([mkdir(work), mkdir(programs)]);
    const [driver, list, record] = [join(directory, "driver"), join(directory, "scripts"), join(directory, "record")];
    await Promise.all([
      writeFile(driver, DRIVER),
      writeFile(list, scripts.map((script) => `${script}\0`).join("")),
      writeFile(record, ""),
    ]);
    await runDriver([driver, list], work, {
      PATH: programs,
      HOME: work,
      RECORD_FILE: record,
      RECORD_BASH: bash(),
      LC_ALL: "C.UTF-8",
    });
    return parseRecord(await readFile(record, "utf8"), scripts.length);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runDriver(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = spawn(bash(), ["--norc", ...args], { cwd, env, stdio: ["pipe", "ignore", "ignore"], detached: true });
    // What a script left in the background belongs to the group, and nothing of it outlives the tests.
    const killAll = () => {
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // Nothing is left.
      }
    };
    const timer = setTimeout(() => {
      killAll();
      reject(new Error(`The scripts did not end within ${TIME_LIMIT_MS / 1000} s`));
    }, TIME_LIMIT_MS);
    process.once("exit", killAll);
    child.on("error", reject);
    child.on("exit", () => {
      clearTimeout(timer);
      process.off("exit", killAll);
      killAll();
      resolve();
    });
  });
}

function bash(): string {
  const directories = (process.env.PATH ?? "").split(delimiter);
  const found = directories.map((directory) => join(directory, "bash")).find(isExecutable);
  if (!found) throw new Error("This test compares with bash, and there is not one on the PATH");
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function parseRecord(text: string, count: number): readonly (readonly string[][])[] {
  const programs: string[][][] = Array.from({ length: count }, () => []);
  const fields = text.split("\0");
  for (let at = 0; at + 2 < fields.length; ) {
    const [script, words] = [Number(fields[at]), Number(fields[at + 1])];
    programs[script]?.push(fields.slice(at + 2, at + 2 + words).map((word) => word.replaceAll("\u0002", "\n")));
    at += 2 + words;
  }
  return programs;
}
