// Where the program keeps what outlives it: outside every project, in a directory of the user's own, one per project.
import { createHash } from "node:crypto";
import { mkdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { UsageError } from "../exit-codes.js";

/** The state of one project. */
export interface ProjectState {
  /** The project's directory, real and absolute. */
  readonly root: string;
  /** Where everything below is kept. */
  readonly dir: string;
  readonly sessions: string;
  readonly facts: string;
  readonly artifacts: string;
  readonly checkpoints: string;
  /** What the user has typed here, one JSON string a line. */
  readonly history: string;
  /** Whether the user trusts the project. */
  readonly trust: string;
  /** The rules the user has allowed for good. */
  readonly rules: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws UsageError when there is no such directory */
export function projectStateOf(directory: string, env: Environment): ProjectState {
  const root = realDirectory(directory);
  const home = resolve(env.LOOPWRIGHT_HOME || join(homedir(), ".loopwright"));
  const name = createHash("sha256").update(root).digest("hex").slice(0, 20);
  const dir = join(home, "projects", name);
  return {
    root,
    dir,
    sessions: join(dir, "sessions"),
    facts: join(dir, "facts"),
    artifacts: join(dir, "artifacts"),
    checkpoints: join(dir, "checkpoints"),
    history: join(dir, "history.jsonl"),
    trust: join(dir, "trust.json"),
    rules: join(dir, "rules.json"),
  };
}

/** Makes the directories that have to be there before an agent works. Others on the machine cannot read them. */
export function makeState(state: ProjectState): ProjectState {
  mkdirSync(state.artifacts, { recursive: true, mode: 0o700 });
  return { ...state, artifacts: realpathSync(state.artifacts) };
}

function realDirectory(directory: string): string {
  try {
    const real = realpathSync(directory);
    if (statSync(real).isDirectory()) return real;
  } catch {
    // Said below.
  }
  throw new UsageError(`There is no directory "${resolve(directory)}".`);
}
