// The steps that make each path what it was at some moment.
//
// A path's records after that moment form a chain: what one left, the next one found. The wanted state is what the first
// found, or what the last one before the moment left, where somebody else wrote in between. A link that does not fit, or a path
// that is not what the last one left, is the work of somebody else.
import { dirname, join } from "node:path";
import type { Workspace } from "../../contracts/workspace.js";
import type { KeptContents } from "./checkpoint-content.js";
import { type CheckpointRecord, isSame, type PathState, type Step } from "./checkpoint-record.js";
import { lookAt } from "./checkpoint-state.js";

/** The wanted state of one path, and the one it should have now. */
export interface Wish {
  readonly path: string;
  readonly wanted: PathState;
  /** Any of these is what was left of it. */
  readonly left: readonly (PathState | "unknown")[];
  /** Somebody else changed it between two changes that are to be taken back. */
  readonly isMixed: boolean;
  /** Somebody wrote it after the moment, before a tool did, and what it was at the moment is not known. */
  readonly isUnkept?: boolean;
}

/** The step for one path. */
export interface RestoreDecision {
  readonly path: string;
  readonly kind: "file" | "directory";
  /** `keep`: it is left as it is although something else was wanted, for the reason in `why`. */
  readonly action: "write" | "remove" | "make" | "none" | "keep";
  readonly why?: string;
  /** Whether others did something that the wish does not know of. */
  readonly isConflict: boolean;
  readonly from: PathState;
  readonly to: PathState;
}

export interface PlacedRecord {
  readonly record: CheckpointRecord;
  /** Whether its effect is certain: a tool that failed or was cut off may have changed nothing. */
  readonly isCertain: boolean;
}

/** The records on both sides of a moment, in order. `at`: milliseconds since the epoch. */
type Sides = Readonly<Record<"earlier" | "later", readonly PlacedRecord[]>> & { readonly at: number };

/** The wishes that take back what is recorded after a moment. */
export function wishesFor({ earlier: past, later, at }: Sides): Wish[] {
  const wishes = new Map<string, Wish>();
  const before = lastOf(past);
  for (const { record, isCertain } of later) {
    for (const { path, from, to } of record.steps) {
      const earlier = wishes.get(path);
      const left = isCertain ? [to] : [to, from];
      if (!earlier) {
        const writtenMs = from === "directory" || to === "directory" ? 0 : from?.mtimeMs;
        wishes.set(path, { path, left, ...knownThen(at, before.get(path), from, writtenMs) });
        continue;
      }
      // Where nothing was found, nothing of theirs was written over. A rewind that was asked to overwrite can be undone.
      const isNobodys = record.kind === "rewind" || from === null || from === "directory" || to === "directory";
      const fits = isNobodys || isAmong(from, earlier.left);
      wishes.set(path, { ...earlier, left, isMixed: earlier.isMixed || !fits });
    }
  }
  return [...wishes.values()];
}

function lastOf(records: readonly PlacedRecord[]) {
  const steps = records.flatMap(({ record, isCertain }) => record.steps.map((step) => ({ ...step, isCertain })));
  return new Map(steps.map((step) => [step.path, step]));
}

type LastStep = Step & { readonly isCertain: boolean };

/** What a file was at a moment, given what was left before and found later. Found otherwise at no known time, it was written since. */
function knownThen(at: number, last: LastStep | undefined, found: PathState, writtenMs?: number) {
  const asFound: Pick<Wish, "wanted" | "isMixed" | "isUnkept"> = { wanted: found, isMixed: false };
  if (last && isSame(found, last.to)) return asFound;
  if (Math.floor(writtenMs ?? (last ? Number.POSITIVE_INFINITY : 0)) <= at) return asFound;
  if (!last?.isCertain || last.to === null || typeof last.to === "string") return { ...asFound, isUnkept: true };
  return { ...asFound, wanted: last.to, isMixed: true };
}

/**
 * The wishes, with one more for each file that tools had changed by a moment and that only others have changed since; and what
 * cannot be taken back, because nothing says what the file was then.
 */
export async function withOthers(workspace: Workspace, { earlier, at }: Sides, own: readonly Wish[]) {
  const wished = new Set(own.map(({ path }) => path));
  const wishes = [...own];
  const unkept: Pick<Wish, "path" | "wanted">[] = own.filter(({ isUnkept }) => isUnkept);
  for (const last of lastOf(earlier).values()) {
    const { path, to } = last;
    if (wished.has(path) || to === "directory") continue;
    const look = await lookAt(workspace, path);
    const now = "state" in look ? look.state : "directory";
    // A file that is gone was there no later than when its directory was last changed.
    const about = now ?? (await workspace.files.stat(dirname(path)).catch(() => null));
    const then = knownThen(at, last, now, about === null || about === "directory" ? undefined : about.mtimeMs);
    if (then.isMixed) wishes.push({ path, wanted: then.wanted, left: [to], isMixed: false });
    if (then.isUnkept) unkept.push({ path, wanted: now });
  }
  const changeOf = (was: PathState) => (was === null ? ("unlink" as const) : ("change" as const));
  return { wishes, unkept: unkept.map(({ path, wanted }) => ({ path, change: changeOf(wanted) })) };
}

