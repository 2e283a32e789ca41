import type { BaseTool } from "../../contracts/tool.js";
import { eitherOf, FUNCTION, type OptionTable, oneOf, required, STRING } from "../../json/check-options.js";

/** Options of work trees for sub-agents. */
export interface WorktreeOptions {
  /**
   * A directory of the git repository, the one the parent's tools work in; or what says which it is in a session, and throws where
   * there is not one.
   */
  readonly root: string | ((sessionId: string) => string);
  /** Tools that work in another directory: they take the place of those of the same names. Called once for each work tree. */
  readonly tools: (dir: string) => readonly BaseTool[] | Promise<readonly BaseTool[]>;
  /**
   * The way of a sub-agent's changes. `merge`: they are applied to the files of `root`, all or none, and uncommitted;
   * what does not fit is handed back as a patch. `patch`: handed back as a patch. `keep`: committed to the branch, which
   * stays with its work tree until the session is ended. Default: `merge`.
   */
  readonly changes?: "merge" | "patch" | "keep" | undefined;
  /** The directory of the work trees; outside the repository. Default: `.loopwright/worktrees` of the home directory. */
  readonly dir?: string | undefined;
}

export const WORKTREE_OPTIONS = {
  root: required(eitherOf(FUNCTION, STRING)),
  tools: required(FUNCTION),
  changes: oneOf("merge", "patch", "keep"),
  dir: STRING,
} satisfies OptionTable<WorktreeOptions>;
