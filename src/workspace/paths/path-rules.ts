import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { SandboxError, type SandboxErrorCode } from "../../contracts/errors.js";
import type { Walk } from "../../contracts/many-files.js";
import type { PathAccess } from "../../contracts/workspace.js";
import { isInside } from "../../paths/inside.js";
import { askedReason } from "../../paths/sensitive-paths.js";
import { clip } from "../../text/cut.js";
import { quoteName } from "../../text/quote-name.js";
import { ProtectedPaths, type SeenPath } from "./protected-paths.js";

/** Not files on a disk: what is read or written there acts on processes and devices. */
const PSEUDO_DIRECTORIES = ["/proc", "/dev", "/sys"];

/** The most any call to the system takes. Unit: characters on Windows, bytes elsewhere. */
const MAX_PATH_LENGTH = sep === "\\" ? 32_767 : 4_096;
const MAX_NAMED_CHARS = 500;
/** The digest of its content, which nobody guesses. */
const ARTIFACT_NAME = /^[0-9a-f]{64}\.(?:txt|bin)$/;

export interface PathRulesOptions {
  /** Real and absolute, as are all paths here. */
  readonly root: string;
  /** Further directories whose content may be read. */
  readonly readRoots: readonly string[];
  /** A directory of kept outputs, which others may use too: only those whose name is known may be read. */
  readonly artifacts?: string | undefined;
  /** As the host wrote them: paths and gitignore globs. */
  readonly protectedPaths: readonly string[];
  /** Further directories whose content may be read and written. */
  readonly writeRoots: readonly string[];
  /** The treatment of a path outside all of them. */
  readonly outside: "deny" | "ask" | Readonly<Record<PathAccess, "deny" | "ask">>;
  /** The home directories where these paths are. */
  readonly homes: readonly string[];
}

/**
 * Decides which files may be touched, by where a path really leads. It looks nothing up: what it has to know is passed, so that
 * the same rules hold on this disk, on another machine and in memory.
 *
 * Hard links cannot be distinguished from the file itself: a hard link inside the root to a file outside is inside.
 */
export class PathRules {
  readonly #options: PathRulesOptions;
  readonly protected: ProtectedPaths;
  /** Directories outside the roots that were approved, by session. */
  readonly #added = new Map<string, Set<string>>();
  /** Places outside the roots that rules name. */
  readonly #allowed = new Map<string, { readonly access: PathAccess; matches(path: string): boolean }>();

  constructor(options: PathRulesOptions) {
    this.#options = options;
    const roots = [options.root, ...options.writeRoots, ...options.readRoots];
    this.protected = new ProtectedPaths(roots, options.protectedPaths, options.homes);
  }

  /** The absolute path to follow, as it is spelled. `from` is its beginning that is known to be real. @throws SandboxError `PATH_INVALID` */
  spelled(path: string): { readonly absolute: string; readonly from: string | undefined } {
    const spelling = wrongSpelling(path);
    if (spelling) throw pathRefusal("PATH_INVALID", path, spelling);
    const { root } = this.#options;
    const absolute = isAbsolute(path) ? path : join(root, sep) + path;
    return { absolute, from: isInside(absolute, root) ? root : undefined };
  }

