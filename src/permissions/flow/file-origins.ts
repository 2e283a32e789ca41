// Whose the files of a workspace are: what git tracked when the first call was decided is the user's, and what was written from
// untrusted content is not. That is on record beside git's index, where the calls of an agent do not write: for every session and process.
import { closeSync, constants, openSync, statSync, writeSync } from "node:fs";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";
import type { Label } from "../../contracts/label.js";
import type { FileState, Workspace } from "../../contracts/workspace.js";
import { frozenLabel, joinLabels, NO_LABEL, UNLABELLED } from "../../labels/join-labels.js";
import { readLabel } from "../../labels/read-label.js";
import { isInside } from "../../paths/inside.js";
import { quotedForShell } from "../../text/quoted-for-shell.js";
import { type DiskView, textOf } from "../lookup/disk-view.js";
import { createGitIgnore, repositoryOf, sharedDirectoryOf } from "../lookup/repository.js";
import { moved } from "../lookup/tree-view.js";
import { PACKAGES, settle, type Tracked, trackedFilesOf } from "./tracked-files.js";

/** More files are not told apart: then every file counts as written so. */
const MAX_FILES = 20_000;
/** More names below one directory are not looked through, beside those that git tracks. */
const MAX_NAMES = 20_000;
/** Unit: bytes. */
const MAX_RECORD = 16_000_000;
/** In the directory of git's own that all work trees share: a merge brings a file from one to another. */
const RECORD = "loopwright-untrusted";
/** What a search opens below a directory. */
export interface Search {
  /** Of what git ignores. */
  readonly leavesOut: "nothing" | "ignored directories" | "ignored";
  /** It goes on behind links. */
  readonly follows: boolean;
}

interface OwnFile {
  readonly sessionId: string;
  readonly since: number;
  readonly state: FileState | undefined;
  isWritten: boolean;
}

const OPENED = new WeakMap<FileState, Promise<FileOrigins>>();

/** The same for all who ask about one workspace. Git's index is read for the first of them. */
export function originsOf(workspace: Workspace | undefined): Promise<FileOrigins> {
  if (!workspace) return Promise.resolve(new FileOrigins(undefined, "no workspace says where they are"));
  const known = OPENED.get(workspace.fileState);
  if (known) return known;
  const opening = trackedFilesOf(workspace).then((found) => new FileOrigins(workspace, found));
  OPENED.set(workspace.fileState, opening);
  opening.catch(() => OPENED.delete(workspace.fileState));
  return opening;
}

/** What is known of the files of one workspace. */
export class FileOrigins {
  readonly #tracked: Tracked | undefined;
  readonly #written = new Map<string, Label>();
  /** Files that calls from trusted content alone replace, and when that was decided. */
  readonly #own = new Map<string, OwnFile>();
  #recordBytes = 0;
  /** Why no file here is trusted; `null` where git says which are. Part of a sentence about them. */
  readonly why: string | null;

  constructor(
    private readonly workspace: Workspace | undefined,
    found: Tracked | string,
  ) {
    this.#tracked = typeof found === "string" ? undefined : found;
    this.why = typeof found === "string" ? found : null;
  }

  /** Whether a file is the user's own, by its real path: not what it was written from, which `writtenFrom` says. */
  isTrusted(path: string): boolean {
    return this.#isTracked(path) || this.#isOwn(path);
  }

