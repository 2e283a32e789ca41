/*
 * Reads a directory level by level until a number of entries is reached: a deep first directory cannot crowd out its siblings,
 * and a directory of a million files costs one listing, not a million looks.
 */
import { join } from "node:path";
import { isHarnessError } from "../../contracts/errors.js";
import type { FileAccess, Workspace } from "../../contracts/workspace.js";
import { byName } from "../../text/by-name.js";
import { TimeSlices } from "./cooperative-yield.js";
import { displayPath } from "./search-base.js";
import type { SearchSource } from "./walk/search-source.js";
import type { DirectoryFacts, DirectoryRules, SkipRules } from "./walk/skip-rules.js";
import { searchSource } from "./walk/workspace-source.js";

export interface TreeEntry {
  readonly name: string;
  readonly kind: Listed["kind"];
  /** The size of a file. Unit: bytes. */
  size?: number;
  /** The target of a symbolic link, as the model would name it. */
  link?: string;
  /** The reason why there is no more to see of it. */
  note?: string;
  /** The entries of a directory that was opened, by name. */
  entries?: readonly TreeEntry[];
  /** The number of entries of an opened directory there was no room for. */
  hidden?: number;
}

export interface DirectoryTree {
  /** By name. */
  readonly entries: readonly TreeEntry[];
  /** The number of entries of the top directory there was no room for. */
  readonly hidden: number;
  /** Entries in the tree. */
  readonly shown: number;
  /** Entries in all directories that were opened. */
  readonly total: number;
}

export interface TreeRequest {
  /** The number of levels to open; 1 is the directory itself. */
  readonly depth: number;
  readonly maxEntries: number;
  readonly signal: AbortSignal;
}

type Listed = Awaited<ReturnType<FileAccess["list"]>>[number];

interface Directory {
  readonly path: string;
  readonly entry: TreeEntry;
  /** The entries skipped inside. */
  readonly rulesFor: (inside: DirectoryFacts) => DirectoryRules | null;
}

/** @throws the sandbox's refusal or the file system's error for the top directory; those below become notes */
export async function readDirectoryTree(
  workspace: Workspace,
  path: string,
  request: TreeRequest,
): Promise<DirectoryTree> {
  const source = searchSource(workspace);
  const rules = await source.rules(path, new Set());
  return new TreeReader(workspace, source, rules, request).read(path);
}

class TreeReader {
  #room: number;
  #total = 0;
  readonly #slices: TimeSlices;

  constructor(
    private readonly workspace: Workspace,
    private readonly source: SearchSource,
    private readonly skip: SkipRules,
    private readonly request: TreeRequest,
  ) {
    this.#room = request.maxEntries;
    this.#slices = new TimeSlices(request.signal);
  }

  async read(path: string): Promise<DirectoryTree> {
    const top: TreeEntry = { name: "", kind: "directory" };
    let level = await this.#open({ path, entry: top, rulesFor: () => this.skip.start }, this.#room);
    for (let depth = 1; depth < this.request.depth; depth++) level = await this.#openAll(level);
    return {
      entries: top.entries ?? [],
      hidden: top.hidden ?? 0,
      shown: this.request.maxEntries - this.#room,
      total: this.#total,
    };
  }

  /** Opens the directories of one level, each with its share of the room that is left. Answers the directories in them. */
  async #openAll(level: readonly Directory[]): Promise<readonly Directory[]> {
    const next: Directory[] = [];
    for (const [index, directory] of level.entries()) {
      const share = Math.ceil(this.#room / (level.length - index));
      try {
        if (share > 0) next.push(...(await this.#open(directory, share)));
      } catch (error) {
        directory.entry.note = reasonOf(error, directory.entry);
      }
    }
    return next;
  }

  /** Lists a directory and looks at up to `room` entries. Answers those that are directories and not ignored. */
  async #open({ path, entry, rulesFor }: Directory, room: number): Promise<readonly Directory[]> {
    const listed = this.source.bulk?.list(path) ?? (await this.workspace.files.list(path));
    const shown = [...listed].sort(byName).slice(0, room);
    this.#total += listed.length;
    this.#room -= shown.length;
    entry.hidden = listed.length - shown.length;
    entry.entries = shown.map(({ name, kind }): TreeEntry => ({ name, kind }));
    const rules = rulesFor(await this.source.factsOf(path, listed));
    const directories: Directory[] = [];
    const looks: Promise<void>[] = [];
    for (const child of entry.entries) {
      if (this.#slices.due()) await this.#slices.pause();
      const { name, kind } = child;
      const isIgnored = rules !== null && this.skip.skips(rules, name, kind === "directory");
      if (isIgnored) child.note = "ignored";
      const childPath = join(path, name);
      if (kind === "other") child.note = "device, pipe or socket";
      else if (kind !== "directory") looks.push(this.#look(child, childPath));
      else if (rules && !isIgnored) {
        directories.push({ path: childPath, entry: child, rulesFor: (inside) => this.skip.enter(rules, name, inside) });
      }
    }
    await Promise.all(looks);
    return directories;
  }

  async #look(entry: TreeEntry, path: string): Promise<void> {
    const { files } = this.workspace;
    try {
      const seen = await this.source.bulk?.statOf(path);
      if (entry.kind === "symlink") entry.link = displayPath(this.workspace, await files.resolve(path, "read"));
      else await files.resolve(path, "read");
      if (seen?.kind === null) {
        entry.note = NOTHING;
        return;
      }
      const { kind, size } = seen?.size === undefined ? await files.stat(path) : seen;
      if (kind === "file") entry.size = size;
      else if (entry.link !== undefined) entry.link += "/";
    } catch (error) {
      entry.note = reasonOf(error, entry);
    }
  }
}

const NOTHING = "nothing there";

/** Short, and for a link that leads out no more than that. */
function reasonOf(error: unknown, { name }: TreeEntry): string {
  if (isHarnessError(error, "PATH_OUTSIDE")) return "leads out of the workspace";
  if (isHarnessError(error, "PATH_PROTECTED")) return "protected";
  if (isHarnessError(error, "PATH_INVALID")) return "cannot be opened";
  if (isHarnessError(error, "TOOL_FAILED")) return "not readable";
  if (!isHarnessError(error, "PATH_NOT_FOUND")) throw error;
  return name.includes("\ufffd") ? "its name is not UTF-8, so no path can name it" : NOTHING;
}
