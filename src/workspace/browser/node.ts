// The parts of `node:path` and `node:events` that workspaces use, for a browser page: the build puts this in their place. Paths are those of POSIX.

export const sep = "/";

export const isAbsolute = (path: string) => path.startsWith(sep);

/** The names of a path, with `.` and what `..` takes back left out. */
function names(path: string): string[] {
  const found: string[] = [];
  for (const name of path.split(sep)) {
    if (name === "" || name === ".") continue;
    if (name !== "..") found.push(name);
    else if (found.length > 0 && found.at(-1) !== "..") found.pop();
    else if (!isAbsolute(path)) found.push(name);
  }
  return found;
}

export function join(...parts: readonly string[]): string {
  const path = parts.filter((part) => part !== "").join(sep);
  const rest = names(path).join(sep);
  if (rest === "") return isAbsolute(path) ? sep : path.endsWith(sep) ? "./" : ".";
  return `${isAbsolute(path) ? sep : ""}${rest}${path.endsWith(sep) ? sep : ""}`;
}

/** The directory that a page is in is the root. */
export function resolve(...parts: readonly string[]): string {
  const first = parts.findLastIndex(isAbsolute);
  return sep + names([sep, ...parts.slice(Math.max(0, first))].join(sep)).join(sep);
}

/** The directory of an absolute, normalised path. */
export const dirname = (path: string) => path.slice(0, Math.max(1, path.lastIndexOf(sep)));

export function relative(from: string, to: string): string {
  const [before, after] = [names(resolve(from)), names(resolve(to))];
  const different = before.findIndex((name, at) => name !== after[at]);
  const shared = different === -1 ? before.length : different;
  return [...before.slice(shared).map(() => ".."), ...after.slice(shared)].join(sep);
}

export const posix = { sep, isAbsolute, join, resolve, dirname, relative };

/** Pages do not count listeners. */
export function setMaxListeners(): void {}
