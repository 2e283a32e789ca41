// The sessions of a project as a person looks for them: by what was asked first and when.
import type { SessionEntry, SessionInfo, SessionStore } from "../../contracts/session.js";
import { clip } from "../../text/cut.js";
import { withoutControls } from "../../text/terminal-text.js";

/** A session and what it is about. */
export interface SessionSummary extends SessionInfo {
  /** The first line of its first prompt; empty when it has none. */
  readonly title: string;
}

const MAX_TITLE_CHARS = 80;
/** A prompt comes early; what is read for a title stays small however long the session is. */
const MAX_ENTRIES_READ = 50;

/** The newest first. */
export async function* readSessions(store: SessionStore, limit = 50): AsyncGenerator<SessionSummary> {
  for await (const info of store.list({ limit })) yield { ...info, title: await titleOf(store, info.id) };
}

/** The newest session; `undefined` when there is not one. */
export async function newestSession(store: SessionStore): Promise<string | undefined> {
  for await (const { id } of store.list({ limit: 1 })) return id;
  return undefined;
}

/** The session whose id is this or begins with it, when there is exactly one. */
export async function findSessions(store: SessionStore, start: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { id } of store.list({ prefix: start })) {
    if (id === start) return [id];
    found.push(id);
  }
  return found;
}

/** The subject of a session; empty for one that cannot be read. */
export async function titleOf(store: SessionStore, id: string): Promise<string> {
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
