// Reads a session, and what belongs to it, for a page. Read again, it takes only what is new.
import type { JsonValue } from "../../contracts/json.js";
import type { PriceLookup } from "../../contracts/provider.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { childTranscriptId } from "../../engine/transcript/child-id.js";
import type { AuditRecord } from "../audit-chain.js";
import type { PageAgent, PageEntry, PageNote } from "./page-entry.js";
import type { PageText } from "./page-text.js";
import { pageEntryOf } from "./read-entry.js";
import { noteOf } from "./read-note.js";

/** Sub-agents and tasks of one page, at every depth. */
const MAX_AGENTS = 500;
/** The most offloaded output that is read for a page. Unit: bytes. */
const MAX_ARTIFACT_BYTES = 8 * 1024 * 1024;
/** Sub-agents that one call may have spawned and that it does not name. */
const MAX_UNNAMED_CHILDREN = 8;
const TASK_ENTRY = "scheduler/task";

/** The sources of a page's parts. */
export interface PageSources {
  /** The session's entries from the first one, whenever it is called. */
  read(): AsyncIterable<unknown> | Iterable<unknown>;
  readonly sessionId: string | undefined;
  readonly sessions: Pick<SessionStore, "read"> | undefined;
  readonly artifacts: Pick<ArtifactStore, "get"> | undefined;
  readonly prices: PriceLookup | undefined;
  readAudit?(): AsyncIterable<AuditRecord>;
}

/** The part of a session that has been read so far. */
class ReadSession {
  readonly entries: PageEntry[] = [];
  /** The number of entries read from the store: one that is not understood counts, too. */
  count = 0;
  failure = "";
  callId: string | undefined;

  constructor(readonly id: string | undefined) {}
}

/** Collects a page's session. `update` may be called again: what was read once is not read into memory again. */
export class PageCollector {
  readonly #main: ReadSession;
  readonly #agents = new Map<string, ReadSession>();
  notes: readonly PageNote[] = [];

  constructor(
    private readonly sources: PageSources,
    private readonly text: PageText,
  ) {
    this.#main = new ReadSession(sources.sessionId);
  }

  get entries(): readonly PageEntry[] {
    return this.#main.entries;
  }

  get agents(): { readonly [id: string]: PageAgent } {
    const found = [...this.#agents.values()].filter(({ entries }) => entries.length > 0);
    return Object.fromEntries(found.map(({ id, entries, callId }) => [id, { entries, callId }]));
  }

  /** Entries of all sub-agents together. */
  get agentEntries(): number {
    return [...this.#agents.values()].reduce((total, { entries }) => total + entries.length, 0);
  }

  /** Rejects with what the source throws before its first entry; later failures become an entry that says so. */
  async update(): Promise<void> {
    await this.#readOn(this.#main, () => this.sources.read());
    if (this.#main.failure !== "" && this.#main.count === 0) throw this.#failed;
    await this.#followAgents();
    await this.#readNotes();
  }

  #failed: unknown;

  async #readOn(session: ReadSession, read: PageSources["read"]): Promise<void> {
    let seen = 0;
    try {
      for await (const entry of read()) {
        if (seen++ < session.count) continue;
        session.count++;
        const pageEntry = pageEntryOf(entry, this.text, this.sources.prices);
        session.entries.push(await this.#withArtifact(pageEntry, entry));
      }
      session.failure = "";
    } catch (error) {
      this.#failed = error;
      this.#noteFailure(session, error);
    }
  }

  #noteFailure(session: ReadSession, error: unknown): void {
    const message = this.text.long(error instanceof Error ? error.message : error);
    if (session.failure === message) return;
    session.failure = message;
    if (session.count > 0) this.#pushFailure(session, "could not be read further", message);
  }

  #pushFailure(session: ReadSession, name: string, text: string): void {
    const { run = "", turn = 0, at = 0, id = null } = session.entries.at(-1) ?? {};
    session.entries.push({ id: "", parent: id, at, run, turn, type: "unknown", name, text });
  }

  /** An offloaded output is shown in full, when it can be had. */
  async #withArtifact(entry: PageEntry, raw: unknown): Promise<PageEntry> {
    if (entry.type !== "tool-result" || !entry.artifact || !this.sources.artifacts) return entry;
    const { id, mediaType, bytes } = (raw as Extract<SessionEntry, { type: "tool-result" }>).result.artifact!;
    if (bytes > MAX_ARTIFACT_BYTES || !/^text\/|json|xml/.test(String(mediaType ?? "text/plain"))) return entry;
    try {
      const content = new TextDecoder().decode(await this.sources.artifacts.get(id));
      return { ...entry, artifact: { ...entry.artifact, text: this.text.long(content) } };
    } catch {
      // It is gone. The page has what the transcript kept of it, and its path.
      return entry;
    }
  }

