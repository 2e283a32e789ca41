import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { isInside } from "../../../paths/inside.js";

/** Larger files hold no rules: reading them for each search would take longer than what they could save. */
export const MAX_RULES_BYTES = 1024 * 1024;

const VERSION_CONTROL = new Set([".git", ".hg", ".svn", ".jj", ".bzr"]);
const NOISE = new Set(["node_modules", "__pycache__", ".venv", "venv", ".tox", "dist", "build"]);
/** Names of directories that a search seldom enters. */
export const SELDOM_ENTERED: readonly string[] = [...VERSION_CONTROL, ...NOISE];

/** The facts about a directory that ignore rules need. */
export interface DirectoryFacts {
  has(name: string): boolean;
  /** The text of a file that holds ignore rules, by its path below the directory; `null` when there is not one. */
  text(path: string): string | null;
}

/** One `.gitignore` (or `.git/info/exclude`) and the directory its patterns are relative to. */
interface Layer {
  readonly directory: string;
  readonly rules: Ignore;
  /** `.git/info/exclude` does not say that the directory has a `.gitignore`. */
  readonly isExclude?: true;
}

/** The rules for entries directly inside one directory, from the outermost to the innermost. */
export interface DirectoryRules {
  readonly directory: string;
  readonly layers: readonly Layer[];
  /** Whether the usual noise is skipped, since no `.gitignore` says what to skip. */
  readonly noise: boolean;
}

/**
 * The paths a search leaves out: version control directories, what `.gitignore` files ignore and, without one, the usual noise.
 *
 * A `.gitignore` counts for its directory and those below; a deeper one wins; a directory with a `.git` of its own starts
 * afresh. Those above `base` count up to the top of the repository or, outside one, up to `root`. Names in `asked` are
 * never skipped, and nothing below a directory that is only there because it was asked for.
 */
export class SkipRules {
  /** The rules inside `base`. */
  readonly start: DirectoryRules;
  readonly #known = new Map<string, DirectoryRules | null>();

  constructor(
    readonly base: string,
    root: string,
    private readonly asked: ReadonlySet<string>,
    /** Speaks of `base` and the directories above it, and below it for `skipsPath`. */
    private readonly look: (directory: string) => DirectoryFacts,
  ) {
    this.start = this.#above(base, root);
  }

  /** Gitignore patterns for what is skipped wherever it is. */
  get everywhere(): readonly string[] {
    return [...VERSION_CONTROL, ...[...(this.start.noise ? NOISE : [])].map((name) => `${name}/`)];
  }

  /** The outermost directory whose `.gitignore` counts in `base`, and that file; `base` itself when there is not one above. */
  get outermost(): { readonly cwd: string; readonly ignoreFile?: string } {
    const layer = this.start.layers.find(({ isExclude }) => !isExclude);
    if (!layer || layer.directory === this.base) return { cwd: this.base };
    return { cwd: layer.directory, ignoreFile: join(layer.directory, ".gitignore") };
  }

  /** The rules inside a directory of `parent`, or `null` when the directory is skipped. */
  enter(parent: DirectoryRules, name: string, inside: DirectoryFacts): DirectoryRules | null {
    const directory = `${parent.directory === "/" ? "" : parent.directory}/${name}`;
    if (!this.#isSkipped(parent, name, true)) {
      return open({ ...parent, directory, layers: parent.layers.map((layer) => overruled(layer, directory)) }, inside);
    }
    return this.asked.has(name) ? open({ directory, layers: [], noise: false }, inside) : null;
  }

  /** Whether a file or directory directly inside a directory is skipped. */
  skips(parent: DirectoryRules, name: string, isDirectory: boolean): boolean {
    return this.#isSkipped(parent, name, isDirectory) && !this.asked.has(name);
  }

  /** Whether a file is skipped, by its path below `base`; for lists that others made. */
  skipsPath(path: string): boolean {
    const slash = path.lastIndexOf("/");
    const directory = this.#directoryRules(path.slice(0, Math.max(0, slash)));
    return directory === null || this.skips(directory, path.slice(slash + 1), false);
  }

  #directoryRules(path: string): DirectoryRules | null {
    if (path === "") return this.start;
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const slash = path.lastIndexOf("/");
    const parent = this.#directoryRules(path.slice(0, Math.max(0, slash)));
    const rules = parent && this.enter(parent, path.slice(slash + 1), this.look(join(this.base, path)));
    this.#known.set(path, rules);
    return rules;
  }

  #isSkipped({ directory, layers, noise }: DirectoryRules, name: string, isDirectory: boolean): boolean {
    if (VERSION_CONTROL.has(name)) return true;
    if (noise && isDirectory && NOISE.has(name)) return true;
    for (let i = layers.length - 1; i >= 0; i--) {
      const { directory: origin, rules } = layers[i]!;
      const path = `${directory}/${name}`.slice(origin.length + 1);
      const { ignored, unignored } = rules.test(isDirectory ? `${path}/` : path);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  /** Walks down to `base` as a search would. What lies below something skipped was asked for, so nothing is skipped there. */
  #above(base: string, root: string): DirectoryRules {
    const { look } = this;
    const top = findRepository(base, look) ?? (isInside(base, root) ? root : base);
    const exclude = readLayer(top, look(top), ".git/info/exclude").map((layer) => ({
      ...layer,
      isExclude: true as const,
    }));
    let rules = open({ directory: top, layers: exclude, noise: false }, look(top));
    for (const name of relative(top, base).split(sep).filter(Boolean)) {
      const directory = join(rules.directory, name);
      const skipped = this.#isSkipped({ ...rules, noise: rules.layers.length === 0 }, name, true);
      if (skipped) return open({ directory: base, layers: [], noise: false }, look(base));
      rules = open(
        { ...rules, directory, layers: rules.layers.map((layer) => overruled(layer, directory)) },
        look(directory),
      );
    }
    return { ...rules, noise: !rules.layers.some(({ isExclude }) => !isExclude) };
  }
}

/** Adds the directory's own `.gitignore`. A repository inside another does not obey the outer one. */
function open(rules: DirectoryRules, inside: DirectoryFacts): DirectoryRules {
  const outer =
    inside.has(".git") && rules.layers.every(({ directory }) => directory !== rules.directory) ? [] : rules.layers;
  const own = inside.has(".gitignore") ? readLayer(rules.directory, inside, ".gitignore") : [];
  return { ...rules, layers: [...outer, ...own] };
}

/** The layer inside a directory: one that ignores it, but was overruled by a deeper one, does not ignore what it holds. */
function overruled(layer: Layer, directory: string): Layer {
  const path = directory.slice(layer.directory.length + 1);
  if (!layer.rules.test(`${path}/`).ignored) return layer;
  const exception = `!/${path.replace(/[\\*?[\]!# ]/g, "\\$&")}/`;
  return { ...layer, rules: ignore({ ignorecase: false }).add(layer.rules).add(exception) };
}

/** No layer for a file that is missing or cannot be read: then nothing says what to ignore. */
function readLayer(directory: string, inside: DirectoryFacts, path: string): Layer[] {
  const text = inside.text(path);
  return text === null ? [] : [{ directory, rules: ignore({ ignorecase: false }).add(text) }];
}

function findRepository(directory: string, look: (directory: string) => DirectoryFacts): string | undefined {
  if (look(directory).has(".git")) return directory;
  const parent = dirname(directory);
  return parent === directory ? undefined : findRepository(parent, look);
}
