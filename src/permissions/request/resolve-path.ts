import { parse, resolve } from "node:path";
import { isHarnessError } from "../../contracts/errors.js";
import type { PathAccess, Workspace } from "../../contracts/workspace.js";
import { isInside } from "../../paths/inside.js";
import { askedReason, createSecretTest, gitsOwnReason } from "../../paths/sensitive-paths.js";
import { longPattern } from "../long-pattern.js";
import type { DiskView } from "../lookup/disk-view.js";
import type { RuleDirectories } from "../rules/path-pattern.js";

/** A path a call would touch, and where it really leads. */
export interface ResolvedPath {
  /** As the call names it. */
  readonly path: string;
  readonly access: PathAccess;
  /** Absolute, by its text alone. */
  readonly lexical: string;
  /** Absolute, with links followed. */
  readonly real: string;
  /** `temporary`: in the session's own directory for temporary files. */
  readonly status: "inside" | "outside" | "protected" | "temporary";
  /** Whether it really lies below the root: what is protected may. */
  readonly isBelowRoot: boolean;
  /** The reason why it is not inside. */
  readonly why: string | null;
  /** The reason why it needs approval although it is inside. */
  readonly asked: string | null;
  /** It lies outside the root, and nothing else needs approval: a rule that names the place is enough. */
  readonly isOnlyOutside: boolean;
}

/** Facts about the machine and system: those from `uname` and `nproc`, too. */
const PUBLIC_FACTS = longPattern`^\/(?:etc\/(?:os-release|lsb-release|debian_version|alpine-release|redhat-release|
  timezone)|proc\/(?:cpuinfo|meminfo|loadavg|uptime|version)|sys\/fs\/cgroup\/(?:cpu|memory|pids|
  cpuset\.cpus)\.[a-z.]+)$`;

/** Whether a file outside the workspace holds nothing but facts about the machine that everybody may know. */
export function isPublicFact(path: string | null): boolean {
  return path !== null && PUBLIC_FACTS.test(path);
}

/** Finds where a path leads: by the workspace, or by this machine's disk when there is not one. */
export type PathResolver = (
  path: string,
  access: PathAccess,
  sessionId: string,
) => ResolvedPath | Promise<ResolvedPath>;

/** A path before anything was looked up, and the test that knows the secrets of the home directory. */
interface NamedPath extends Pick<ResolvedPath, "path" | "access" | "lexical"> {
  readonly root: string;
  readonly disk: DiskView;
  readonly secretReason: (path: string) => string | null;
}

/** `path` is relative to the root. Without a workspace nothing is waited for. */
export function createPathResolver(
  workspace: Workspace | undefined,
  directories: RuleDirectories,
  disk: DiskView,
): PathResolver {
  const secretReason = createSecretTest([directories.home, ...disk.homes]);
  return (path, access, sessionId) => {
    const named = { path, access, lexical: absolute(path, directories), root: directories.root, disk, secretReason };
    return workspace ? inWorkspace(workspace, named, sessionId) : onDisk(named);
  };
}

async function inWorkspace(workspace: Workspace, named: NamedPath, sessionId: string): Promise<ResolvedPath> {
  const { path, access, lexical } = named;
  try {
    const real = await workspace.resolve(path, access);
    const asked = await workspace.needsApproval(path, access, sessionId);
    const isOnlyOutside = asked !== null && !isInside(real, named.root) && askedAnywhere(named, real) === null;
    const temporary = asked !== null || isInside(real, named.root) ? undefined : temporaryOf(workspace, sessionId);
    const status = temporary !== undefined && isInside(real, temporary) ? "temporary" : "inside";
    return { path, access, lexical, real, status, isBelowRoot: true, why: null, asked, isOnlyOutside };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const place = outside(named, why);
    return isHarnessError(error, "PATH_PROTECTED") ? { ...place, status: "protected" } : place;
  }
}

/** A session's own directory for temporary files. */
export function temporaryOf(workspace: Workspace | undefined, sessionId: string): string | undefined {
  return sessionId === "" ? undefined : workspace?.temporaryDirectory?.(sessionId);
}

function onDisk(named: NamedPath): ResolvedPath {
  const { root, disk } = named;
  const place = outside(named, `"${named.path}" is outside "${root}"`);
  const git = named.access === "write" ? gitsOwnReason(place.real) : null;
  if (git) return { ...place, status: "protected", why: git };
  if (place.status === "protected" || !place.isBelowRoot) return place;
  const asked =
    askedReason(named.lexical, root, named.access) ??
    askedReason(place.real, disk.realPathOf(root) ?? root, named.access);
  return { ...place, status: "inside", why: null, asked, isOnlyOutside: false };
}

/** The reason why a file needs approval wherever it lies. */
function askedAnywhere({ lexical, access }: NamedPath, real: string): string | null {
  const { root } = parse(real);
  return askedReason(lexical, root, access) ?? askedReason(real, root, access);
}

function outside(named: NamedPath, why: string): ResolvedPath {
  const { path, access, lexical, root, disk, secretReason } = named;
  const real = disk.realPathOf(lexical) ?? lexical;
  const isBelowRoot = isInside(real, disk.realPathOf(root) ?? root);
  const secret = disk.holdsKey(real) ? "it is a private key" : (secretReason(lexical) ?? secretReason(real));
  const about = { path, access, lexical, real, isBelowRoot, isOnlyOutside: false };
  if (secret) return { ...about, status: "protected", why: secret, asked: null };
  const asked = isBelowRoot ? null : askedAnywhere(named, real);
  return { ...about, status: "outside", why, asked, isOnlyOutside: !isBelowRoot && asked === null };
}

function absolute(path: string, { root, home }: RuleDirectories): string {
  if (path === "~" || path.startsWith("~/")) return resolve(home, path.slice(2));
  return resolve(root, path);
}

/** Goes on at once when there is nothing to wait for. */
export function whenAll<T, R>(values: readonly (T | Promise<T>)[], then: (values: T[]) => R): R | Promise<R> {
  if (values.some((value) => value instanceof Promise)) return Promise.all(values).then(then);
  return then(values as T[]);
}
