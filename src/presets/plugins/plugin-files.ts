// The files of one plugin, as they were when it was loaded: what leads out of its directory is not there, and what has changed since
// is not read.

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, readlink } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { diskFiles, ProjectFileError, type ProjectFiles } from "../../files/project-files.js";
import { sha256 } from "../../files/sha256.js";
import { strongDigest } from "../../json/digest.js";
import { isInside } from "../../paths/inside.js";
import { byName } from "../../text/by-name.js";

/** A plugin may bring the packages of its servers along. */
const MAX_ENTRIES = 20_000;
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_DEPTH = 32;

/** A view of a plugin's directory. */
export interface PluginFiles extends ProjectFiles {
  readonly onDisk: true;
  /** Real and absolute. */
  readonly root: string;
  /** SHA-256 over the paths and contents of all files, in hexadecimal. */
  readonly digest: string;
  /** Links that lead out of the directory; nothing behind them is used. */
  readonly strayLinks: readonly string[];
  /** For what is about to run one of them. @throws Error when one has changed, come or gone since; the message says what to do */
  assertUnchanged(): Promise<void>;
}

/** @throws Error for a directory that cannot be read, or holds more than a plugin does; the message goes on after the directory's name */
export async function openPluginFiles(directory: string): Promise<PluginFiles> {
  const root = await diskFiles.realPath(directory);
  const { found, marks } = await digestsIn(root);
  const digest = digestOfAll(root, found);
  let known = marks;
  const strayLinks: string[] = [];
  for (const [path, content] of found) {
    if (!content.startsWith(LINK)) continue;
    const target = await diskFiles.realPath(path).catch(() => path);
    if (!isInside(target, root)) strayLinks.push(path);
  }
  const realPath: ProjectFiles["realPath"] = async (path) => {
    const real = isInside(path, root) ? await diskFiles.realPath(path) : path;
    if (isInside(real, root)) return real;
    throw new ProjectFileError("outside", "it leads out of its plugin, so it was not read");
  };
  return {
    onDisk: true,
    root,
    digest,
    strayLinks,
    async assertUnchanged() {
      if (await areTheSame(known)) return;
      const now = await digestsIn(root);
      if (digestOfAll(root, now.found) !== digest) throw new Error(CHANGED);
      known = now.marks;
    },
    realPath,
    list: async (path) =>
      realPath(path).then(
        (real) => diskFiles.list(real),
        () => [],
      ),
    async read(path, maxBytes) {
      const read = await diskFiles.read(await realPath(path), maxBytes);
      if (read.size > maxBytes || sha256(read.bytes) === found.get(path)) return read;
      throw new ProjectFileError("unreadable", "it has changed since its plugin was loaded, so it was not read");
    },
  };
}

/** The same files, of which a directory lists only some. */
export function onlyFiles(files: ProjectFiles, paths: readonly string[]): ProjectFiles {
  const names = new Set(paths);
  return {
    ...files,
    list: async (directory) => (await files.list(directory)).filter(({ name }) => names.has(join(directory, name))),
  };
}

const LINK = "link ";
const CHANGED =
  "its plugin has changed since it was loaded, so nothing of it is run. Look at what has changed, and load the plugin again";

function digestOfAll(root: string, found: ReadonlyMap<string, string>): string {
  return strongDigest([...found].map(([path, digest]) => [relative(root, path).split(sep).join("/"), digest]));
}

/** By path, what a file or directory is as long as nobody has touched it: a program cannot set the time of a change. */
type Marks = Map<string, string>;

async function markOf(path: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await lstat(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join();
}

async function areTheSame(marks: Marks): Promise<boolean> {
  for (const [path, mark] of marks) if ((await markOf(path).catch(() => "")) !== mark) return false;
  return true;
}

/** By path, in order. The history that `git` keeps is no part of a plugin. Marks are taken before what they mark is read. */
async function digestsIn(root: string): Promise<{ readonly found: Map<string, string>; readonly marks: Marks }> {
  const found = new Map<string, string>();
  const marks: Marks = new Map();
  let left = MAX_BYTES;
  const walk = async (directory: string, depth: number): Promise<void> => {
    marks.set(directory, await markOf(directory));
    if (depth > MAX_DEPTH) throw new Error(`has directories deeper than ${MAX_DEPTH} levels`);
    for (const entry of (await readdir(directory, { withFileTypes: true })).sort(byName)) {
      const path = join(directory, entry.name);
      if (path === join(root, ".git")) continue;
      if (entry.isDirectory()) {
        await walk(path, depth + 1);
        continue;
      }
      marks.set(path, await markOf(path));
      if (found.size >= MAX_ENTRIES) throw new Error(`has more than ${MAX_ENTRIES} files`);
      if (entry.isSymbolicLink()) found.set(path, LINK + (await readlink(path)));
      else if (entry.isFile()) {
        const { digest, size } = await digestOf(path, left);
        left -= size;
        found.set(path, digest);
      }
    }
  };
  await walk(root, 0);
  return { found, marks };
}

/** A file that is a pipe by now does not hold the reader up. */
async function digestOf(path: string, maxBytes: number): Promise<{ readonly digest: string; readonly size: number }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw new Error(`has more than ${MAX_BYTES / 1024 / 1024} MB of files`);
    const hash = createHash("sha256");
    const chunk = Buffer.alloc(Math.min(size + 1, 1024 * 1024));
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
      at += bytesRead;
    }
    return { digest: hash.digest("hex"), size };
  } finally {
    await file.close();
  }
}
