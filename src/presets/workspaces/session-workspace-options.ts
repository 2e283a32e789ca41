import type { Workspace } from "../../contracts/workspace.js";
import { byDefault, FUNCTION, numberFrom, type OptionTable } from "../../json/check-options.js";

/** A session whose workspace is to be opened. */
export interface WorkspaceSession<Context = unknown> {
  readonly id: string;
  /** The option `context` of the run. */
  readonly context: Context;
  /** The `id` of the workspace that the session had; not in its first run. */
  readonly previous?: string | undefined;
}

/** Opens the workspace of a session. It is the agent's to close, so it is opened again each time it is asked for. */
export type OpenSessionWorkspace<Context = unknown> = (
  session: WorkspaceSession<Context>,
) => Workspace | Promise<Workspace>;

/** A session that would get another workspace than it had. */
export interface LostWorkspace {
  readonly sessionId: string;
  /** The `id` of the workspace it had. */
  readonly previous: string;
  /** The `id` of the one that was opened. */
  readonly found: string;
}

/** Options for a workspace per session. */
export interface SessionWorkspaceOptions {
  /**
   * Sessions whose workspaces are open at once. The one unused for longest makes room; when all are in use, by a run or a command in
   * the background, a further run ends with `WORKSPACE_LIMIT`. Default: 16.
   */
  readonly maxOpen?: number | undefined;
  /** Whether a session may go on in another workspace than it had. Default: it ends with `WORKSPACE_GONE`. */
  readonly mayReplace?: ((lost: LostWorkspace) => boolean | Promise<boolean>) | undefined;
}

export const SESSION_WORKSPACES = {
  maxOpen: byDefault(16, numberFrom(1, "workspaces", 10_000)),
  mayReplace: FUNCTION,
} satisfies OptionTable<SessionWorkspaceOptions>;
