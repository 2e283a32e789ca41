// The target of a path when its permission was decided. Invariant: what needs approval is used only where it was approved, also
// when a link on the way is pointed elsewhere between the question and the call.
import { PermissionError } from "../../contracts/errors.js";
import type { PathAccess, Workspace } from "../../contracts/workspace.js";
import { quoteName } from "../../text/quote-name.js";

/** Paths of which this is remembered, for each workspace; the oldest are forgotten first. */
const MAX_DECIDED = 1_000;

type Place = Promise<string | null>;
interface Asker {
  readonly sessionId?: string;
}

/** By what a workspace shares with the one for the length of a call. */
const DECIDED = new WeakMap<Workspace["fileState"], Map<string, Place>>();

/** Notes where a path leads now, as its permission is decided. */
export function noteDecided(workspace: Workspace, path: string, access: PathAccess, { sessionId }: Asker): void {
  const decided = DECIDED.get(workspace.fileState) ?? new Map<string, Place>();
  DECIDED.set(workspace.fileState, decided);
  const key = keyOf(path, access, sessionId);
  decided.delete(key);
  decided.set(
    key,
    workspace.resolve(path, access).catch(() => null),
  );
  const [oldest] = decided.keys();
  if (decided.size > MAX_DECIDED && oldest !== undefined) decided.delete(oldest);
}

/**
 * Does nothing where no approval is needed, or nobody has asked.
 *
 * @throws PermissionError `PERMISSION_ASK` when the path leads elsewhere than when its permission was decided
 */
export async function assertDecided(
  workspace: Workspace,
  { path, access, real }: { readonly path: string; readonly access: PathAccess; readonly real: string },
  { sessionId }: Asker,
): Promise<void> {
  const place = DECIDED.get(workspace.fileState)?.get(keyOf(path, access, sessionId));
  if (place === undefined || (await workspace.needsApproval(path, access, sessionId)) === null) return;
  if ((await place) === real) return;
  throw new PermissionError("PERMISSION_ASK", {
    message: `${quoteName(path)} no longer leads where it did when its permission was decided, so nothing was done. Make the call again: its permission is then decided for where it leads now.`,
    details: { path },
  });
}

function keyOf(path: string, access: PathAccess, sessionId = ""): string {
  return JSON.stringify([sessionId, access, path]);
}
