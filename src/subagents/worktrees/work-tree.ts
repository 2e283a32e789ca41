// Git's work on one work tree: make it, remove it, take its changes out as a patch and put them back.
import { setTimeout as sleep } from "node:timers/promises";
import { git, outputOf } from "./git.js";
import type { GitOptions, TreePlace } from "./tree-place.js";
import type { WorktreeRecord } from "./worktree-record.js";

/** What `isTemporaryName` knows: a process that died while it wrote a file has left them, and they are nobody's changes. */
const TEMPORARY = `**/.loopwright-${"[0-9a-f]".repeat(16)}.tmp`;
const ADD_ALL = ["add", "--all", "--ignore-errors", "--", ".", `:(exclude,glob)${TEMPORARY}`];
const NO_COMMIT = "does not have a commit checked out";

/** The time that a git command may live on when the process that started it has died. */
const LOCK_WAIT_MS = 5_000;

/** Whether it is there, and filled: git writes this file before it fills a work tree. */
export async function isWhole(place: TreePlace, { path, isMade }: WorktreeRecord): Promise<boolean> {
  return (await place.exists(place.paths.join(path, ".git"))) && isMade !== false;
}

/** Clears away the lock that a git command has left which was killed. Nobody else may be at work in the work tree. */
export async function unlock(place: TreePlace, { path, isForeign }: WorktreeRecord): Promise<void> {
  if (isForeign || !(await place.exists(path))) return;
  const { stdout } = await place.git(path, ["rev-parse", "--git-path", "index.lock"]);
  const lock = stdout.toString().trim();
  // The index of a work tree of ours, and no other.
  if (/[\\/]worktrees[\\/][^\\/]+[\\/]index\.lock$/.test(lock)) await dropLock(place, place.paths.resolve(path, lock));
}

async function dropLock(place: TreePlace, lock: string): Promise<void> {
  for (const until = performance.now() + LOCK_WAIT_MS; performance.now() < until; await sleep(100)) {
    if (!(await place.exists(lock))) return;
  }
  await place.remove(lock);
}

/**
 * A commit of all that is in a repository's work tree now, new files included, and nothing of it changed: not the index, a
 * branch or a stash. `HEAD` itself where nothing is changed. `scratch`: a file of nobody else.
 */
export async function snapshotOf(place: TreePlace, repository: string, scratch: string): Promise<string> {
  const head = await git(place, repository, "rev-parse", "HEAD");
  await dropLock(place, `${scratch}.lock`);
  try {
    // The index's knowledge of unchanged files need not be found out again.
    const index = place.paths.resolve(repository, await git(place, repository, "rev-parse", "--git-path", "index"));
    await place.copy(index, scratch);
    await addAll(place, repository, { index: scratch });
    const tree = await outputOf(place, repository, ["write-tree"], { index: scratch });
    if (tree === (await git(place, repository, "rev-parse", "HEAD^{tree}"))) return head;
    return await git(place, repository, "commit-tree", tree, "-p", head, "-m", "Uncommitted changes");
  } finally {
    await place.remove(scratch);
  }
}

/** Remains of a crash have been removed before. */
export async function addWorktree(place: TreePlace, { repository, branch, path, base }: WorktreeRecord): Promise<void> {
  await git(place, repository, "worktree", "add", "--quiet", "-b", branch, path, base);
}

/** A branch with commits of its own is somebody's work and stays; so does what a hook has made. */
export async function removeWorktree(
  place: TreePlace,
  { repository, path, branch, base, isForeign }: WorktreeRecord,
): Promise<void> {
  if (isForeign || !(await place.exists(repository))) return;
  await place.removeTree(repository, path);
  await place.git(repository, ["update-ref", "-d", `refs/heads/${branch}`, base]);
}

/** A branch of a name that is not taken yet. */
export async function freeBranch(place: TreePlace, repository: string, wanted: string): Promise<string> {
  for (let n = 2, name = wanted; ; n++, name = `${wanted}-${n}`) {
    if ((await commitOf(place, repository, `refs/heads/${name}`)) === "") return name;
  }
}

/** Keeps a commit that no branch leads to for as long as it is needed. */
export async function holdCommit(place: TreePlace, { repository, id, base }: WorktreeRecord): Promise<void> {
  await git(place, repository, "update-ref", holdName(id), base);
}

export async function releaseCommit(place: TreePlace, { repository, id }: WorktreeRecord): Promise<void> {
  if (await place.exists(repository)) await place.git(repository, ["update-ref", "-d", holdName(id)]);
}

