// The metadata of a chat: its title, and whether it is archived or shared. It is a session of its own, which no list
// has, so that it can be written while a run uses the chat's.
import type { JsonObject } from "../../contracts/json.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import { noteTranscriptId } from "../../engine/transcript/child-id.js";
import { isBegun } from "../../engine/transcript/is-begun.js";
import { fieldsOf } from "../../json/is-object.js";

const NOTE = "loopwright.chat";

export interface SessionNote {
  /** The title that somebody has given it; `null`: none any more. */
  readonly title?: string | null;
  /** The title that a model has made. */
  readonly madeTitle?: string;
  readonly isArchived?: boolean;
  /** The token of the page that shows it; `null`: none does any more. */
  readonly share?: string | null;
}

/** Each field as it was written last. */
export async function readNote(store: SessionStore, sessionId: string): Promise<SessionNote> {
  return (await readNotes(store, noteTranscriptId(sessionId))) as SessionNote;
}

export async function addToNote(store: SessionStore, sessionId: string, change: SessionNote): Promise<void> {
  const id = noteTranscriptId(sessionId);
  await writeNote(store, id, change as JsonObject);
  // A deletion of the session in the meantime did not see this note.
  if (!(await isBegun(store, sessionId))) await store.delete(id);
}

export async function readNotes(store: SessionStore, id: string): Promise<JsonObject> {
  const fields: { [name: string]: JsonObject[string] } = {};
  for await (const entry of store.read(id))
    if (entry.type === "custom" && entry.name === NOTE) Object.assign(fields, fieldsOf(entry.data));
  return fields;
}

export async function writeNote(store: SessionStore, id: string, data: JsonObject): Promise<void> {
  const place = { v: 1, id: globalThis.crypto.randomUUID(), parent: null, at: Date.now(), runId: "", turn: 0 } as const;
  const entry: SessionEntry = { ...place, type: "custom", name: NOTE, data };
  await store.append(id, [entry]);
}
