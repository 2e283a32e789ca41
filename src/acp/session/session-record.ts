// A session store's record of the sessions that editors have begun: their directory and subject.
import type { SessionInfo } from "@agentclientprotocol/sdk";
import type { JsonValue } from "../../contracts/json.js";
import type { PermissionMode } from "../../contracts/permission.js";
import type { Runtime } from "../../contracts/runtime.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { Recorder } from "../../engine/transcript/recorder.js";
import { Transcript } from "../../engine/transcript/transcript.js";
import { fieldsOf } from "../../json/is-object.js";
import { clip } from "../../text/cut.js";

const ENTRY = "loopwright.acp";
const MODE_ENTRY = "loopwright.acp.mode";
const MAX_TITLE_CHARS = 80;
/** A session's place and title are in its first entries; of one that holds something else no more are read. */
const MAX_READ_ENTRIES = 200;
const PAGE = 50;

export interface EditorPlace {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
}

/** Notes a session's place in it, before its first prompt. @throws SessionError */
export function recordPlace(
  store: SessionStore,
  sessionId: string,
  { cwd, additionalDirectories }: EditorPlace,
  runtime: Runtime,
): Promise<void> {
  const data = { v: 1, cwd, additionalDirectories: [...additionalDirectories] };
  return note(store, sessionId, runtime, { name: ENTRY, data, isFirst: true });
}

/** Notes the session's mode in it, so that it has the same when it is taken up. @throws SessionError */
export function recordMode(store: SessionStore, sessionId: string, mode: PermissionMode, runtime: Runtime) {
  return note(store, sessionId, runtime, { name: MODE_ENTRY, data: { v: 1, mode }, isFirst: false });
}

/** The mode that was noted last; `undefined`: none was. */
export function modeIn(entries: readonly SessionEntry[]): unknown {
  const noted = entries.findLast((entry) => entry.type === "custom" && entry.name === MODE_ENTRY);
  return noted?.type === "custom" ? fieldsOf(noted.data).mode : undefined;
}

async function note(
  store: SessionStore,
  sessionId: string,
  runtime: Runtime,
  { name, data, isFirst }: { readonly name: string; readonly data: JsonValue; readonly isFirst: boolean },
): Promise<void> {
  const release = await store.lock(sessionId);
  try {
    const entries: SessionEntry[] = [];
    for await (const entry of store.read(sessionId)) entries.push(entry);
    if (isFirst && entries.length > 0) return;
    const transcript = new Transcript();
    for (const entry of branchOf(entries)) transcript.apply(entry);
    const recorder = new Recorder(transcript, store, sessionId, runtime.newId(), runtime);
    recorder.record({ type: "custom", name, data });
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
