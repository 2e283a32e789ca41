// Entries form a tree: each names the one before it, and the session's branch is what leads to its newest entry.

import type { ContentPart } from "../contracts/content.js";
import { ConfigurationError, SessionError } from "../contracts/errors.js";
import type { SessionEntry, SessionStore } from "../contracts/session.js";
import { branchOf } from "../engine/transcript/branch.js";
import { isBegun } from "../engine/transcript/is-begun.js";
import { REWIND } from "../engine/transcript/rewind.js";
import { optionError } from "../json/check-options.js";

/**
 * Goes back to an entry: what came after it leaves the session's branch, but not the session. Rewinding to one of these
 * entries brings it back.
 *
 * The next `run()` or `resume()` continues from there. Effects of tools are not undone. A call that is open at `toEntry`
 * and had not been started there is started by `resume()`, and denied by `run()`.
 *
 * Where `toEntry` is a prompt, or comes before the model's reply to one, that prompt is returned, so that a user can edit
 * it: a `run()` takes its place, while `resume()` asks the model again with the prompt as it was.
 *
 * @throws SessionError `SESSION_NOT_FOUND` for an unknown session, `SESSION_BUSY` while a run uses it, and what the store
 * throws
 * @throws ConfigurationError `OPTION_INVALID` when the session has no such entry
 */
export async function rewindSession(store: SessionStore, sessionId: string, toEntry: string): Promise<RewoundSession> {
  const release = await store.lock(sessionId);
  try {
    const trail = new Trail();
    let newest: SessionEntry | undefined;
    let target: SessionEntry | undefined;
    for await (const entry of store.read(sessionId)) {
      newest = entry;
      trail.see(entry);
      if (entry.id === toEntry) target = entry;
    }
    if (!newest) throw noSession(sessionId);
    if (!target) throw noEntry("rewindSession", sessionId, toEntry);
    const { before, prompt } = trail.before(target);
    if (newest === target && !prompt) return { prompt };
    const id = `rewind.${globalThis.crypto.randomUUID()}`;
    const about = { v: 1, id, parent: toEntry, at: Date.now(), runId: target.runId, turn: target.turn } as const;
    const data = { from: newest.id, ...(prompt && { before }) };
    await store.append(sessionId, [{ ...about, type: "custom", name: REWIND, data }]);
    return { prompt };
  } finally {
    await release();
  }
}

/** A session that was rewound. */
export interface RewoundSession {
  /** The prompt that the session now ends with; `null` where it ends with anything else. */
  readonly prompt: readonly ContentPart[] | null;
}

/** The start of a prompt without a reply, from a session's entries. Memory: a few words for each entry. */
class Trail {
  readonly #steps = new Map<string, { readonly entry: Step; readonly parent: string | null }>();

  see(entry: SessionEntry): void {
    this.#steps.set(entry.id, { entry: stepOf(entry), parent: entry.parent });
  }

  /** The prompt that a branch ends with, if it does, and where the branch ends without it. */
  before(target: SessionEntry): { readonly before: string | null; readonly prompt: readonly ContentPart[] | null } {
    let at: string | null = target.id;
    let prompt: readonly ContentPart[] | null = null;
    let before: string | null = target.id;
    for (let step = this.#steps.get(target.id); step; step = at === null ? undefined : this.#steps.get(at)) {
      if (step.entry === "reply" || step.entry === "end") break;
      at = step.parent;
      if (Array.isArray(step.entry)) prompt = step.entry;
      if (prompt && step.entry !== "other") before = at;
    }
    return { before, prompt };
  }
}

/** A prompt's content, or what else an entry is: what the model or a tool said, the beginning or the end of a run. */
type Step = readonly ContentPart[] | "reply" | "begin" | "end" | "other";

function stepOf(entry: SessionEntry): Step {
  if (entry.type === "run-start" || entry.type === "epoch") return "begin";
  if (entry.type === "run-end") return "end";
  if (entry.type === "tool-result") return "reply";
  if (entry.type !== "message") return "other";
  const { message } = entry;
  if (message.role === "assistant") return "reply";
  const { origin = "user", content } = message;
  return origin === "user" || origin === "steering" ? content : "other";
}

/** A session of another id could be kept, but not run. @throws ConfigurationError `OPTION_INVALID` */
export function checkNewId(owner: string, option: string, id: unknown): void {
  if (typeof id === "string" && /^[^\0]{1,512}$/s.test(id)) return;
  throw optionError(owner, option, id, "a string of 1 to 512 characters");
}

/** Writes the first entries of a session. @throws ConfigurationError `OPTION_INVALID` when it has some */
export async function beginSession(store: SessionStore, id: string, entries: readonly SessionEntry[]): Promise<void> {
  const release = await store.lock(id);
  try {
    if (await isBegun(store, id)) throw existsAlready(id);
    await store.append(id, entries);
  } finally {
    await release();
  }
}

/** The entries that lead to where a session stands. @throws SessionError `SESSION_NOT_FOUND`, and what the store throws */
export async function branchOfSession(store: SessionStore, id: string): Promise<readonly SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(id)) entries.push(entry);
  if (entries.length === 0) throw noSession(id);
  return branchOf(entries);
}

export function existsAlready(id: string): ConfigurationError {
  const message = `Session "${id}" exists already. Pass the id of a new session, or delete that one first.`;
  return new ConfigurationError("OPTION_INVALID", { message });
}

/** Requests name the session they wait in: hosts send the answers there. */
export function readdressed(entries: readonly SessionEntry[], from: string, to: string): SessionEntry[] {
  return entries.map((entry) =>
    entry.type === "pending" && entry.request.sessionId === from
      ? { ...entry, request: { ...entry.request, sessionId: to } }
      : entry,
  );
}

export function noSession(sessionId: string): SessionError {
  return new SessionError("SESSION_NOT_FOUND", { message: `There is no session "${sessionId}". Check the id.` });
}

export function noEntry(what: string, sessionId: string, entryId: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `${what} got the entry "${entryId}", which session "${sessionId}" does not have. Pass the id of one of its entries.`,
  });
}
