import type { FileAccess, Workspace } from "../../contracts/workspace.js";

/** One promise of a workspace, checked on an empty one. */
export type WorkspaceCheck = (workspace: Workspace, files: FileAccess) => Promise<void>;

export function bytes(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

export function textOfBytes(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}
