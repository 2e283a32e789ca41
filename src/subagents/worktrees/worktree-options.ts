import type { BaseTool } from "../../contracts/tool.js";
import type { Workspace } from "../../contracts/workspace.js";
import {
  eitherOf,
  FUNCTION,
  type OptionTable,
  oneOf,
  required,
  STRING,
  withMethods,
} from "../../json/check-options.js";

/** Options of work trees for sub-agents. */
export interface WorktreeOptions {
  /**
   * A directory of the git repository, the one the parent's tools work in; a workspace whose root is one, also on another machine, which
   * has to have git; or what says which it is in a session, and throws where there is not one.
   */
  readonly root: string | Workspace | ((sessionId: string) => string | Workspace);
  /**
   * Tools that work in another directory: they take the place of those of the same names. Called once for each work tree. `workspace`:
   * that directory of the other machine, which is closed when the sub-agent ends; `undefined` on this disk.
   */
  readonly tools: (dir: string, workspace?: Workspace) => readonly BaseTool[] | Promise<readonly BaseTool[]>;
  /**
   * The way of a sub-agent's changes. `merge`: they are applied to the files of `root`, all or none, and uncommitted;
   * what does not fit is handed back as a patch. `patch`: handed back as a patch. `keep`: committed to the branch, which
   * stays with its work tree until the session is ended. What git ignores is named, and not handed over. Default: `merge`.
   */
  readonly changes?: "merge" | "patch" | "keep" | undefined;
  /**
   * The directory of the work trees, outside the repository, and of their records. Default: `.loopwright/worktrees` of the home
   * directory. Those on another machine are there in that of its user.
   */
  readonly dir?: string | undefined;
}

export const WORKTREE_OPTIONS = {
  root: required(eitherOf(eitherOf(FUNCTION, STRING), withMethods("resolve"))),
  tools: required(FUNCTION),
  changes: oneOf("merge", "patch", "keep"),
  dir: STRING,
} satisfies OptionTable<WorktreeOptions>;
