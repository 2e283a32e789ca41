// A chat that anybody who has the link may read, up to where it was shared.
import { SessionError } from "../../contracts/errors.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { toUiMessages } from "../messages/to-ui-messages.js";
import { titleOf } from "./list-sessions.js";
import { addToNote, readNote, readNotes, writeNote } from "./session-note.js";
import { sharedPage } from "./shared-page.js";

/** The page shows none of this: nothing that it has could load or run anything. */
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** Shares a chat as it is now; one that was shared before has another token then. */
export async function shareSession(
  store: SessionStore,
  sessionId: string,
  entries: readonly SessionEntry[],
): Promise<string> {
  await unshareSession(store, sessionId);
  const token = globalThis.crypto.randomUUID() + globalThis.crypto.randomUUID().slice(-12);
  // Known first: what the note does not name is not revoked.
  await addToNote(store, sessionId, { share: token });
  await writeNote(store, shareIdOf(token), { sessionId, tip: branchOf(entries).at(-1)!.id });
  return token;
}

export async function unshareSession(store: SessionStore, sessionId: string): Promise<void> {
  const { share } = await readNote(store, sessionId);
  if (!share) return;
  await store.delete(shareIdOf(share));
  await addToNote(store, sessionId, { share: null });
}

/** The page of a token. @throws SessionError `SESSION_NOT_FOUND` */
export async function showShared(store: SessionStore, token: string): Promise<Response> {
  const { sessionId, tip } = /^[\da-f-]{48}$/.test(token) ? await readNotes(store, shareIdOf(token)) : {};
  if (typeof sessionId !== "string" || typeof tip !== "string") throw noPage();
  const note = await readNote(store, sessionId);
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(sessionId)) entries.push(entry);
  if (note.share !== token || entries.length === 0) throw noPage();
  const { messages } = await toUiMessages(entries, { branch: tip });
  return new Response(sharedPage(await titleOf(store, sessionId, note), messages), { headers: HEADERS });
}

function shareIdOf(token: string): string {
  return `sub-share-${token}`;
}

function noPage(): SessionError {
  return new SessionError("SESSION_NOT_FOUND", { message: "There is no such page, or it is not shared any more." });
}
