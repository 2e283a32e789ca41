// A page may delete a message and keep those behind it. What it keeps is copied to the branch that begins there: always from the
// session, never from what the client has sent.
import type { Message } from "../../contracts/message.js";
import type { SessionEntry } from "../../contracts/session.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { repairTranscript } from "../../engine/transcript/validate-transcript.js";
import { tipsOf } from "./branches.js";
import { type Compare, joinShown, type ShownMessage, shownTurn } from "./shown-message.js";
import { type ChatTurn, turnsOf } from "./stored-chat.js";

/** The messages of the session that a page shows, in its order. `null`: the session does not have one of them. */
export function keptMessages(
  entries: readonly SessionEntry[],
  shown: readonly ShownMessage[],
  compare: Compare,
): Message[] | null {
  if (shown.length === 0) return [];
  const stored = tipsOf(entries).flatMap((tip) => {
    const branch = branchOf(entries, tip);
    return turnsOf(branch).map((turn) => ({ turn, branch, message: shownTurn(turn) }));
  });
  const kept: Message[] = [];
  for (let from = 0; from < shown.length; ) {
    const found = longestTurn(shown.slice(from), stored, compare);
    if (!found) return null;
    kept.push(...messagesOf(found.branch, found.turn));
    from += found.length;
  }
  return [...repairTranscript(kept, LEFT)];
}

/** Of a call that waits for an answer, or whose process has ended. */
const LEFT =
  "The user went on without this call. It waited for an approval, or was interrupted and may have been done in part.";

interface StoredTurn {
  readonly turn: ChatTurn;
  readonly branch: readonly SessionEntry[];
  readonly message: ShownMessage;
}

/** The most messages of a page that are looked at as one turn: a client decides how many it sends. */
const MAX_TOGETHER = 1_000;

/** The turn that as many as possible of these messages make up, from the first on. */
function longestTurn(
  shown: readonly ShownMessage[],
  stored: readonly StoredTurn[],
  compare: Compare,
): (StoredTurn & { readonly length: number }) | null {
  const found: { [likeness in "exact" | "partly"]?: StoredTurn & { readonly length: number } } = {};
  let open = stored.filter(({ message }) => message.role === shown[0]!.role);
  const most = Math.min(shown.length, MAX_TOGETHER);
  for (let length = 1; length <= most && shown[length - 1]!.role === shown[0]!.role; length++) {
    const together = joinShown(shown.slice(0, length));
    const { text, parts } = together;
    open = open.filter(({ message }) => {
      const mayGoOn = message.text.startsWith(text) && parts.length <= message.parts.length;
      return mayGoOn || compare(together, message) !== null;
    });
    if (open.length === 0) break;
    for (const one of [...open].reverse()) {
      const likeness = compare(together, one.message);
      if (likeness) found[likeness] = { ...one, length };
    }
  }
  return found.exact ?? found.partly ?? null;
}

function messagesOf(branch: readonly SessionEntry[], { id: first, last }: ChatTurn): Message[] {
  const messages: Message[] = [];
  const [from, to] = [first, last].map((wanted) => branch.findIndex(({ id }) => id === wanted));
  for (const entry of branch.slice(from, to! + 1)) {
    if (entry.type === "message") messages.push(entry.message);
    if (entry.type !== "tool-result") continue;
    const { toolCallId, name, output, isError } = entry.result;
    const last = messages.at(-1);
    const before = last?.role === "tool" ? last.content : [];
    const content = [...before, { type: "tool-result", toolCallId, name, output, isError } as const];
    messages.splice(before.length > 0 ? -1 : messages.length, before.length > 0 ? 1 : 0, { role: "tool", content });
  }
  return messages;
}