const holdName = (id: string) => `refs/loopwright/${id}`;

/** Everything in a work tree that its base does not have, new files included. */
export async function patchOf(place: TreePlace, record: WorktreeRecord): Promise<Buffer> {
  const { path, base } = record;
  await unlock(place, record);
  await place.git(path, ["clean", "--force", "--quiet", "-d", "--", `:(glob)${TEMPORARY}`]);
  await addAll(place, path);
  // Whatever the user has set for diffs, it is a patch that applies.
  const form = ["--binary", "--unified=3", "--src-prefix=a/", "--dst-prefix=b/", "--no-ext-diff", "--no-textconv"];
  const args = ["diff", "--cached", ...form, "--no-color", base];
  const { exitCode, stdout, stderr } = await place.git(path, args);
  if (exitCode !== 0) throw new Error(`git diff failed in "${path}": ${stderr.trim().slice(0, 500)}`);
  return stdout;
}

/** All changes of a directory to its index, without repositories inside that have no commit: git cannot take note of them. */
async function addAll(place: TreePlace, dir: string, options?: GitOptions): Promise<void> {
  const { exitCode, stderr } = await place.git(dir, ADD_ALL, options);
  const problems = (stderr.match(/^(?:error|fatal): .*$/gm) ?? []).filter((line) => !line.endsWith(NO_COMMIT));
  if (exitCode !== 0 && (exitCode !== 1 || problems.length > 0))
    throw new Error(`git add failed in "${dir}": ${stderr.trim().slice(0, 500)}`);
}

/**
 * Whether a repository of its own was made inside, or has changes: git takes note of its commit at most, not of its files.
 * Asked after `patchOf`.
 */
export async function hasRepositoryInside(place: TreePlace, { path, base }: WorktreeRecord): Promise<boolean> {
  if (/^:\d+ 160000 /m.test(await git(place, path, "diff", "--cached", "--raw", base))) return true;
  const status = ["status", "--porcelain=v2", "--untracked-files=all", "--ignore-submodules=none"];
  return /^(?:[12] .[^.] S|\? .*\/"?$)/m.test(await outputOf(place, path, status));
}

/** The files that `patchOf` has found changed. */
export async function changedFiles(place: TreePlace, { path, base }: WorktreeRecord): Promise<string[]> {
  const names = await git(place, path, "diff", "--cached", "--name-only", "-z", base);
  return names.split("\0").filter(Boolean);
}

/** Files, and directories of them, that git ignores: build output, and what else no patch holds. */
export async function ignoredFiles(place: TreePlace, { path }: WorktreeRecord): Promise<string[]> {
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "--no-empty-directory", "-z"];
  return (await git(place, path, ...args)).split("\0").filter(Boolean);
}

/**
 * Applies a patch to the files of a directory, all of it or nothing; one that is there already is left as it is. `null`, or
 * why it does not fit.
 */
export async function applyPatch(place: TreePlace, dir: string, patch: Uint8Array): Promise<string | null> {
  const { exitCode, stderr } = await place.git(dir, ["apply", "--whitespace=nowarn", "-"], { input: patch });
  if (exitCode === 0) return null;
  // A process may have died between the merge and its record.
  const back = await place.git(dir, ["apply", "--whitespace=nowarn", "--reverse", "--check", "-"], { input: patch });
  if (back.exitCode === 0) return null;
  const conflicts = [...stderr.matchAll(/^error: (?:patch failed: )?(.+)$/gm)].map(([, where]) => where!);
  return `${conflicts.slice(0, 10).join("; ").slice(0, 1_000)}.`;
}

/** Commits all changes to the work tree's branch, unless that is done. */
export async function commitAll(place: TreePlace, { path }: WorktreeRecord, message: string): Promise<void> {
  if ((await place.git(path, ["diff", "--cached", "--quiet"])).exitCode === 0) return;
  await git(place, path, "commit", "--quiet", "--no-verify", "-m", message);
}

/** Whether something in the work tree is not committed. */
export async function isDirty(place: TreePlace, { path }: WorktreeRecord): Promise<boolean> {
  return (await git(place, path, "status", "--porcelain")) !== "";
}

async function commitOf(place: TreePlace, repository: string, ref: string): Promise<string> {
  const { stdout } = await place.git(repository, ["rev-parse", "--verify", "--quiet", ref]);
  return stdout.toString().trim();
}
