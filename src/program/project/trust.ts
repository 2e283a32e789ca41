// Whether a project's own programs and instructions count: asked once for what it brings, remembered outside the project, so that no
// repository can say it about itself.
import { readFile } from "node:fs/promises";
import { sha256 } from "../../files/sha256.js";
import { type ProjectRequest, projectRequests } from "./project-requests.js";
import type { ProjectState } from "./project-state.js";
import { readStateFile, writeStateFile } from "./state-file.js";

/** The user's decision about the project; `undefined` when they were not asked yet, or have trusted it without some of what it brings now. */
export async function readTrust(state: ProjectState): Promise<boolean | undefined> {
  const { isTrusted, shown } = await recordOf(state);
  if (isTrusted !== true) return isTrusted;
  const parts = await projectRequests(state.root);
  // A record of an earlier version is about what the project brings at the first start after it.
  if (!shown) await writeTrust(state, true, parts);
  else if (!(await digestsOf(parts)).every((digest) => shown.includes(digest))) return undefined;
  return true;
}

/** Remembers what the user has said, and about what. Trust adds to what they have trusted before. */
export async function writeTrust(
  state: ProjectState,
  isTrusted: boolean,
  parts?: readonly ProjectRequest[],
): Promise<void> {
  const { shown: before = [] } = await recordOf(state);
  const now = await digestsOf(parts ?? (await projectRequests(state.root)));
  const shown = isTrusted ? [...new Set([...before, ...now])] : [];
  await writeStateFile(state.trust, { root: state.root, isTrusted, at: new Date().toISOString(), shown });
}

interface TrustRecord {
  readonly root?: string;
  readonly isTrusted?: boolean;
  /** The digests of what was shown. */
  readonly shown?: readonly string[];
}

async function recordOf({ trust, root }: ProjectState): Promise<TrustRecord> {
  const record: TrustRecord = Object(await readStateFile(trust));
  return record.root === root && typeof record.isTrusted === "boolean" ? record : {};
}

/** The digests of the files that ask for something, since a request shows only a part of its file. */
async function digestsOf(parts: readonly ProjectRequest[]): Promise<string[]> {
  const contents = parts.map(({ what, source }) => (source ? readFile(source, "utf8").catch(() => what) : what));
  return [...new Set(await Promise.all(contents))].map(sha256);
}