  nameOf(path: string): string {
    return nameInside(path, this.#options.root);
  }

  /** Whether a real path is out of the roots, whatever was approved. */
  isOutside(real: string): boolean {
    return this.#rootOf(real, "read") === undefined;
  }

  /** Adds directories, by their real paths, whose content a session may use as it may that of the root, until it ends. */
  addDirectories(sessionId: string, directories: readonly string[]): void {
    const added = this.#added.get(sessionId) ?? new Set();
    for (const directory of directories) added.add(directory);
    this.#added.set(sessionId, added);
  }

  /** Takes back directories that were added. */
  removeDirectories(sessionId: string, directories: readonly string[]): void {
    for (const directory of directories) this.#added.get(sessionId)?.delete(directory);
  }

  /** Lets pass what lies outside where `matches` says so of its real path. */
  allowOutside(name: string, access: PathAccess, matches: (path: string) => boolean): void {
    this.#allowed.set(`${access} ${name}`, { access, matches });
  }

  /** Forgets what a session, or all, may use beyond the roots. */
  endSession(sessionId?: string): void {
    if (sessionId === undefined) this.#added.clear();
    else this.#added.delete(sessionId);
  }

  /** The reason why an access that is granted needs approval; `null` when it does not. */
  approvalReason(
    path: string,
    access: PathAccess,
    walk: Pick<Walk, "path" | "links">,
    sessionId?: string,
  ): string | null {
    const { root } = this.#options;
    const added = [...(this.#added.get(sessionId ?? "") ?? [])].find((each) => isInside(walk.path, each));
    const home = this.#rootOf(walk.path, access) ?? added;
    // An approval is for where the path leads now: pointed elsewhere, a link makes another question.
    if (home === undefined) return walk.links.length > 0 ? `${OUTSIDE}, at ${quoteName(walk.path)}` : OUTSIDE;
    for (const each of [resolve(root, path), ...walk.links, walk.path]) {
      const reason = askedReason(each, isInside(each, root) ? root : home, access);
      if (reason) return reason;
    }
    return null;
  }

  /** @throws SandboxError that reveals nothing about what lies outside, not even whether it exists */
  decide(path: string, access: PathAccess, seen: SeenPath): void {
    const { absolute } = this.spelled(path);
    const { root } = this.#options;
    const way = [...seen.links, seen.path];
    const pseudoRoots = this.#roots(access).filter(isPseudo);
    const isDevice = way.some((each) => isPseudo(each) && !pseudoRoots.some((directory) => isInside(each, directory)));
    const isOutside = this.#rootOf(seen.path, access) === undefined;
    if (isDevice || (isOutside && this.#isRefused(seen.path, access))) {
      throw this.#outside(path, { ...seen, isDevice: isDevice && isPseudo(absolute) }, access);
    }
    const secret = this.protected.reason(seen, access, root);
    if (secret) throw pathRefusal("PATH_PROTECTED", path, secret);
    if (seen.trouble) throw pathRefusal("PATH_INVALID", path, TROUBLES[seen.trouble]);
    if (seen.kind === "other") {
      throw pathRefusal("PATH_INVALID", path, "it is a device, a pipe or a socket, not a file or directory");
    }
  }

  /** Whether a path outside is refused. */
  #isRefused(path: string, access: PathAccess): boolean {
    const { outside } = this.#options;
    if ((typeof outside === "string" ? outside : outside[access]) === "ask") return false;
    return ![...this.#allowed.values()].some((each) => each.access === access && each.matches(path));
  }

  #roots(access: PathAccess): readonly string[] {
    const { root, readRoots, writeRoots } = this.#options;
    return access === "read" ? [root, ...writeRoots, ...readRoots] : [root, ...writeRoots];
  }

  #rootOf(path: string, access: PathAccess): string | undefined {
    const { artifacts } = this.#options;
    const isKept = access === "read" && artifacts !== undefined && ARTIFACT_NAME.test(relative(artifacts, path));
    return isKept ? artifacts : this.#roots(access).find((root) => isInside(path, root));
  }

  /** Says nothing that the path itself or a link inside does not say. */
  #outside(path: string, walk: SeenPath & { readonly isDevice: boolean }, access: PathAccess): SandboxError {
    const { root } = this.#options;
    const isReadable = access === "write" && this.#rootOf(walk.path, "read") !== undefined;
    const [link] = walk.links;
    let why = link !== undefined && isInside(link, root) ? "a symbolic link leads out of the workspace" : OUTSIDE;
    if (walk.isDevice) why = "it names a device or a process, not a file of the workspace";
    else if (isReadable) why = "it may be read but not written";
    return pathRefusal("PATH_OUTSIDE", path, `${why}. Use a path inside ${quoteName(root)}`);
  }
}

/** The reason why a path is refused that leads out, whatever is there. */
export const OUTSIDE = "it is outside the workspace";

/** A path as messages name it: relative to the root where it is inside, so that none says where the root lies. */
export function nameInside(path: string, root: string): string {
  return shortened(isAbsolute(path) && isInside(path, root) ? relative(root, path) || "." : path);
}

const TROUBLES: Record<NonNullable<Walk["trouble"]>, string> = {
  loop: "its symbolic links go round in a circle",
  "not-a-directory": "a part of its path is a file, not a directory",
  "too-long": "a name in it is too long",
  unreadable: "a directory on the way to it may not be searched",
};

/** The reason why a path is not one as it is written, whatever is there; `null` when it may be one. */
export function wrongSpelling(path: string): string | null {
  if (typeof path !== "string" || path === "") return "a path must not be empty";
  if (isTooLong(path)) return "it is too long";
  if (path.includes("\0")) return "it has a NUL character";
  if (/\p{Surrogate}/u.test(path)) return "it has half a character (a lone surrogate)";
  if (path.startsWith("~"))
    return `"~" is not expanded. Write the path relative to the workspace, or "./~…" for such a name`;
  if (/^file:/i.test(path)) return "URLs are not read. Write the plain path";
  if (sep === "\\" && (/^[\\/]{2}[.?]/.test(path) || path.indexOf(":", 2) !== -1))
    return "it names a device or a stream";
  return null;
}

function isTooLong(path: string): boolean {
  if (sep === "\\" || path.length > MAX_PATH_LENGTH) return path.length > MAX_PATH_LENGTH;
  return path.length * 3 > MAX_PATH_LENGTH && new TextEncoder().encode(path).length > MAX_PATH_LENGTH;
}

function isPseudo(path: string): boolean {
  return sep === "/" && PSEUDO_DIRECTORIES.some((directory) => isInside(path, directory));
}

/** @param why what the reader is reported after "is refused:" */
export function pathRefusal(code: SandboxErrorCode, path: unknown, why: string): SandboxError {
  const named = shortened(String(path));
  return new SandboxError(code, {
    message: `The path ${quoteName(named)} is refused: ${why}.`,
    details: { path: named },
  });
}

function shortened(path: string): string {
  return clip(path, MAX_NAMED_CHARS);
}
