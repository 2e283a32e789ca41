// The sessions of a project as a person looks for them: by what was asked first and when.
import type { SessionEntry, SessionInfo, SessionStore } from "../../contracts/session.js";
import { clip } from "../../text/cut.js";
import { withoutControls } from "../../text/terminal-text.js";

/** A session and what it is about. */
export interface SessionSummary extends SessionInfo {
  /** The name it was given, or the first line of its first prompt; empty when it has neither. */
  readonly title: string;
}

type Names = ReadonlyMap<string, string>;

const MAX_LISTED = 50;
const MAX_TITLE_CHARS = 80;
/** A prompt comes early; what is read for a title stays small however long the session is. */
const MAX_ENTRIES_READ = 50;

/** The newest first. */
export async function* readSessions(store: SessionStore, names?: Names): AsyncGenerator<SessionSummary> {
  for await (const info of store.list({ limit: MAX_LISTED }))
    yield { ...info, title: await titleOf(store, info.id, names) };
}

/** The newest session; `undefined` when there is not one. */
export async function newestSession(store: SessionStore): Promise<string | undefined> {
  for await (const { id } of store.list({ limit: 1 })) return id;
  return undefined;
}

/** The sessions of this name; else the one whose id is this, or those whose id begins with it. */
export async function findSessions(store: SessionStore, start: string, names?: Names): Promise<readonly string[]> {
  const named = [...(names ?? [])].filter(([, name]) => name === start).map(([id]) => id);
  if (named.length > 0) return named;
  const found: string[] = [];
  for await (const { id } of store.list({ prefix: start })) {
    if (id === start) return [id];
    found.push(id);
  }
  return found;
}

/** The subject of a session; empty for one that cannot be read. */
export async function titleOf(store: SessionStore, id: string, names?: Names): Promise<string> {
  const name = names?.get(id);
  if (name !== undefined) return clip(withoutControls(name), MAX_TITLE_CHARS);
  let read = 0;
  try {
    for await (const entry of store.read(id)) {
      const prompt = promptIn(entry);
      if (prompt !== undefined) return clip(withoutControls(prompt).trim().split("\n")[0]!, MAX_TITLE_CHARS);
      if (++read >= MAX_ENTRIES_READ) break;
    }
  } catch {
    // A damaged session is listed, too: inspecting or resuming it says what is wrong.
  }
  return "";
}

function promptIn(entry: SessionEntry): string | undefined {
  if (entry.type !== "message" || entry.message.role !== "user") return undefined;
  const { origin = "user", content } = entry.message;
  if (origin !== "user") return undefined;
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join(" ");
}
