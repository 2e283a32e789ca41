import { resolve } from "node:path";
import { ToolError } from "../../contracts/errors.js";
import type { PermissionResult } from "../../contracts/permission.js";
import type { ResourceClaim } from "../../contracts/tool.js";
import type { PathAccess, Workspace } from "../../contracts/workspace.js";
import { quoteName } from "../../text/quote-name.js";
import { noteDecided } from "./decided-path.js";

/** The workspace for the length of one call. */
export function forCall(workspace: Workspace): Workspace {
  return workspace.forCall?.(workspace) ?? workspace;
}

/** The claims of a call on one file: that file alone, so that calls on different files run side by side. */
export function pathClaims(workspace: Workspace, path: string, mode: PathAccess): readonly ResourceClaim[] {
  return [{ mode, key: `file:${resolve(workspace.root, path)}` }];
}

/** A file tool's own opinion: asks for what others execute or trust and for secrets, and has none on the rest. */
export async function permissionOf(
  workspace: Workspace,
  path: string,
  access: PathAccess,
  { sessionId }: { readonly sessionId?: string } = {},
): Promise<PermissionResult> {
  noteDecided(workspace, path, access, { ...(sessionId !== undefined && { sessionId }) });
  const reason = await workspace.needsApproval(path, access, sessionId);
  if (reason === null) return { behavior: "passthrough" };
  return {
    behavior: "ask",
    reason: `${access === "write" ? "Writing" : "Reading"} ${quoteName(path)} needs approval: ${reason}.`,
  };
}

/** Forgets what a session knows of files and removes what it keeps as artifacts. */
export async function endSession({ fileState, artifacts }: Workspace, sessionId: string | undefined): Promise<void> {
  fileState.endSession(sessionId);
  if (sessionId !== undefined) await artifacts?.endSession?.(sessionId);
}

/** @throws ToolError `TOOL_INPUT_INVALID` for half a character, which no file can hold */
export function assertWellFormed(field: string, text: string): void {
  if (!/\p{Surrogate}/u.test(text)) return;
  throw new ToolError("TOOL_INPUT_INVALID", {
    message: `"${field}" has half a character (a lone surrogate), which no file can hold. Send the whole character.`,
  });
}
