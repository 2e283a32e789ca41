// A workspace for each session: opened at its first use, once; closed when another one needs its place, or with the agent.
// Invariant: at most `maxOpen` are open, and none is closed while a run, or a command in the background, works in it.
import { ConfigurationError, isHarnessError, RunError } from "../../contracts/errors.js";
import type { PermissionUpdate } from "../../contracts/permission.js";
import type { SessionStore } from "../../contracts/session.js";
import type { Workspace } from "../../contracts/workspace.js";
import { newId } from "../../engine/options/read-options.js";
import { withMethods } from "../../json/check-options.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { runsInBackground } from "../../tools/shell/bash-background.js";
import {
  type LostWorkspace,
  type OpenSessionWorkspace,
  SESSION_WORKSPACES,
  type SessionWorkspaceOptions,
} from "./session-workspace-options.js";
import type { MadeTools, WorkspaceParts } from "./workspace-parts.js";

/** The parts of one session, and what has to be closed with them. */
export interface SessionParts extends WorkspaceParts {
  readonly made: MadeTools;
  /** Not the workspace. */
  close(): Promise<void>;
}

/** A run, or a call, that needs its session's workspace. */
export interface Entering {
  readonly sessionId: string;
  readonly app: unknown;
  record?(name: string, data: { readonly id: string }): Promise<void>;
}

interface OpenSession {
  readonly opening: Promise<SessionParts>;
  parts?: SessionParts;
}

/** The name of the entries in the session that say which workspace it has. */
const ENTRY = "presets/workspace";
const MAX_REMEMBERED_SESSIONS = 1_000;
const MAX_REMEMBERED_UPDATES = 500;
const WORKSPACE = withMethods("resolve", "needsApproval", "close");

export class SessionWorkspaces {
  /** The one unused for longest comes first. */
  readonly #open = new Map<string, OpenSession>();
  readonly #closing = new Set<Promise<void>>();
  /** The sessions that a run holds. */
  readonly #inUse = new Set<string>();
  /** The number of sessions that have each. */
  readonly #holders = new Map<Workspace, number>();
  /** The ids of workspaces that do not name themselves. */
  readonly #ownIds = new WeakMap<Workspace, string>();
  /** The updates of remembered answers, also while the workspace is closed. */
  readonly #remembered = new Map<string, readonly PermissionUpdate[]>();
  #closed: Promise<void> | undefined;

  constructor(
    private readonly options: SessionWorkspaceOptions & {
      readonly sessions: SessionStore;
      readonly open: OpenSessionWorkspace<never>;
      readonly wire: (workspace: Workspace) => Promise<SessionParts>;
    },
  ) {}

  /** The sessions for an engine: a session is in use while its lock is held. */
  get sessions(): SessionStore {
    const { sessions } = this.options;
    const lock = async (id: string) => {
      const release = await sessions.lock(id);
      this.#inUse.add(id);
      return async () => {
        await release();
        this.#inUse.delete(id);
      };
    };
    return {
      lock,
      append: (id, entries) => sessions.append(id, entries),
      read: (id) => sessions.read(id),
      list: (filter) => sessions.list(filter),
      delete: (id) => sessions.delete(id),
    };
  }

  /** The parts of a session whose workspace is open. */
  of(sessionId: string): SessionParts | undefined {
    return this.#open.get(sessionId)?.parts;
  }

