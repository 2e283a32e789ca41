import { readdirSync, type Stats } from "node:fs";
import { resolve } from "node:path";
import { ToolError } from "../../contracts/errors.js";
import type { PathAccess } from "../../contracts/workspace.js";
import { homeDirectories } from "../../paths/home-directories.js";
import { isInside } from "../../paths/inside.js";
import { isPrivateKeyFile } from "../../paths/private-key.js";
import { quoteName } from "../../text/quote-name.js";
import { PathRules, type PathRulesOptions } from "./path-rules.js";
import { type DiskWalk, walkPath } from "./path-walk.js";
import { homeSecretsIn, type SeenPath } from "./protected-paths.js";
import { walkBelow } from "./walk-below.js";

/** More are not looked at for what globs match. */
const MAX_ENTRIES = 500_000;

export interface SandboxedPath {
  /** Real and absolute. */
  readonly path: string;
  /** `undefined` when nothing is there yet. A file or a directory otherwise. */
  readonly stats: Stats | undefined;
}

/** The rules over paths of this machine's disk, which is looked at in the moment of a decision. */
export class PathSandbox {
  readonly rules: PathRules;
  readonly #root: string;

  constructor(options: Omit<PathRulesOptions, "homes">) {
    const homes = homeDirectories();
    this.#root = options.root;
    this.rules = new PathRules({ ...options, homes });
    const found = homes.flatMap((home) => homeSecretsIn(home, namesListedIn(home)));
    for (const path of [...found, ...this.rules.protected.paths]) this.#protect(path);
  }

  /** @throws SandboxError that reveals nothing about what lies outside, not even whether it exists */
  resolve(path: string, access: PathAccess): SandboxedPath {
    return this.#check(path, access);
  }

  nameOf(path: string): string {
    return this.rules.nameOf(path);
  }

  /** Whether a path leads out of the roots, whatever was approved. */
  isOutside(path: string): boolean {
    return this.rules.isOutside(this.resolve(path, "read").path);
  }

  /** Adds directories whose content a session may use as it may that of the root, until it ends. */
  addDirectories(sessionId: string, directories: readonly string[]): void {
    const real = directories.map((directory) => this.#walk(directory).path);
    this.rules.addDirectories(sessionId, real);
  }

  /** Takes back directories that were added. */
  removeDirectories(sessionId: string, directories: readonly string[]): void {
    const real = directories.map((directory) => this.#walk(directory).path);
    this.rules.removeDirectories(sessionId, real);
  }

  /** The reason why the access needs approval; `null` when it does not or is refused anyway. */
  needsApproval(path: string, access: PathAccess, sessionId?: string): string | null {
    let walk: DiskWalk;
    try {
      walk = this.#check(path, access);
    } catch {
      return null;
    }
    return this.rules.approvalReason(path, access, walk, sessionId);
  }

  /**
   * The files, links and whole directories that the globs among the protected paths match now.
   *
   * @throws ToolError `COMMAND_FAILED` when more than 500,000 would have to be looked at
   */
  async matchedByGlobs(): Promise<string[]> {
    const { roots, hasGlobs } = this.rules.protected;
    const matched: string[] = [];
    let left = MAX_ENTRIES;
    const visit = (path: string) => {
      if (left-- === 0) throw tooMany(this.#root);
      const isMatch = this.rules.protected.matchesGlob(path);
      if (isMatch) matched.push(path);
      return !isMatch;
    };
    for (const root of hasGlobs ? roots : []) matched.push(...(await walkBelow(root, visit)));
    return matched;
  }

  #check(path: string, access: PathAccess): DiskWalk {
    const { absolute, from } = this.rules.spelled(path);
    const walk = walkPath(absolute, from);
    for (const each of this.rules.protected.listed) this.#protect(each);
    const { stats } = walk;
    const isKey = !stats?.isDirectory() && isPrivateKeyFile(walk.path, true);
    this.rules.decide(path, access, { ...walk, kind: kindOf(stats), isKey });
    return walk;
  }

  #walk(path: string): DiskWalk {
    const absolute = resolve(this.#root, path);
    return walkPath(absolute, isInside(absolute, this.#root) ? this.#root : undefined);
  }

  #protect(path: string): void {
    this.rules.protected.note(path, this.#walk(path));
  }
}

function tooMany(root: string): ToolError {
  return new ToolError("COMMAND_FAILED", {
    message: `The command was not run: ${quoteName(root)} and the other roots hold more than ${MAX_ENTRIES} files, which are too many to find what "protectedPaths" match. Name paths there and no globs.`,
  });
}

function kindOf(stats: Stats | undefined): SeenPath["kind"] {
  if (stats === undefined) return null;
  if (stats.isFile()) return "file";
  return stats.isDirectory() ? "directory" : "other";
}

/** Nothing for a directory that is missing or may not be listed. */
function namesListedIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
