// The directory of the program's lasting state: outside every project, in a directory of the user's own, one per project.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describeThrown } from "../../text/describe-thrown.js";
import { UsageError } from "../exit-codes.js";
import { programHome } from "./program-home.js";
import { followRename, noteProject } from "./renamed-project.js";

/** The state of one project. */
export interface ProjectState {
  /** The project's directory, real and absolute, on the machine it is on. */
  readonly root: string;
  /** The name of its place: the root on this machine, with the machine's name on another. */
  readonly place: string;
  /** The directory of everything below. */
  readonly dir: string;
  readonly sessions: string;
  readonly facts: string;
  readonly artifacts: string;
  readonly checkpoints: string;
  /** The prompts that the user has typed here, one JSON string a line. */
  readonly history: string;
  /** The names of sessions. */
  readonly names: string;
  /** The permission modes of sessions. */
  readonly modes: string;
  /** Whether the user trusts the project. */
  readonly trust: string;
  /** The rules the user has allowed for good. */
  readonly rules: string;
  /** The plugins that the user trusts, in every project. */
  readonly plugins: string;
  /** The program's own code as this machine runs it, shared by all projects. */
  readonly compiled: string;
  /** The paths that are run or obeyed in every project, so that none may write them. */
  readonly own: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws UsageError when there is no such directory */
export function projectStateOf(directory: string, env: Environment): ProjectState {
  const root = realDirectory(directory);
  const state = stateFor(root, root, env);
  followRename(root, state.dir, dirname(state.dir));
  return state;
}

/** The state of the project at `root`, whose place has this name. */
export function stateFor(root: string, place: string, env: Environment): ProjectState {
  const home = programHome(env);
  const name = createHash("sha256").update(place).digest("hex").slice(0, 20);
  const dir = join(home, "projects", name);
  return {
    root,
    place,
    dir,
    sessions: join(dir, "sessions"),
    facts: join(dir, "facts"),
    artifacts: join(dir, "artifacts"),
    checkpoints: join(dir, "checkpoints"),
    history: join(dir, "history.jsonl"),
    names: join(dir, "names.jsonl"),
    modes: join(dir, "modes.jsonl"),
    trust: join(dir, "trust.json"),
    rules: join(dir, "rules.json"),
    plugins: join(home, "plugins.json"),
    compiled: join(home, "compiled"),
    own: ["compiled", "models.json", "plugins.json", "terminal.json"].map((name) => join(home, name)),
  };
}

/**
 * Makes the directories that have to be there before an agent works. Others on the machine cannot read them.
 *
 * @throws UsageError when they cannot be made
 */
export function makeState(state: ProjectState): ProjectState {
  try {
    makeDirectory(state.artifacts);
    if (state.place === state.root) noteProject(state.root, state.dir);
    return { ...state, artifacts: realpathSync(state.artifacts) };
  } catch (error) {
    throw new UsageError(
      `Sessions cannot be kept in "${state.dir}": ${describeThrown(error)}. Set LOOPWRIGHT_HOME to a directory that can be written.`,
    );
  }
}

/** One level after the other: where the system allows no directories at all, as in `/proc`, Node's own way never returns. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process has made it in the meantime.
    if (!existsSync(path)) throw error;
  }
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
