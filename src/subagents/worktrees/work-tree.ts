// Git's work on one work tree: make it, remove it, take its changes out as a patch and put them back.
import { existsSync } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { git, outputOf, tryGit } from "./git.js";
import type { WorktreeRecord } from "./worktree-record.js";

/** Git writes this file before it fills a work tree, and nobody works in one that is not filled. */
export function isWhole({ path }: WorktreeRecord): boolean {
  return existsSync(join(path, ".git"));
}

/**
 * A commit of all that is in a repository's work tree now, new files included, and nothing of it changed: not the index, a
 * branch or a stash. `HEAD` itself where nothing is changed. `scratch`: a file that does not exist.
 */
export async function snapshotOf(repository: string, scratch: string): Promise<string> {
  const head = await git(repository, "rev-parse", "HEAD");
  try {
    // The index's knowledge of unchanged files need not be found out again.
    const index = resolve(repository, await git(repository, "rev-parse", "--git-path", "index"));
    await copyFile(index, scratch).catch(() => {});
    const inScratch = (...args: readonly string[]) => outputOf(repository, args, { index: scratch });
    await inScratch("add", "--all");
    const tree = await inScratch("write-tree");
    if (tree === (await git(repository, "rev-parse", "HEAD^{tree}"))) return head;
    return await git(repository, "commit-tree", tree, "-p", head, "-m", "Uncommitted changes");
  } finally {
    await rm(scratch, { force: true });
  }
}

/** Remains of a crash have been removed before. */
export async function addWorktree({ repository, branch, path, base }: WorktreeRecord): Promise<void> {
  await git(repository, "worktree", "add", "--quiet", "-b", branch, path, base);
}

/** A branch with commits of its own is somebody's work and stays; so does what a hook has made. */
export async function removeWorktree({ repository, path, branch, base, isForeign }: WorktreeRecord): Promise<void> {
  if (isForeign || !existsSync(repository)) return;
  await tryGit(repository, ["worktree", "remove", "--force", path]);
  await rm(path, { recursive: true, force: true });
  await tryGit(repository, ["worktree", "prune"]);
  const tip = await commitOf(repository, `refs/heads/${branch}`);
  if (tip === base) await tryGit(repository, ["branch", "-D", "--quiet", branch]);
}

/** A branch of a name that is not taken yet. */
export async function freeBranch(repository: string, wanted: string): Promise<string> {
  for (let n = 2, name = wanted; ; n++, name = `${wanted}-${n}`) {
    if ((await commitOf(repository, `refs/heads/${name}`)) === "") return name;
  }
}

/** Keeps a commit that no branch leads to for as long as it is needed. */
export async function holdCommit({ repository, id, base }: WorktreeRecord): Promise<void> {
  await git(repository, "update-ref", holdName(id), base);
}

export async function releaseCommit({ repository, id }: WorktreeRecord): Promise<void> {
  if (existsSync(repository)) await tryGit(repository, ["update-ref", "-d", holdName(id)]);
}

const holdName = (id: string) => `refs/loopwright/${id}`;

/** Everything in a work tree that its base does not have, new files included. */
export async function patchOf({ path, base }: WorktreeRecord): Promise<Buffer> {
  await git(path, "add", "--all");
  const args = ["diff", "--cached", "--binary", "--no-ext-diff", "--no-textconv", "--no-color", base];
  const { exitCode, stdout, stderr } = await tryGit(path, args);
  if (exitCode !== 0) throw new Error(`git diff failed in "${path}": ${stderr.trim().slice(0, 500)}`);
  return stdout;
}

/** Whether a repository of its own was made inside: git would take note of its commit alone, not of its files. */
export async function hasRepositoryInside({ path, base }: WorktreeRecord): Promise<boolean> {
  return /^:\d+ 160000 /m.test(await git(path, "diff", "--cached", "--raw", base));
}

/** The files that `patchOf` has found changed. */
export async function changedFiles({ path, base }: WorktreeRecord): Promise<string[]> {
  const names = await git(path, "diff", "--cached", "--name-only", "-z", base);
  return names.split("\0").filter(Boolean);
}

/**
 * Applies a patch to the files of a directory, all of it or nothing; one that is there already is left as it is. `null`, or
 * why it does not fit.
 */
export async function applyPatch(dir: string, patch: Uint8Array): Promise<string | null> {
  const { exitCode, stderr } = await tryGit(dir, ["apply", "--whitespace=nowarn", "-"], { input: patch });
  if (exitCode === 0) return null;
  // A process may have died between the merge and its record.
  const back = await tryGit(dir, ["apply", "--whitespace=nowarn", "--reverse", "--check", "-"], { input: patch });
  if (back.exitCode === 0) return null;
  const conflicts = [...stderr.matchAll(/^error: (?:patch failed: )?(.+)$/gm)].map(([, where]) => where!);
  return `${conflicts.slice(0, 10).join("; ").slice(0, 1_000)}.`;
}

/** Commits all changes to the work tree's branch. */
export async function commitAll({ path }: WorktreeRecord, message: string): Promise<void> {
  await git(path, "commit", "--quiet", "--no-verify", "-m", message);
}

/** Whether something in the work tree is not committed. */
export async function isDirty({ path }: WorktreeRecord): Promise<boolean> {
  return (await git(path, "status", "--porcelain")) !== "";
}

async function commitOf(repository: string, ref: string): Promise<string> {
  const { stdout } = await tryGit(repository, ["rev-parse", "--verify", "--quiet", ref]);
  return stdout.toString().trim();
}
