import { access, constants } from "node:fs/promises";
import { relative } from "node:path";
import { isHarnessError, ToolError } from "../../contracts/errors.js";
import type { FileStat, Workspace } from "../../contracts/workspace.js";
import { askedReason } from "../../paths/sensitive-paths.js";
import { listedName, quoteName } from "../../text/quote-name.js";

/** The workspace for the length of one call. */
export function forCall(workspace: Workspace): Workspace {
  return workspace.forCall?.(workspace) ?? workspace;
}

/** The real path of the directory to search. @throws ToolError `PATH_NOT_FOUND`, or the sandbox's refusal */
export async function resolveDirectory(workspace: Workspace, path: string): Promise<string> {
  const { kind, real } = await resolveExisting(workspace, path);
  if (kind === "directory") return real;
  throw new ToolError("PATH_NOT_FOUND", {
    message: `${quoteName(path)} is not a directory. Pass the directory to search in.`,
  });
}

/**
 * The real path of a file or directory that can be read, and which it is.
 *
 * @throws ToolError `PATH_NOT_FOUND`, `TOOL_FAILED` for what this user may not read, or the sandbox's refusal
 */
export async function resolveExisting(workspace: Workspace, path: string) {
  const real = await workspace.resolve(path, "read");
  const [seen] = (await workspace.files.many?.look([{ path: real }])) ?? [];
  const kind = seen?.kind ?? (await kindOf(workspace, path));
  if (!workspace.files.onDisk) return { real, kind };
  try {
    await access(real, kind === "directory" ? constants.R_OK | constants.X_OK : constants.R_OK);
  } catch (cause) {
    const message = `${quoteName(path)} cannot be searched: this user has no permission to read it.`;
    throw new ToolError("TOOL_FAILED", { message, details: { path }, cause });
  }
  return { real, kind };
}

async function kindOf(workspace: Workspace, path: string): Promise<FileStat["kind"]> {
  try {
    return (await workspace.files.stat(path)).kind;
  } catch (cause) {
    if (!isHarnessError(cause, "PATH_NOT_FOUND")) throw cause;
    throw new ToolError("PATH_NOT_FOUND", {
      message: `${quoteName(path)} does not exist in "${workspace.root}". Pass a path relative to it, or none to search all of it.`,
      cause,
    });
  }
}

/**
 * As the model names it: relative to the workspace, or absolute in a further directory it may read. One with a line break or
 * another control character is quoted, so that each path of a list is one line.
 */
export function displayPath(workspace: Workspace, path: string): string {
  return listedName(workspacePath(workspace, path));
}

/** The same, whatever characters it has. */
export function workspacePath(workspace: Workspace, path: string): string {
  const inside = relative(workspace.root, path);
  return inside.startsWith("..") && (inside === ".." || inside[2] === "/") ? path : inside || ".";
}

/** Whether the sandbox lets a found file be read. */
export async function isReadable(workspace: Workspace, path: string): Promise<boolean> {
  return workspace.resolve(path, "read").then(
    () => true,
    () => false,
  );
}

/**
 * Whether a search that may read `base` may show what is in a file below it. A search that was approved outside the roots
 * may; a file that needs approval by itself has to be named.
 */
export async function isApproved(
  workspace: Workspace,
  path: string,
  { base, sessionId }: { readonly base: string; readonly sessionId: string },
): Promise<boolean> {
  if (path === base) return true;
  const reason = await workspace.needsApproval(path, "read", sessionId);
  if (reason === null) return true;
  if (askedReason(path, base, "read") !== null) return false;
  return reason === (await workspace.needsApproval(base, "read", sessionId));
}
