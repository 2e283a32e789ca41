import { isAbsolute, relative, resolve, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import type { Walk } from "../../contracts/many-files.js";
import type { PathAccess } from "../../contracts/workspace.js";
import { foldPath } from "../../paths/fold.js";
import { isInside } from "../../paths/inside.js";
import { createSecretTest, gitsOwnReason, secretPathsIn } from "../../paths/sensitive-paths.js";

const LISTED = "it is on the list of protected paths";

/** All that has to be looked up before a path is decided. */
export interface SeenPath extends Walk {
  /** Whether the file there is a private key, by its name and its first bytes. */
  readonly isKey: boolean;
}

/** The paths nobody may touch, for one sandbox. */
export class ProtectedPaths {
  readonly roots: readonly string[];
  /** The patterns that may be paths. The target of each is noted once. */
  readonly paths: readonly string[];
  /** The patterns that are paths. The target of each is noted again before each decision, since links may be pointed elsewhere. */
  readonly listed: readonly string[];
  readonly #globs: Ignore | undefined;
  readonly #secretReason: (path: string) => string | null;
  /** Folded, as named and as they were found to lead. What a link once led to stays protected. */
  readonly #folded = new Set<string>();
  /** The target of each protected path when it was last looked at: links may be pointed elsewhere. */
  readonly #ways = new Map<string, string>();
  /** The number of names in the longest protected path: longer beginnings of a path need not be looked at. */
  #maxNames = 0;

  /**
   * `entries` are paths, refused with all that is below them and all that they lead to, now or later; or gitignore globs.
   * Both are relative to the first of `roots`; a glob also counts in the other roots.
   */
  constructor(roots: readonly string[], entries: readonly string[], homes: readonly string[]) {
    const root = roots[0]!;
    this.roots = roots;
    this.#secretReason = createSecretTest(homes);
    this.paths = entries.filter((entry) => !entry.startsWith("!")).map((entry) => resolve(root, entry));
    const globs = entries.filter((entry) => isGlob(entry, roots)).map((entry) => globOf(entry, roots));
    this.#globs = globs.length > 0 ? ignore({ ignorecase: true }).add(globs) : undefined;
    this.listed = this.paths.filter((path) => !/[*?]/.test(path));
  }

  /** The reason why the file or directory a path leads to may not be touched; `null` when it may. */
  reason(seen: SeenPath, access: PathAccess, root: string): string | null {
    for (const path of [...seen.links, seen.path]) {
      const secret = this.#secretReason(path);
      if (secret) return secret;
      if (this.#isListed(path) || this.matchesGlob(path)) return LISTED;
      const git = access === "write" ? gitsOwnReason(relative(root, path)) : null;
      if (git) return git;
    }
    return seen.isKey ? "it is a private key" : null;
  }

  /** Protects a path, every link on its way, and where it leads at this moment. */
  note(path: string, { path: target, links }: Pick<Walk, "path" | "links">): void {
    const way = [path, target, ...links].join("\0");
    if (this.#ways.get(path) === way) return;
    this.#ways.set(path, way);
    for (const each of way.split("\0")) {
      this.#folded.add(foldPath(each));
      this.#maxNames = Math.max(this.#maxNames, each.split(sep).length);
    }
  }

  #isListed(path: string): boolean {
    const names = foldPath(path).split(sep);
    return names.slice(0, this.#maxNames).some((_, index) => this.#folded.has(names.slice(0, index + 1).join(sep)));
  }

  get hasGlobs(): boolean {
    return this.#globs !== undefined;
  }

  matchesGlob(path: string): boolean {
    if (!this.#globs) return false;
    const root = this.roots.find((each) => isInside(path, each));
    if (root === undefined || path === root) return false;
    const inside = relative(root, path).split(sep).join("/");
    // With the slash, as a directory: the glob may be for directories only, and what is there may change.
    return [inside, foldPath(inside)].some((each) => this.#globs!.ignores(each) || this.#globs!.ignores(`${each}/`));
  }
}

/** The secrets that a home directory with these names in it may hold: links among them lead to what is secret, too. */
export function homeSecretsIn(home: string, names: readonly string[]): string[] {
  const folded = new Set(names.map(foldPath));
  return secretPathsIn([home]).filter((path) => folded.has(foldPath(relative(home, path).split(sep)[0]!)));
}

/** Whether an entry says what gitignore would understand, and not just a path. When in doubt it counts as both. */
function isGlob(entry: string, roots: readonly string[]): boolean {
  const isElsewhere = isAbsolute(entry) && !roots.some((root) => isInside(entry, root));
  return isElsewhere || /[*?[\]!]|[\\/]$/.test(entry);
}

/** A glob relative to the root it lies in; one that begins with a slash, or with a root's own path, is anchored there. */
function globOf(entry: string, roots: readonly string[]): string {
  const glob = (sep === "\\" ? entry.replaceAll("\\", "/") : entry).normalize("NFC").replace(/^\.\//, "/");
  const root = roots.find((each) => glob.startsWith(`${each.split(sep).join("/")}/`));
  return root === undefined ? glob : glob.slice(root.length);
}