  #isTracked(path: string): boolean {
    return this.#trackedIn(dirname(path))(basename(path));
  }

  /** Of the names in a directory, by its real path, whether git tracks them. */
  #trackedIn(directory: string): (name: string) => boolean {
    if (!this.#tracked || !this.isProjects(directory)) return () => false;
    const { repository, names } = this.#tracked;
    const inside = relative(repository, directory).replaceAll(sep, "/");
    const start = inside === "" ? "" : `${inside}/`;
    return (name) => names.has(start + name);
  }

  /** Whether something lies in the user's repository, and in no installed package. */
  isProjects(path: string): boolean {
    return this.#tracked !== undefined && isInside(path, this.#tracked.repository) && !this.isPackage(path);
  }

  #isOwn(path: string): boolean {
    const own = this.#own.get(path);
    if (!own || own.isWritten) return own !== undefined;
    const { access, at = 0 } = own.state?.how?.(own.sessionId, path) ?? {};
    own.isWritten = access === "write" && at >= own.since;
    return own.isWritten;
  }

  /** Whether something is part of an installed package. */
  isPackage(path: string): boolean {
    return PACKAGES.test(this.workspace ? relative(this.workspace.root, path) : path);
  }

  /** Whether git, where it stands there, speaks of the user's repository, and not of one inside or elsewhere. */
  isOwnRepository(directory: string | null, disk: DiskView): boolean {
    const found = directory === null ? undefined : repositoryOf(directory, disk);
    return found !== undefined && disk.realPathOf(found) === this.#tracked?.repository;
  }

  /** Of a file, or of those that a search opens below a directory, the first that is not the user's own. `tree`: that they are looked for in. */
  foreignBelow(path: string, search: Search, tree = this.workspace): Promise<string | undefined> | string | undefined {
    if (!this.workspace || !tree || this.why !== null) return path;
    const { root } = this.workspace;
    const start = moved(path, root, tree.root);
    const trackedIn = (directory: string) => this.#trackedIn(moved(directory, tree.root, root));
    const isTrusted = (at: string) => trackedIn(dirname(at))(basename(at)) || this.#isOwn(at);
    return settle(tree, (disk) => {
      if (disk.kindOf(start) !== "directory") return isTrusted(start) ? undefined : path;
      const isIgnored = createGitIgnore(tree.root, disk);
      // A search that is sent into a directory that git ignores looks into it.
      const leavesOut = isIgnored(start) ? "nothing" : search.leavesOut;
      const directories = [start];
      let left = MAX_NAMES;
      for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
        const entries = disk.entriesOf(at);
        if (entries === null) return at;
        const tracked = trackedIn(at);
        for (const { name, kind } of entries) {
          // Nearly all are of this kind.
          if (kind === "file" && tracked(name)) continue;
          if (left-- === 0) return at;
          const path = join(at, name);
          if (name === ".git" || (kind === "link" && !search.follows)) continue;
          if (kind === "directory") {
            if (leavesOut === "nothing" || !isIgnored(path)) directories.push(path);
          } else {
            const real = kind === "link" ? disk.realPathOf(path) : path;
            // A link that leads nowhere yet is its own place.
            const isFine = real !== null && (kind !== "link" || real !== path) && isTrusted(real);
            if (!isFine && !(leavesOut === "ignored" && isIgnored(path))) return path;
          }
        }
      }
      return undefined;
    });
  }

  /** What the files at or below the paths, or the directories around them, were written from, where that was untrusted. */
  async writtenFrom(paths: readonly string[] | "all"): Promise<Label> {
    await this.#readRecord();
    const near = [...this.#written].filter(
      ([at]) => paths === "all" || paths.some((path) => isInside(at, path) || isInside(path, at)),
    );
    return near.reduce((all, [, label]) => joinLabels(all, label), NO_LABEL);
  }

  /**
   * Notes that a file, or what is below a directory, may be written from such content: also for other processes, before it is. Real and
   * absolute.
   */
  async note(path: string, label: Label): Promise<void> {
    const isNew = this.#keep(path, label);
    if (!this.#tracked) return;
    const { repository, shared } = this.#tracked;
    if (!isInside(path, repository) && !isInside(repository, path)) {
      // What lies elsewhere is nobody's in any process, but for a file of another work tree, which may be merged.
      const other = await settle(this.workspace!, (disk) => this.#workTreeOf(path, disk));
      return other === undefined ? undefined : this.note(join(repository, relative(other, path)), label);
    }
    if (!isNew) return;
    const sources = label.sources.map(({ entryId: _, ...source }) => source);
    // One that was cut off, as on a full disk, does not take this one with it.
    const line = `\n${JSON.stringify({ path: relative(repository, path), label: { ...label, sources } })}\n`;
    const record = join(shared, RECORD);
    if (this.workspace!.files.onDisk) return append(record, line);
    const command = `[ ! -L ${quotedForShell(record)} ] && printf '%s' ${quotedForShell(line)} >> ${quotedForShell(record)}`;
    const { exitCode } = await this.workspace!.shell.run({ command, cwd: repository, timeoutMs: 60_000 });
    if (exitCode !== 0) throw new Error(`"${record}" could not be written (exit code ${exitCode}): make it writable.`);
  }

  /** The work tree of the same repository that something is in. */
  #workTreeOf(path: string, disk: DiskView): string | undefined {
    const found = repositoryOf(path, disk);
    const isSame = found !== undefined && disk.realPathOf(sharedDirectoryOf(found, disk)) === this.#tracked?.shared;
    return isSame ? (disk.realPathOf(found) ?? undefined) : undefined;
  }

  /** Notes that any file of the user's may be written so. */
  async noteAll(label: Label): Promise<void> {
    if (this.#tracked) await this.note(this.#tracked.repository, label);
  }

  /** Notes that a call from trusted content alone replaces the whole of a file. It counts once the file was written so. */
  noteOwn(path: string, sessionId: string, tree = this.workspace): void {
    const at = this.workspace && tree ? moved(path, this.workspace.root, tree.root) : path;
    const own = { sessionId, since: Date.now(), state: tree?.fileState, isWritten: false };
    if (this.#own.size < MAX_FILES) this.#own.set(at, own);
  }

  /** Whether that was not known. */
  #keep(path: string, label: Label): boolean {
    const place = this.#written.size < MAX_FILES || this.#written.has(path) ? path : parse(path).root;
    const before = this.#written.get(place) ?? NO_LABEL;
    const now = joinLabels(before, label);
    this.#written.set(place, now);
    return now !== before;
  }

  /** What this and other processes have noted since it was last read. */
  async #readRecord(): Promise<void> {
    if (!this.#tracked) return;
    const { repository, shared } = this.#tracked;
    const record = join(shared, RECORD);
    const bytes = this.workspace!.files.onDisk ? (statSync(record, { throwIfNoEntry: false })?.size ?? 0) : -1;
    if (bytes === this.#recordBytes) return;
    this.#recordBytes = bytes;
    const text = await settle(this.workspace!, (disk) =>
      disk.kindOf(record) === null ? "" : (textOf(disk, record, MAX_RECORD) ?? "?"),
    );
    for (const line of text.split("\n")) if (line !== "") this.#readLine(line, repository);
  }

  /** A line that is not understood may be about any file. */
  #readLine(line: string, repository: string): void {
    let said: { readonly path?: unknown; readonly label?: unknown };
    try {
      said = Object(JSON.parse(line));
    } catch {
      said = {};
    }
    const { path } = said;
    const label = readLabel(said.label);
    const isWhole = typeof path === "string" && label !== undefined;
    this.#keep(isWhole ? resolve(repository, path) : repository, isWhole ? label : UNLABELLED);
  }
}

/** Who made the repository may have put a link there, or what never answers. */
function append(record: string, line: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(record, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    writeSync(file, line);
  } finally {
    closeSync(file);
  }
}

/** The label of something in a workspace. */
export function labelOfSource(kind: "workspace" | "command", name: string, isUntrusted: boolean): Label {
  return frozenLabel(isUntrusted ? "untrusted" : "trusted", "anyone", [
    { kind, name, ...(isUntrusted && { untrusted: true }) },
  ]);
}
