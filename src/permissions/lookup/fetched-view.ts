// A view of files elsewhere. It answers from what was fetched and notes what it was asked in vain; that is fetched in one round trip,
// and whoever asked asks again. So the reading of a line needs not wait for anything, wherever the files are.
import { basename, dirname, join } from "node:path";
import type { FileTree, Look, LookQuestion, ManyFiles, TreeFile } from "../../contracts/many-files.js";
import { isInside } from "../../paths/inside.js";
import { hasKeyName, holdsPrivateKey, SNIFFED_BYTES } from "../../paths/sensitive-paths.js";
import { type DiskEntry, type DiskView, PRUNED } from "./disk-view.js";

const MAX_ROUNDS = 6;
/** More questions are not asked: what they are about is not known. */
const MAX_LOOKS = 3_000;
/** A larger file with the name of a key counts as one. Unit: bytes. */
const MAX_KEY = 256 * 1024;

/** No file can have it. */
const NO_NAME = "/";
/** Small parts of a repository that decide what git runs. */
const GIT_FILES: Readonly<Record<string, Omit<LookQuestion, "path">>> = {
  HEAD: { maxBytes: 100_000 },
  commondir: { maxBytes: 100_000 },
  config: { maxBytes: 100_000 },
  "config.worktree": { maxBytes: 100_000 },
  hooks: { names: true },
  "hooks/post-index-change": {},
  index: {},
  "packed-refs": {},
  reftable: {},
  refs: { names: true },
  "refs/heads": { names: true },
  "refs/tags": { names: true },
  "refs/remotes": { names: true },
};

export class FetchedView implements DiskView {
  readonly #looks = new Map<string, { readonly look: Look; readonly asked: LookQuestion }>();
  #missed = new Map<string, LookQuestion>();
  /** Directories of which everything below was fetched, or is to be. */
  readonly #trees = new Set<string>();
  #missedTrees: string[] = [];
  readonly #ignoreFiles = new Map<string, string>();
  readonly #kinds = new Map<string, DiskEntry["kind"]>();
  readonly #entries = new Map<string, DiskEntry[]>();
  #rounds = 0;
  readonly #git: string;

  constructor(
    private readonly many: ManyFiles,
    private readonly root: string,
    readonly homes: readonly string[],
  ) {
    this.#git = join(root, ".git");
  }

