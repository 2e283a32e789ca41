// The files that git tracks in a workspace, read once, where its index can be believed.
import { accessSync, constants, lstatSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Workspace } from "../../contracts/workspace.js";
import { quotedForShell } from "../../text/quoted-for-shell.js";
import { type DiskView, LOCAL_DISK, UNKNOWN_DISK } from "../lookup/disk-view.js";
import { FetchedView } from "../lookup/fetched-view.js";
import { gitDirectoryOf, readIndex, repositoryOf, sharedDirectoryOf } from "../lookup/repository.js";

/** Installed packages are other people's files. */
export const PACKAGES =
  /(?:^|[\\/])(?:node_modules|\.venv|venv|site-packages|vendor|\.cargo[\\/]registry|go[\\/]pkg[\\/]mod)(?:[\\/]|$)/;

/** The home of files: a workspace, or a directory of this machine's disk before there is one. */
export type FilesPlace =
  | Workspace
  | {
      readonly root: string;
      readonly files: { readonly onDisk: true };
      readonly fileState?: undefined;
      readonly forCall?: undefined;
    };

/** Files that may tell an agent what to do, or what to start. */
const INSTRUCTS = /\.(?:mdc?|cursorrules)$|(?:^|\/)\.(?:mcp|claude\/settings(?:\.local)?)\.json$/i;

/** The files that git tracks: names from the root of the repository, without those of submodules and installed packages. */
export interface Tracked {
  readonly repository: string;
  /** Git's own directory for it, and the one that it shares with its other work trees. */
  readonly directory: string;
  readonly shared: string;
  readonly names: ReadonlySet<string>;
  /** The ids of the index's contents, by the names that may instruct. */
  readonly ids: ReadonlyMap<string, string>;
}

/** The tracked files in the repository of a workspace; or why no file of it is trusted, as part of a sentence about them. */
export async function trackedFilesOf(workspace: FilesPlace): Promise<Tracked | string> {
  const found = await settle(workspace, (disk): Tracked | string => {
    const repository = repositoryOf(workspace.root, disk);
    if (repository === undefined) return "they are in no git repository";
    const index = readIndex(repository, disk, (name) => INSTRUCTS.test(name));
    const root = disk.realPathOf(repository);
    const directory = disk.realPathOf(gitDirectoryOf(repository, disk));
    const shared = disk.realPathOf(sharedDirectoryOf(repository, disk));
    if (index === null || root === null || directory === null || shared === null)
      return "git's index is missing, or cannot be read";
    const names = new Set(index.names);
    for (const name of index.submodules) names.delete(name);
    const own = `${relative(root, workspace.root).replaceAll(sep, "/")}/`;
    for (const name of index.names) {
      const inside = name.startsWith(own) ? name.slice(own.length) : name;
      // A name that is no UTF-8 could be taken for another one.
      if (name.includes("\uFFFD") || PACKAGES.test(inside)) names.delete(name);
    }
    return { repository: root, directory, shared, names, ids: index.ids };
  });
  return typeof found === "string" ? found : ((await whyNotOwn(workspace, found)) ?? found);
}

/** Does work that looks at the workspace's files, wherever they are. */
export function settle<T>(workspace: FilesPlace, work: (disk: DiskView) => T): Promise<T> | T {
  if (workspace.files.onDisk || !("shell" in workspace)) return work(LOCAL_DISK);
  const there = workspace.forCall?.(workspace);
  if (!there?.files.many) return work(UNKNOWN_DISK);
  const view = new FetchedView(there.files.many, there.root, there.homes ?? []);
  return view.settle(() => work(view));
}

const SOMEBODY_ELSES = "their git repository is somebody else's, as far as can be known";
const NOT_WRITABLE = "git's own directory cannot be written, so nothing could be kept on record there";

/** Git refuses repositories of other users for the same reason: who can write the index says what is tracked. */
async function whyNotOwn(place: FilesPlace, { repository, directory, shared }: Tracked): Promise<string | null> {
  const owned = [repository, join(repository, ".git"), directory, join(directory, "index"), shared];
  if ("shell" in place && !place.files.onDisk) {
    const tests = owned.map((path) => `[ -O ${quotedForShell(path)} ]`).join(" && ");
    const command = `(${tests} || exit 3; [ -w ${quotedForShell(shared)} ] || exit 4)`;
    const { exitCode } = await place.shell.run({ command, cwd: repository, timeoutMs: 60_000 });
    return exitCode === 0 ? null : exitCode === 4 ? NOT_WRITABLE : SOMEBODY_ELSES;
  }
  const user = process.getuid?.();
  try {
    if (owned.some((path) => lstatSync(path).uid !== user)) return SOMEBODY_ELSES;
    accessSync(shared, constants.W_OK);
    return null;
  } catch {
    return NOT_WRITABLE;
  }
}
