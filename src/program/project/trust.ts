// Whether a project's own programs and instructions count: asked once, remembered outside the project, so that no
// repository can say it about itself.
import type { ProjectState } from "./project-state.js";
import { readStateFile, writeStateFile } from "./state-file.js";

/** The user's decision about the project; `undefined` when they were not asked yet. */
export async function readTrust({ trust, root }: ProjectState): Promise<boolean | undefined> {
  const record = Object(await readStateFile(trust)) as { readonly root?: unknown; readonly isTrusted?: unknown };
  return record.root === root && typeof record.isTrusted === "boolean" ? record.isTrusted : undefined;
}

/** Remembers what the user has said. */
export async function writeTrust({ trust, root }: ProjectState, isTrusted: boolean): Promise<void> {
  await writeStateFile(trust, { root, isTrusted, at: new Date().toISOString() });
}