/** The wish that takes back one step alone. */
export function wishFor({ path, from, to }: Step): Wish {
  return { path, wanted: from, left: [to], isMixed: false };
}

function isAmong(state: PathState | "unknown", states: readonly (PathState | "unknown")[]): boolean {
  return states.some((each) => isSame(each, state));
}

/** Looks at every path and decides; changes nothing. Files first, then directories, innermost first. */
export async function decideSteps(
  workspace: Workspace,
  contents: KeptContents,
  wishes: readonly Wish[],
  isOverwriting: boolean,
): Promise<RestoreDecision[]> {
  const isDirectory = ({ wanted, left }: Wish) => wanted === "directory" || left.includes("directory");
  const decisions: RestoreDecision[] = [];
  for (const wish of wishes.filter((each) => !isDirectory(each)).sort(byPath)) {
    decisions.push(await decideFile(workspace, contents, wish, isOverwriting));
  }
  const leaving = new Set(decisions.filter(({ action }) => action === "remove").map(({ path }) => path));
  const directories = [...wishes.filter(isDirectory), ...(await directoriesFor(workspace, decisions, wishes))];
  for (const wish of directories.sort((a, b) => byPath(b, a))) {
    const decision = await decideDirectory(workspace, wish, leaving);
    if (decision.action === "remove") leaving.add(decision.path);
    decisions.push(decision);
  }
  return decisions;
}

/** The directories on the way to files that come back, where they are gone and no wish brings them back: the undo takes them. */
async function directoriesFor(
  workspace: Workspace,
  decisions: readonly RestoreDecision[],
  wishes: readonly Wish[],
): Promise<Wish[]> {
  const known = new Set(wishes.map(({ path }) => path));
  const missing: Wish[] = [];
  for (const { path, action, from } of decisions) {
    if (action !== "write" || from !== null) continue;
    for (let directory = dirname(path); !known.has(directory); directory = dirname(directory)) {
      const found = await lookAt(workspace, directory);
      if ("trouble" in found || found.state !== null) break;
      known.add(directory);
      missing.push({ path: directory, wanted: "directory", left: [null], isMixed: false });
    }
  }
  return missing;
}

async function decideFile(
  workspace: Workspace,
  contents: KeptContents,
  { path, wanted, left, isMixed }: Wish,
  isOverwriting: boolean,
): Promise<RestoreDecision> {
  const about = { path, kind: "file", from: null, to: wanted, isConflict: false } as const;
  const found = await lookAt(workspace, path);
  if ("trouble" in found) return { ...about, action: "keep", why: found.trouble, isConflict: true };
  const { state: from } = found;
  if (isSame(from, wanted)) return { ...about, from, action: "none" };
  if (from === "directory") return { ...about, from, action: "keep", why: "it is a directory now", isConflict: true };
  const foreign = isMixed ? CHANGED_BETWEEN : whyForeign(from, left);
  if (foreign && !isOverwriting) return { ...about, from, action: "keep", why: foreign, isConflict: true };
  if (wanted === null) {
    if (!workspace.files.remove) return { ...about, from, action: "keep", why: CANNOT_REMOVE, isConflict: true };
    return { ...about, from, action: "remove" };
  }
  const isKept = wanted !== "directory" && (await contents.find(wanted.digest)) !== null;
  if (!isKept) return { ...about, from, action: "keep", why: "what it held then is not kept", isConflict: true };
  return { ...about, from, action: "write" };
}

const CHANGED_BETWEEN = "it was changed by a command or by others between changes of the session";
const CANNOT_REMOVE = "the workspace cannot remove files";

function whyForeign(from: PathState, left: Wish["left"]): string | null {
  if (isAmong(from, left)) return null;
  if (left.includes("unknown")) return "the tool that changed it did not report the result";
  if (from === null) return "it was removed by a command or by others since the session changed it";
  return "it was changed by a command or by others since the session changed it";
}

async function decideDirectory(workspace: Workspace, { path, wanted }: Wish, leaving: ReadonlySet<string>) {
  const about = { path, kind: "directory", from: null, to: wanted, isConflict: false } as const;
  const found = await lookAt(workspace, path);
  if ("trouble" in found) return { ...about, action: "keep", why: found.trouble } as const;
  const { state: from } = found;
  if (isSame(from, wanted)) return { ...about, from, action: "none" } as const;
  if (from !== null && from !== "directory")
    return { ...about, from, action: "keep", why: "it is a file now" } as const;
  if (wanted === "directory") return { ...about, from, action: "make" } as const;
  if (path === workspace.root) return { ...about, from, action: "none" } as const;
  if (!workspace.files.remove) return { ...about, from, action: "keep", why: CANNOT_REMOVE } as const;
  const inside = await workspace.files.list(path);
  const isEmptied = inside.every(({ name }) => leaving.has(join(path, name)));
  if (!isEmptied) return { ...about, from, action: "keep", why: "it holds something else" } as const;
  return { ...about, from, action: "remove" } as const;
}

function byPath(a: Wish, b: Wish): number {
  return a.path < b.path ? -1 : 1;
}
