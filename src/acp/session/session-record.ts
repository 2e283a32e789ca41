// A session store's record of the sessions that editors have begun: their directory and subject.
import type { SessionInfo } from "@agentclientprotocol/sdk";
import type { JsonValue } from "../../contracts/json.js";
import type { Runtime } from "../../contracts/runtime.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import { Recorder } from "../../engine/transcript/recorder.js";
import { Transcript } from "../../engine/transcript/transcript.js";
import { clip } from "../../text/cut.js";

const ENTRY = "loopwright.acp";
const MAX_TITLE_CHARS = 80;
/** A session's place and title are in its first entries; of one that holds something else no more are read. */
const MAX_READ_ENTRIES = 200;
const PAGE = 50;

export interface EditorPlace {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
}

/** Notes a session's place in it, before its first prompt. @throws SessionError */
export async function recordPlace(
  store: SessionStore,
  sessionId: string,
  { cwd, additionalDirectories }: EditorPlace,
  runtime: Runtime,
): Promise<void> {
  const release = await store.lock(sessionId);
  try {
    const transcript = new Transcript();
    for await (const entry of store.read(sessionId)) transcript.apply(entry);
    if (transcript.lastEntryId !== null) return;
    const recorder = new Recorder(transcript, store, sessionId, runtime.newId(), runtime);
    const data: JsonValue = { v: 1, cwd, additionalDirectories: [...additionalDirectories] };
    recorder.record({ type: "custom", name: ENTRY, data });
    if (!(await recorder.commit())) throw recorder.failure!;
  } finally {
    await release();
  }
}

/** Sessions with a prompt, newest first, a page at a time; those of other directories are left out when `cwd` is given. */
export async function sessionsForEditor(
  store: SessionStore,
  { cwd, cursor }: { readonly cwd?: string | null | undefined; readonly cursor?: string | null | undefined },
): Promise<{ sessions: SessionInfo[]; nextCursor?: string }> {
  const sessions: SessionInfo[] = [];
  // A cursor says how many of the store's sessions were seen, and which was the last: newer ones move the rest.
  let isPast = !cursor;
  for await (const { id, updatedAt } of store.list()) {
    if (!isPast) {
      isPast = id === cursor;
      continue;
    }
    const about = await readAbout(store, id);
    if (!about || (cwd && about.cwd !== cwd)) continue;
    sessions.push({ sessionId: id, updatedAt: new Date(updatedAt).toISOString(), ...about });
    if (sessions.length === PAGE) return { sessions, nextCursor: id };
  }
  return { sessions };
}

type About = Pick<SessionInfo, "cwd" | "title"> & { additionalDirectories?: string[] };

/** `undefined` for a session that no editor has begun, that was never prompted, or that cannot be read. */
async function readAbout(store: SessionStore, id: string): Promise<About | undefined> {
  let place: Omit<About, "title"> | undefined;
  let read = 0;
  try {
    for await (const entry of store.read(id)) {
      if (++read > MAX_READ_ENTRIES) return undefined;
      place ??= placeOf(entry);
      const title = titleOf(entry);
      if (title !== undefined) return place && { ...place, title };
    }
  } catch {
    // A damaged session must not hide the others.
  }
  return undefined;
}

function placeOf(entry: SessionEntry): Omit<About, "title"> | undefined {
  if (entry.type !== "custom" || entry.name !== ENTRY) return undefined;
  const { cwd, additionalDirectories } = Object(entry.data) as { cwd?: unknown; additionalDirectories?: unknown };
  if (typeof cwd !== "string") return undefined;
  const others = Array.isArray(additionalDirectories) ? additionalDirectories.map(String) : [];
  return { cwd, ...(others.length > 0 && { additionalDirectories: others }) };
}

function titleOf(entry: SessionEntry): string | undefined {
  if (entry.type !== "message" || entry.message.role !== "user") return undefined;
  const { content, origin } = entry.message;
  if (origin !== undefined && origin !== "user") return undefined;
  return titleOfPrompt(content.map((part) => (part.type === "text" ? part.text : "")).join(" "));
}

/** The first line of a prompt, cut. */
export function titleOfPrompt(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? "";
  return clip(line.replace(/\s+/g, " ") || "Untitled", MAX_TITLE_CHARS);
}
