// The origins of a workspace's files: those that git tracked when the first call was decided are the user's, those written from
// untrusted content are not. The latter are on record beside git's index, where the calls of an agent do not write: for every session and process.
import { basename, dirname, join, relative, sep } from "node:path";
import type { Label } from "../../contracts/label.js";
import type { FileState } from "../../contracts/workspace.js";
import { frozenLabel, NO_LABEL } from "../../labels/join-labels.js";
import { isInside } from "../../paths/inside.js";
import { type DiskView, moved } from "../lookup/disk-view.js";
import { createGitIgnore, repositoryOf, sharedDirectoryOf } from "../lookup/repository.js";
import { type FilesPlace, PACKAGES, settle, type Tracked, trackedFilesOf } from "./tracked-files.js";
import { MAX_FILES, UntrustedRecord } from "./untrusted-record.js";

/** More names below one directory are not looked through, beside those that git tracks. */
const MAX_NAMES = 20_000;
/** The files that a search opens below a directory. */
export interface Search {
  /** The files ignored by git that it leaves out. */
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

const OPENED = new WeakMap<object, Promise<FileOrigins>>();

/** The same for all who ask about one workspace. Git's index is read for the first of them. */
export function originsOf(place: FilesPlace | undefined): Promise<FileOrigins> {
  if (!place) return Promise.resolve(new FileOrigins(undefined, "no workspace says where they are"));
  const key = place.fileState ?? place;
  const known = OPENED.get(key);
  if (known) return known;
  const opening = trackedFilesOf(place).then((found) => new FileOrigins(place, found));
  OPENED.set(key, opening);
  opening.catch(() => OPENED.delete(key));
  return opening;
}

/** The known origins of the files of one workspace. */
export class FileOrigins {
  readonly #tracked: Tracked | undefined;
  readonly #record: UntrustedRecord;
  /** Files that calls from trusted content alone replace, and when that was decided. */
  readonly #own = new Map<string, OwnFile>();
  /** The reason why no file here is trusted; `null` where git says which are. Part of a sentence about them. */
  readonly why: string | null;

  constructor(
    private readonly place: FilesPlace | undefined,
    found: Tracked | string,
  ) {
    this.#tracked = typeof found === "string" ? undefined : found;
    this.why = typeof found === "string" ? found : null;
    this.#record = new UntrustedRecord(place, this.#tracked);
  }

  /** The repository, where git says whose files are. */
  get roots(): readonly string[] {
    return this.#tracked ? [this.#tracked.repository] : [];
  }

  /** Whether a file is the user's own, by its real path: not what it was written from, which `writtenFrom` says. */
  isTrusted(path: string): boolean {
    return this.#isTracked(path) || this.#isOwn(path);
  }

  /** Whether a file is the user's own as it is: nothing untrusted was written into it either. */
  async isOwnNow(path: string): Promise<boolean> {
    return this.isTrusted(path) && (await this.#record.of([path])).integrity === "trusted";
  }

  #isTracked(path: string): boolean {
    return this.#trackedIn(dirname(path))(basename(path));
  }

  /** A test for names in a directory, given by its real path: whether git tracks them. */
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
    return PACKAGES.test(this.place ? relative(this.place.root, path) : path);
  }

  /** Whether git, where it stands there, speaks of the user's repository, and not of one inside or elsewhere. */
  isOwnRepository(directory: string | null, disk: DiskView): boolean {
    const found = directory === null ? undefined : repositoryOf(directory, disk);
    return found !== undefined && disk.realPathOf(found) === this.#tracked?.repository;
  }

  /**
   * The first file that is not the user's own: the given one, or of those that a search opens below a directory. `tree`: the one searched.
   * `all`: takes them all instead, up to one that cannot be looked through.
   */
  foreignBelow(
    path: string,
    search: Search,
    tree: FilesPlace | undefined = this.place,
    all?: string[],
  ): Promise<string | undefined> | string | undefined {
    if (!this.place || !tree || this.why !== null) return path;
    const { root } = this.place;
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
            if (isFine || (leavesOut === "ignored" && isIgnored(path))) continue;
            if (!all) return path;
            all.push(moved(path, tree.root, root));
          }
        }
      }
      return undefined;
    });
  }

  /** The untrusted sources that the files at or below the paths, or the directories around them, were written from. */
  writtenFrom(paths: readonly string[] | "all"): Promise<Label> {
    return this.#record.of(paths);
  }

  /** The same of one file, unless its content is what git's index had before. */
  async changedFrom(path: string, content: Uint8Array): Promise<Label> {
    const label = await this.#record.of([path]);
    return label.integrity === "untrusted" && this.#record.isAsBefore(path, content) ? NO_LABEL : label;
  }

  /**
   * Notes that a file, or what is below a directory, may be written from such content: also for other processes, before it is. Real and
   * absolute.
   */
  async note(path: string, label: Label): Promise<void> {
    await this.#record.note(path, label);
    if (!this.#tracked || !this.place) return;
    const { repository } = this.#tracked;
    if (isInside(path, repository) || isInside(repository, path)) return;
    // No process knows the origin of a file elsewhere, but for one of another work tree, which may be merged.
    const other = await settle(this.place, (disk) => this.#workTreeOf(path, disk));
    if (other !== undefined) await this.#record.note(join(repository, relative(other, path)), label);
  }

  /** The work tree of the same repository that something is in. */
  #workTreeOf(path: string, disk: DiskView): string | undefined {
    const found = repositoryOf(path, disk);
    const isSame = found !== undefined && disk.realPathOf(sharedDirectoryOf(found, disk)) === this.#tracked?.shared;
    return isSame ? (disk.realPathOf(found) ?? undefined) : undefined;
  }

  /** Whether what is written below the directories can be kept on record. */
  mayRecord(directories: readonly string[]): boolean {
    return directories.every((each) => this.#tracked !== undefined && isInside(each, this.#tracked.repository));
  }

  /** Notes that any file of the user's may be written so. */
  async noteAll(label: Label): Promise<void> {
    if (this.#tracked) await this.note(this.#tracked.repository, label);
  }

  /** Notes that a call from trusted content alone replaces the whole of a file. It counts once the file was written so. */
  noteOwn(path: string, sessionId: string, tree: FilesPlace | undefined = this.place): void {
    const at = this.place && tree ? moved(path, this.place.root, tree.root) : path;
    const own = { sessionId, since: Date.now(), state: tree?.fileState, isWritten: false };
    if (this.#own.size < MAX_FILES) this.#own.set(at, own);
  }
}

/** The label of something in a workspace. */
export function labelOfSource(kind: "workspace" | "command", name: string, isUntrusted: boolean): Label {
  return frozenLabel(isUntrusted ? "untrusted" : "trusted", "anyone", [
    { kind, name, ...(isUntrusted && { untrusted: true }) },
  ]);
}
