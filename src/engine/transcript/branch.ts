import { SessionError } from "../../contracts/errors.js";
import type { SessionEntry } from "../../contracts/session.js";

/** The entries that lead to the newest one, or to `tip`. @throws SessionError `SESSION_CORRUPT` when one of them is missing */
export function branchOf(entries: readonly SessionEntry[], tip?: string): SessionEntry[] {
  const branch: SessionEntry[] = [];
  let wanted = entries.length === 0 ? null : (tip ?? entries.at(-1)!.id);
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index]!;
    if (entry.id !== wanted) continue;
    branch.push(entry);
    wanted = entry.parent;
  }
  if (wanted !== null && branch.at(-1) !== entries[0]) {
    throw new SessionError("SESSION_CORRUPT", {
      message: `The session has no entry "${wanted}", which a later one follows. Part of its history is lost; restore it from a backup.`,
    });
  }
  return branch.reverse();
}