  /** All that are open. */
  all(): [sessionId: string, parts: SessionParts][] {
    return [...this.#open].flatMap(([id, { parts }]) => (parts ? [[id, parts]] : []));
  }

  /**
   * Opens the workspace of a session, unless it is open.
   *
   * @throws RunError `WORKSPACE_FAILED`, `WORKSPACE_GONE`, `WORKSPACE_LIMIT`: the next one tries again
   */
  async enter(session: Entering): Promise<SessionParts> {
    const { sessionId } = session;
    const known = this.#open.get(sessionId);
    if (!known && this.#closed) throw new ConfigurationError("ENGINE_CLOSED", { message: "The agent is closed." });
    const entry = known ?? { opening: this.#openAfter(this.#makeRoom(sessionId), session) };
    this.#open.delete(sessionId);
    this.#open.set(sessionId, entry);
    try {
      entry.parts = await entry.opening;
      return entry.parts;
    } catch (error) {
      if (this.#open.get(sessionId) === entry) this.#open.delete(sessionId);
      throw error;
    }
  }

  /** Kept for as long as the process lives, as a workspace that is opened again has to know it. */
  remember(sessionId: string, updates: readonly PermissionUpdate[]): void {
    const kept = [...(this.#remembered.get(sessionId) ?? []), ...updates];
    if (kept.length > MAX_REMEMBERED_UPDATES) {
      const message = `Permissions cannot be remembered: a session remembers at most ${MAX_REMEMBERED_UPDATES} changes.`;
      throw new ConfigurationError("OPTION_INVALID", { message });
    }
    this.#remembered.delete(sessionId);
    this.#remembered.set(sessionId, kept);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MAX_REMEMBERED_SESSIONS) this.#remembered.delete(oldest!);
  }

  /** Ends what tools hold for a session and closes its workspace; without an id, ends what tools hold. */
  async end(sessionId?: string): Promise<void> {
    if (sessionId === undefined) {
      await Promise.all(this.all().map(([, parts]) => parts.made.endSession()));
      return;
    }
    const entry = this.#open.get(sessionId);
    this.#open.delete(sessionId);
    if (!entry) return;
    await entry.parts?.made.endSession(sessionId);
    await this.#leave(entry);
  }

  /** Closes all. Safe to call twice. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      const entries = [...this.#open.values()];
      this.#open.clear();
      const ends = await Promise.allSettled([...entries.map((entry) => this.#leave(entry)), ...this.#closing]);
      const failed = ends.find((end) => end.status === "rejected");
      if (failed) throw failed.reason;
    })();
    return this.#closed;
  }

  /** Takes a place at once, and says when it is free. @throws RunError `WORKSPACE_LIMIT` */
  #makeRoom(sessionId: string): Promise<unknown> {
    const { maxOpen = SESSION_WORKSPACES.maxOpen.defaultValue } = this.options;
    if (this.#open.size >= maxOpen) {
      const idle = [...this.#open].find(([id, { parts }]) => {
        return parts && !this.#inUse.has(id) && !runsInBackground(parts.workspace, id);
      });
      if (!idle) throw limitReached(sessionId, maxOpen);
      this.#open.delete(idle[0]);
      void this.#leave(idle[1]).catch(() => {});
    }
    return Promise.all(this.#closing);
  }

  async #openAfter(room: Promise<unknown>, session: Entering): Promise<SessionParts> {
    try {
      await room;
      return await this.#openFor(session);
    } catch (cause) {
      if (isHarnessError(cause) && cause instanceof RunError) throw cause;
      throw openingFailed(session.sessionId, cause);
    }
  }

  async #openFor({ sessionId, app, record }: Entering): Promise<SessionParts> {
    const previous = await this.#recorded(sessionId);
    const { open, wire } = this.options;
    const workspace = await open({ id: sessionId, context: app as never, previous });
    if (!WORKSPACE.accepts(workspace)) throw new TypeError('the option "workspace" returned no workspace');
    this.#holders.set(workspace, (this.#holders.get(workspace) ?? 0) + 1);
    try {
      const found = this.#idOf(workspace);
      if (previous !== found) {
        if (previous !== undefined) await this.#replace({ sessionId, previous, found });
        await record?.(ENTRY, { id: found });
      }
      const parts = await wire(workspace);
      const remembered = this.#remembered.get(sessionId);
      if (remembered) await parts.permissions.remember?.(remembered, { sessionId });
      return parts;
    } catch (error) {
      await this.#release(workspace).catch(() => {});
      throw error;
    }
  }

  /** The workspace that the session had last, also on a branch that was rewound. */
  async #recorded(sessionId: string): Promise<string | undefined> {
    let id: string | undefined;
    for await (const entry of this.options.sessions.read(sessionId)) {
      if (entry.type === "custom" && entry.name === ENTRY) id = (entry.data as { id: string }).id;
    }
    return id;
  }

  #idOf(workspace: Workspace): string {
    const own = workspace.id ?? this.#ownIds.get(workspace) ?? `unnamed:${newId()}`;
    this.#ownIds.set(workspace, own);
    return own;
  }

  async #replace(lost: LostWorkspace): Promise<void> {
    if (await this.options.mayReplace?.(lost)) return;
    const { sessionId, previous, found } = lost;
    const message = `The workspace of session "${sessionId}" is gone: it had "${previous}", and what was opened now is "${found}". Open the one it had, or say that another one is fine: workspaces: { mayReplace }. Nothing was done in it.`;
    throw new RunError("WORKSPACE_GONE", { message, details: { ...lost } });
  }

  #leave(entry: OpenSession): Promise<void> {
    const leaving = (async () => {
      const parts = await entry.opening.catch(() => undefined);
      if (!parts) return;
      await parts.close().finally(() => this.#release(parts.workspace));
    })();
    this.#closing.add(leaving);
    const forget = () => this.#closing.delete(leaving);
    void leaving.then(forget, forget);
    return leaving;
  }

  /** Closes a workspace that no session has any more. */
  async #release(workspace: Workspace): Promise<void> {
    const left = (this.#holders.get(workspace) ?? 1) - 1;
    if (left > 0) this.#holders.set(workspace, left);
    else this.#holders.delete(workspace);
    if (left === 0) await workspace.close();
  }
}

function openingFailed(sessionId: string, cause: unknown): RunError {
  const message = `The workspace of session "${sessionId}" could not be opened (${describeThrown(cause)}). Remove the cause: the next run or resume() of the session tries again, and nothing of it is lost.`;
  return new RunError("WORKSPACE_FAILED", { message, cause, details: { sessionId } });
}

function limitReached(sessionId: string, maxOpen: number): RunError {
  const message = `The workspace of session "${sessionId}" was not opened: ${maxOpen} are open, and runs or commands in the background use all of them. Try again when one has ended, or raise workspaces.maxOpen.`;
  return new RunError("WORKSPACE_LIMIT", { message, retryable: true, details: { sessionId, maxOpen } });
}
