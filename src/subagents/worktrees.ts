import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { realpath, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, relative, resolve } from "node:path";
import { Mutex } from "async-mutex";
import { ToolError } from "../contracts/errors.js";
import type { JsonValue } from "../contracts/json.js";
import type { RunResult } from "../contracts/run.js";
import type { BaseTool, SpawnOptions, ToolContext } from "../contracts/tool.js";
import { checkOptions, FUNCTION, type OptionTable, oneOf, required, STRING } from "../json/check-options.js";
import { git, tryGit } from "./git.js";
import { readRecord, readRecords, removeRecord, type WorktreeRecord, writeRecord } from "./worktree-record.js";

export interface WorktreeOptions {
  /** A directory of the git repository, the one the parent's tools work in. */
  readonly root: string;
  /** Tools that work in another directory: they take the place of those of the same names. Called once for each work tree. */
  readonly tools: (dir: string) => readonly BaseTool[] | Promise<readonly BaseTool[]>;
  /**
   * What becomes of a sub-agent's changes. `merge`: they are applied to the files of `root`, all or none, and uncommitted;
   * what does not fit is handed back as a patch. `patch`: handed back as a patch. `keep`: committed to the branch, which
   * stays with its work tree until the session is ended. Default: `merge`.
   */
  readonly changes?: "merge" | "patch" | "keep" | undefined;
  /** Where work trees are made; outside the repository. Default: `.loopwright/worktrees` of the home directory. */
  readonly dir?: string | undefined;
}

export const WORKTREE_OPTIONS = {
  root: required(STRING),
  tools: required(FUNCTION),
  changes: oneOf("merge", "patch", "keep"),
  dir: STRING,
} satisfies OptionTable<WorktreeOptions>;

/** What became of the changes, for the parent to read and for the host. */
export interface WorktreeEnd {
  readonly note: string;
  readonly details: JsonValue;
}

/** Makes work trees for sub-agents, and takes care of what they have changed. Its git commands run one after another. */
export class Worktrees {
  readonly #options: WorktreeOptions;
  readonly #dir: string;
  readonly #oneByOne = new Mutex();

  constructor(options: WorktreeOptions) {
    checkOptions("createSubagentTools()", options, WORKTREE_OPTIONS, { prefix: "worktrees." });
    this.#options = options;
    this.#dir = resolve(options.dir ?? join(homedir(), ".loopwright", "worktrees"));
  }

