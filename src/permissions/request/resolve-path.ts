import { resolve, sep } from "node:path";
import { isHarnessError } from "../../contracts/errors.js";
import type { PathAccess, Workspace } from "../../contracts/workspace.js";
import { realPathOf } from "../lookup/disk-view.js";
import type { RuleFolders } from "../rules/rules.js";
import { gitsOwnReason, hiddenReason, secretReason } from "../sensitive-paths.js";

/** A path a call would touch, and where it really leads. */
export interface ResolvedPath {
  /** As the call names it. */
  readonly path: string;
  readonly access: PathAccess;
  /** Absolute, by its text alone. */
  readonly lexical: string;
  /** Absolute, with links followed. */
  readonly real: string;
  readonly status: "inside" | "outside" | "protected";
  /** Why it is not inside. */
  readonly why: string | null;
  /** Why it needs approval although it is inside. */
  readonly asked: string | null;
}

/** What bash itself serves without a file behind it. */
const HARMLESS_DEVICES = /^\/dev\/(null|zero|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** Whether there is not a file behind a path. */
export function isHarmlessDevice(path: string | null): boolean {
  return path !== null && HARMLESS_DEVICES.test(path);
}

/** Finds where a path leads: by the workspace, or by this machine's disk when there is none. */
export type PathResolver = (path: string, access: PathAccess) => ResolvedPath | Promise<ResolvedPath>;

/** `path` is relative to the root. Without a workspace nothing is waited for. */
export function createPathResolver(workspace: Workspace | undefined, folders: RuleFolders): PathResolver {
  return (path, access) => {
    const lexical = absolute(path, folders);
    return workspace ? inWorkspace(workspace, path, lexical, access) : onDisk(path, lexical, access, folders.root);
  };
}

async function inWorkspace(
  workspace: Workspace,
  path: string,
  lexical: string,
  access: PathAccess,
): Promise<ResolvedPath> {
  try {
    const real = await workspace.resolve(path, access);
    const asked = workspace.needsApproval(path, access);
    return { path, access, lexical, real, status: "inside", why: null, asked };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const place = outside(path, lexical, access, why);
    return isHarnessError(error, "PATH_PROTECTED") ? { ...place, status: "protected" } : place;
  }
}

function onDisk(path: string, lexical: string, access: PathAccess, root: string): ResolvedPath {
  const place = outside(path, lexical, access, `"${path}" is outside "${root}"`);
  const git = access === "write" ? gitsOwnReason(place.real) : null;
  if (git) return { ...place, status: "protected", why: git };
  if (place.status === "protected" || !isInside(place.real, realPathOf(root))) return place;
  const asked = hiddenReason(lexical, root, access) ?? hiddenReason(place.real, realPathOf(root), access);
  return { ...place, status: "inside", why: null, asked };
}

function outside(path: string, lexical: string, access: PathAccess, why: string): ResolvedPath {
  const real = realPathOf(lexical);
  const secret = secretReason(lexical) ?? secretReason(real);
  const about = { path, access, lexical, real, asked: null };
  return secret ? { ...about, status: "protected", why: secret } : { ...about, status: "outside", why };
}

function absolute(path: string, { root, home }: RuleFolders): string {
  if (path === "~" || path.startsWith("~/")) return resolve(home, path.slice(2));
  return resolve(root, path);
}

/** Whether `path` is `folder` or below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Goes on at once when there is nothing to wait for. */
export function whenAll<T, R>(values: readonly (T | Promise<T>)[], then: (values: T[]) => R): R | Promise<R> {
  if (values.some((value) => value instanceof Promise)) return Promise.all(values).then(then);
  return then(values as T[]);
}
