import { existsSync } from "node:fs";
import { copyFile, mkdir, rm } from "node:fs/promises";
import * as paths from "node:path";
import type { LockOwner } from "../../processes/process-lock.js";
import { tryGit } from "./git.js";
import { inTurn } from "./repository-turn.js";
import type { TreePlace } from "./tree-place.js";

/** Work trees in a directory of this disk. */
export function diskPlace(dir: string, me: Promise<LockOwner>): TreePlace {
  return {
    where: "",
    dir,
    paths,
    git: tryGit,
    exists: async (path) => existsSync(path),
    makeDirectory: async (path) => void (await mkdir(path, { recursive: true, mode: 0o700 })),
    copy: (from, to) => copyFile(from, to).catch(() => {}),
    remove: (path) => rm(path, { recursive: true, force: true }),
    async removeTree(repository, path) {
      await rm(path, { recursive: true, force: true });
      // Forced twice: git has locked one that it was still filling.
      await tryGit(repository, ["worktree", "remove", "--force", "--force", path]);
      await tryGit(repository, ["worktree", "prune"]);
    },
    inTurn: async (repository, work) => inTurn(repository, await me, work),
    open: async () => undefined,
  };
}