  /** Reads the sessions of sub-agents and tasks, those of sub-agents' sub-agents included. */
  async #followAgents(): Promise<void> {
    const { sessions } = this.sources;
    if (!sessions) return;
    const done = new Set<string>();
    const queue: ReadSession[] = [this.#main];
    for (let parent = queue.shift(); parent; parent = queue.shift()) {
      for (const { id, callId } of agentsOf(parent)) {
        if (done.has(id) || done.size >= MAX_AGENTS) continue;
        done.add(id);
        const session = this.#agents.get(id) ?? new ReadSession(id);
        session.callId ??= callId;
        await this.#readOn(session, () => sessions.read(id));
        if (session.count === 0) continue;
        this.#agents.set(id, session);
        queue.push(session);
      }
    }
  }

  /** A trail that cannot be read ends the notes, not the page: an entry says so. */
  async #readNotes(): Promise<void> {
    if (!this.sources.readAudit) return;
    const notes: PageNote[] = [];
    try {
      for await (const record of this.sources.readAudit()) {
        const note = noteOf(record, this.text);
        if (note) notes.push(note);
      }
      if (this.#auditFailure !== "") this.#pushFailure(this.#main, "the audit trail is read again", "");
      this.#auditFailure = "";
    } catch (error) {
      const message = this.text.long(error instanceof Error ? error.message : error);
      if (message !== this.#auditFailure) this.#pushFailure(this.#main, "the audit trail could not be read", message);
      this.#auditFailure = message;
    }
    // The earlier notes stay where fewer can be read by now.
    if (notes.length >= this.notes.length) this.notes = notes;
  }

  #auditFailure = "";
}

/** The sessions that a session's entries name, and those of calls that ended without naming theirs. */
function agentsOf({ id: sessionId, entries }: ReadSession): { readonly id: string; readonly callId?: string }[] {
  const found: { id: string; callId?: string }[] = [];
  const unnamed = new Set<string>();
  for (const entry of entries) {
    if (entry.type === "tool-start") unnamed.add(entry.callId);
    if (entry.type === "tool-result" && (entry.agent || entry.status === "success")) unnamed.delete(entry.callId);
    if (entry.type === "tool-result" && entry.calls) found.push({ id: entry.calls });
    if ((entry.type === "tool-result" || entry.type === "custom") && entry.agent) found.push({ id: entry.agent });
    if (entry.type === "custom" && entry.name === TASK_ENTRY && sessionId !== undefined) {
      const { task, attempt } = Object(entry.data) as { readonly [field: string]: JsonValue };
      if (typeof task === "string" && typeof attempt === "number")
        found.push({ id: `${sessionId}.${task}.${attempt}` });
    }
  }
  if (sessionId === undefined) return found;
  for (const callId of unnamed) {
    for (let nth = 1; nth <= MAX_UNNAMED_CHILDREN; nth++)
      found.push({ id: childTranscriptId(sessionId, callId, nth), callId });
  }
  return found;
}