  /**
   * Does the work again until it asks for nothing that is not known. What it waits for should be asked for at once: then it goes in
   * the round trip of the other questions.
   */
  async settle<T>(work: () => T | Promise<T>): Promise<T> {
    for (;;) {
      const working = work();
      const first = this.#fetch();
      const value = await working;
      const fetched = [await first, await this.#fetch()];
      if (!fetched.includes(true)) return value;
    }
  }

  entriesOf(directory: string): readonly DiskEntry[] | null {
    const known = this.#entries.get(directory);
    if (known) return known;
    if (this.#kinds.get(directory) === "file") return [];
    const top = this.#kinds.get(directory) === "directory" && PRUNED.has(basename(directory)) ? directory : this.root;
    if (isInside(directory, top) && !this.#trees.has(top)) {
      this.#trees.add(top);
      this.#missedTrees.push(top);
      return null;
    }
    const look = this.#look({ path: directory, names: true });
    if (!look || (look.trouble && look.trouble !== "not-a-directory")) return null;
    if (look.kind !== "directory") return [];
    return look.names?.map(({ name, kind }) => ({ name, kind: entryKind(kind) })) ?? null;
  }

  realPathOf(path: string): string | null {
    if (this.#isPlain(path)) return path;
    const look = this.#look({ path });
    if (!look?.trouble) return look?.path ?? null;
    const above = dirname(path) === path ? path : this.realPathOf(dirname(path));
    return above && join(above, basename(path));
  }

  kindOf(path: string): "file" | "directory" | "unknown" | null {
    const known = this.#kinds.get(path);
    if (known === "file" || known === "directory") return known;
    if (this.#isMissing(path)) return null;
    const look = this.#look({ path });
    if (!look) return "unknown";
    if (look.trouble || look.kind === null) return null;
    return look.kind === "directory" ? "directory" : "file";
  }

  isLink(path: string): boolean {
    const known = this.#kinds.get(path);
    if (known || this.#isMissing(path)) return known === "link";
    const look = this.#look({ path });
    const above = look?.links.length === 0 ? null : this.realPathOf(dirname(path));
    return above !== null && look?.links.includes(join(above, basename(path))) === true;
  }

  contentOf(path: string, maxBytes: number): Uint8Array | null {
    const rules = this.#ignoreFiles.get(path);
    if (rules !== undefined) return rules.length > maxBytes ? null : new TextEncoder().encode(rules);
    if (this.#isMissing(path)) return null;
    const bytes = this.#look({ path, maxBytes })?.bytes;
    return bytes && bytes.length <= maxBytes ? bytes : null;
  }

  holdsKey(path: string): boolean {
    if (!hasKeyName(path) || this.kindOf(path) === null) return false;
    const bytes = this.contentOf(path, MAX_KEY);
    return bytes === null || holdsPrivateKey(bytes.subarray(0, SNIFFED_BYTES));
  }

  /** The answer, where it was fetched; otherwise the question is noted. */
  #look({ path, names = false, maxBytes = -1 }: LookQuestion): Look | undefined {
    const known = this.#looks.get(path);
    if (known && (!names || known.asked.names) && maxBytes <= (known.asked.maxBytes ?? -1)) return known.look;
    const before = this.#missed.get(path) ?? known?.asked;
    const most = Math.max(maxBytes, before?.maxBytes ?? -1);
    if (path === this.#git) this.#noteGit();
    this.#missed.set(path, { path, names: names || before?.names === true, ...(most >= 0 && { maxBytes: most }) });
    return undefined;
  }

  /** Below the root, with no link on the way. */
  #isPlain(path: string): boolean {
    const kind = this.#kinds.get(path);
    return kind === "file" || kind === "directory" || path === this.root;
  }

  /** The directory that it would be in was listed, and has it not. */
  #isMissing(path: string): boolean {
    return !this.#kinds.has(path) && this.#entries.has(dirname(path)) && path === join(path);
  }

  /** Adds the next questions about a repository to the same round trip. */
  #noteGit(): void {
    for (const [name, about] of Object.entries(GIT_FILES)) {
      const path = join(this.#git, name);
      if (!this.#looks.has(path) && !this.#missed.has(path)) this.#missed.set(path, { path, ...about });
    }
  }

  /** Whether anything was asked for in vain, and is known now. */
  async #fetch(): Promise<boolean> {
    const [questions, trees] = [[...this.#missed.values()], this.#missedTrees];
    [this.#missed, this.#missedTrees] = [new Map(), []];
    const isEnough = this.#rounds >= MAX_ROUNDS || this.#looks.size + questions.length > MAX_LOOKS;
    if (questions.length + trees.length === 0 || isEnough) return false;
    this.#rounds++;
    const [looks, ...found] = await Promise.all([
      questions.length > 0 ? this.many.look(questions) : [],
      ...trees.map((top) => this.many.tree([top], top === this.root ? [...PRUNED] : [NO_NAME])),
    ]);
    for (const [index, look] of looks.entries())
      this.#looks.set(questions[index]!.path, { look, asked: questions[index]! });
    for (const tree of found) this.#takeTree(tree);
    return true;
  }

  #takeTree(tree: FileTree | null): void {
    for (const directory of tree?.directories ?? []) this.#entries.set(directory, []);
    for (const { path, kind } of tree?.files ?? []) {
      this.#kinds.set(path, entryKind(kind));
      const isOpened = kind === "directory" && (tree?.directories[0] !== this.root || !PRUNED.has(basename(path)));
      if (isOpened) this.#entries.set(path, []);
    }
    for (const { path, kind } of tree?.files ?? []) {
      this.#entries.get(dirname(path))?.push({ name: basename(path), kind: entryKind(kind) });
    }
    for (const [path, text] of tree?.ignoreFiles ?? []) this.#ignoreFiles.set(path, text);
  }
}

function entryKind(kind: TreeFile["kind"]): DiskEntry["kind"] {
  if (kind === "symlink") return "link";
  return kind === "directory" ? "directory" : "file";
}