  /**
   * Does `work` in a work tree of the call's own; a call that is entered again finds the one it had. When `work` throws,
   * as to leave for a question, the work tree stays for the next time.
   */
  async run(context: ToolContext, name: string, work: (options: SpawnOptions) => Promise<RunResult>) {
    const record = await this.#oneByOne.runExclusive(() => this.#open(context, name));
    const inside = join(record.path, relative(record.repository, await realpath(this.#options.root)));
    const result = await work({ tools: await this.#options.tools(inside) });
    const end = await this.#oneByOne.runExclusive(() => this.#close(record, context, name, result));
    return { result, ...end };
  }

  /**
   * Removes the work trees of a session that is over. What is in one and nowhere else is kept as a patch beside it. An
   * engine that closes, without a session, leaves them: a suspended sub-agent goes on in its own.
   */
  async endSession(sessionId: string | undefined): Promise<void> {
    if (sessionId === undefined) return;
    for (const record of await readRecords(this.#dir, sessionId)) {
      await this.#oneByOne.runExclusive(async () => {
        if (isWhole(record)) {
          const patch = await patchOf(record);
          const isOnBranch = (await git(record.path, "status", "--porcelain")) === "";
          if (patch.length > 0 && !isOnBranch) await writeFile(join(this.#dir, `${record.id}.patch`), patch);
        }
        await this.#remove(record);
      });
    }
  }

  async #open(context: ToolContext, name: string): Promise<WorktreeRecord> {
    const { sessionId, transcriptId, toolCallId } = context;
    const id = createHash("sha256")
      .update(JSON.stringify([transcriptId, toolCallId]))
      .digest("hex")
      .slice(0, 16);
    const known = await readRecord(this.#dir, id);
    if (known && isWhole(known)) return known;
    if (known) await this.#remove(known); // A crash in the middle of making it.
    const repository = await git(this.#options.root, "rev-parse", "--show-toplevel").catch((cause) => {
      throw new ToolError("TOOL_FAILED", {
        message: `There can be no work tree: "${this.#options.root}" is not in a git repository that has a commit.`,
        cause,
      });
    });
    const base = (await git(repository, "stash", "create")) || (await git(repository, "rev-parse", "HEAD"));
    const made = await context.notify?.("WorktreeCreate", { name: `${name}-${id}` });
    const foreign = made?.worktreePath;
    const path = foreign ?? join(this.#dir, id);
    const branch = `loopwright/${name.replace(/[^\w-]+/g, "-")}-${id}`;
    const record: WorktreeRecord = {
      v: 1,
      id,
      sessionId,
      repository: await realpath(repository),
      path,
      branch,
      base: foreign ? await git(foreign, "rev-parse", "HEAD") : base,
      isForeign: foreign !== undefined,
    };
    await writeRecord(this.#dir, record);
    if (!foreign) await git(repository, "worktree", "add", "--quiet", "-b", branch, path, base);
    return record;
  }

  async #close(record: WorktreeRecord, context: ToolContext, name: string, result: RunResult): Promise<WorktreeEnd> {
    const patch = await patchOf(record);
    if (patch.length === 0) {
      await this.#removeWithHook(record, context);
      return { note: "[It changed no files.]", details: { files: [] } };
    }
    const files = (await git(record.path, "diff", "--cached", "--name-only", "-z", record.base))
      .split("\0")
      .filter(Boolean);
    const { changes = "merge" } = this.#options;
    if (changes === "keep") return this.#keep(record, name, files);
    if (changes === "merge" && result.status === "completed") {
      const problem = await this.#apply(record, patch);
      if (problem === null) {
        await this.#removeWithHook(record, context);
        return { note: `[Its changes are in your files now: ${files.join(", ")}.]`, details: { merged: true, files } };
      }
      const kept = await this.#keepPatch(record, context, patch);
      await this.#removeWithHook(record, context);
      return {
        note: `[Its changes conflict with yours (WORKTREE_CONFLICT), and nothing was changed: ${problem} They are kept as a patch: ${kept}. Read it, and make the changes by hand.]`,
        details: { merged: false, code: "WORKTREE_CONFLICT", files, patch: kept },
      };
    }
    const kept = await this.#keepPatch(record, context, patch);
    await this.#removeWithHook(record, context);
    const note = `[Its changes to ${files.join(", ")} are kept as a patch: ${kept}. They are not in your files.]`;
    return { note, details: { merged: false, files, patch: kept } };
  }

  /** `null` when the patch was applied; otherwise why not, and no file was changed. */
  async #apply({ repository }: WorktreeRecord, patch: Uint8Array): Promise<string | null> {
    const { exitCode, stderr } = await tryGit(repository, ["apply", "--whitespace=nowarn", "-"], patch);
    if (exitCode === 0) return null;
    const conflicts = [...stderr.matchAll(/^error: (?:patch failed: )?(.+)$/gm)].map(([, where]) => where!);
    return `${conflicts.slice(0, 10).join("; ").slice(0, 1_000)}.`;
  }

  async #keep({ path, branch }: WorktreeRecord, name: string, files: readonly string[]): Promise<WorktreeEnd> {
    await git(path, "commit", "--quiet", "--no-verify", "-m", `Changes of the sub-agent ${name}`);
    const note = `[Its changes to ${files.join(", ")} are committed to the branch "${branch}", in the work tree "${path}". They are not in your files.]`;
    return { note, details: { merged: false, files: [...files], branch, path } };
  }

  /** As an artifact, or beside the work trees; resolves with its path. */
  async #keepPatch({ id, sessionId }: WorktreeRecord, { artifacts }: ToolContext, patch: Uint8Array): Promise<string> {
    if (artifacts) return (await artifacts.put(patch, { sessionId, mediaType: "text/x-patch" })).path;
    const file = join(this.#dir, `${id}.patch`);
    await writeFile(file, patch);
    return file;
  }

  async #removeWithHook(record: WorktreeRecord, context: ToolContext): Promise<void> {
    await context.notify?.("WorktreeRemove", { worktreePath: record.path });
    await this.#remove(record);
  }

  async #remove(record: WorktreeRecord): Promise<void> {
    const { repository, path, branch, base, isForeign } = record;
    if (!isForeign && existsSync(repository)) {
      await tryGit(repository, ["worktree", "remove", "--force", path]);
      await rm(path, { recursive: true, force: true });
      await tryGit(repository, ["worktree", "prune"]);
      const { stdout } = await tryGit(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
      // A branch with commits of its own is somebody's work.
      if (stdout.toString().trim() === base) await tryGit(repository, ["branch", "-D", "--quiet", branch]);
    }
    await removeRecord(this.#dir, record);
  }
}

/** Git writes this file before it fills a work tree, and nobody works in one that is not filled. */
function isWhole({ path }: WorktreeRecord): boolean {
  return existsSync(join(path, ".git"));
}

/** Everything in a work tree that its base does not have, new files included. */
async function patchOf({ path, base }: WorktreeRecord): Promise<Buffer> {
  await git(path, "add", "--all");
  const args = ["diff", "--cached", "--binary", "--no-ext-diff", "--no-textconv", "--no-color", base];
  const { exitCode, stdout, stderr } = await tryGit(path, args);
  if (exitCode !== 0) throw new Error(`git diff failed in "${path}": ${stderr.trim().slice(0, 500)}`);
  return stdout;
}
