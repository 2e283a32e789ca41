// The branches of a session's chat. Entries form a tree; each way from its beginning to an end is a branch, the newest entry's is the
// current one.
import type { SessionEntry } from "../../contracts/session.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { REWIND } from "../../engine/transcript/rewind.js";
import { clip } from "../../text/cut.js";
import { compareShown, shownTurn } from "./shown-message.js";
import { type ChatTurn, turnsOf } from "./stored-chat.js";

/** One way through a chat that was taken up again at an earlier message. */
export interface ChatBranch {
  /** Its newest entry: `rewindSession(store, sessionId, id)` makes it the current branch. */
  readonly id: string;
  readonly isCurrent: boolean;
  /** The time at which its newest entry was written. Unit: milliseconds since the epoch. */
  readonly updatedAt: number;
  /** The number of its messages. */
  readonly messages: number;
  /** The first message that the current branch does not have: its id, and up to 200 characters of its text. `null`: the current one. */
  readonly differsAt: { readonly messageId: string; readonly text: string } | null;
}

/**
 * The branches of a stored chat, the current one first, the others from the newest to the oldest. A branch begins where a message was
 * edited, deleted or asked for again; nothing that was said is lost.
 *
 * @throws SessionError `SESSION_CORRUPT`
 */
export async function listBranches(
  session: AsyncIterable<SessionEntry> | Iterable<SessionEntry>,
): Promise<readonly ChatBranch[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of session) entries.push(entry);
  const [current, ...others] = tipsOf(entries);
  if (current === undefined) return [];
  const shown = turnsOf(branchOf(entries, current));
  return [current, ...others].flatMap((tip): ChatBranch[] => {
    const branch = branchOf(entries, tip);
    const turns = turnsOf(branch);
    const differs = turns.filter((turn, index) => shown[index]?.id !== turn.id);
    const first = differs.find((turn) => !isSame(turn, shown[turns.indexOf(turn)])) ?? differs[0];
    if (tip !== current && !first) return [];
    const differsAt = first ? { messageId: first.id, text: clip(shownTurn(first).text, 200) } : null;
    const { at: updatedAt } = branch.at(-1)!;
    return [{ id: tip, isCurrent: tip === current, updatedAt, messages: turns.length, differsAt }];
  });
}

/** A prompt that was sent again is not what is new in a branch. */
function isSame(turn: ChatTurn, other: ChatTurn | undefined): boolean {
  return other !== undefined && compareShown(shownTurn(turn), shownTurn(other)) === "exact";
}

/** The newest entry of each branch, that of the current one first. A note that the session was rewound begins none. */
export function tipsOf(entries: readonly SessionEntry[]): string[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const followed = new Set<string | null>();
  const tips: string[] = [];
  for (const entry of [...entries].reverse()) {
    if (followed.has(entry.id)) {
      followed.add(entry.parent);
      continue;
    }
    if (entry.type !== "custom" || entry.name !== REWIND) {
      tips.push(entry.id);
      followed.add(entry.parent);
    }
  }
  const newest = entries.at(-1);
  let current = newest?.id;
  for (let at = newest; at?.type === "custom" && at.name === REWIND; at = byId.get(at.parent ?? ""))
    current = at.parent ?? "";
  if (current === undefined || current === "") return tips;
  return [current, ...tips.filter((tip) => tip !== current)];
}
