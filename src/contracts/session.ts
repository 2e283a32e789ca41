import type { Answer, PendingRequest } from "./approval.js";
import type { CompactionReport } from "./context.js";
import type { JsonSchema, JsonValue } from "./json.js";
import type { Label } from "./label.js";
import type { AssistantMessage, Message, UserMessage } from "./message.js";
import type { PermissionMode } from "./permission.js";
import type { PromptSection } from "./provider.js";
import type { RunStatus } from "./run.js";
import type { CallDescription, ToolDefinition, ToolResult } from "./tool-call.js";
import type { Usage } from "./usage.js";

/** Options of a run that no session holds. */
export type UnstoredOption = "context" | "tools" | "extraTools" | "subagent" | "output";

/** A run's own options beside its prompt. A resume goes on with them, except where it has its own. */
export interface RunGiven {
  /** By the names of `Limits`. */
  readonly limits?: { readonly [name: string]: number };
  readonly mode?: PermissionMode;
  /** The schema of its structured answer, where that was given as JSON Schema. */
  readonly output?: JsonSchema;
  /** The names of what it was given beside that: the values are never stored, and a resume has to be given them. */
  readonly unstored?: readonly UnstoredOption[];
}

/** The content of one entry; see `SessionEntry`. */
export type SessionRecord =
  /**
   * `descriptions`: how its calls look, of those whose tool says so, since a session is shown without the tools. `label`: where a user
   * message comes from that the user has not written; without one it counts as the user's, or the host's.
   */
  | {
      readonly type: "message";
      readonly message: UserMessage | AssistantMessage;
      readonly label?: Label | undefined;
      readonly descriptions?: readonly ({ readonly toolCallId: string } & CallDescription)[];
    }
  /** Committed before a call that is not replayable starts. */
  | { readonly type: "tool-start"; readonly toolCallId: string; readonly inputDigest: string }
  /**
   * Appended as each call settles; the reducer restores call order. `calls`: the session of the calls that the tool has made itself,
   * where it could. A result without a `label` counts as untrusted.
   */
  | {
      readonly type: "tool-result";
      readonly result: ToolResult;
      readonly calls?: string;
      readonly label?: Label | undefined;
    }
  /**
   * `via`: it is a sub-agent's question. The call of this session that the sub-agent works for, or the id of a background
   * sub-agent. There may be several for one call.
   */
  | { readonly type: "pending"; readonly request: PendingRequest; readonly state?: JsonValue; readonly via?: string }
  | { readonly type: "answer"; readonly answer: Answer }
  /** Replaces a span of the view, never of the transcript. `from` and `to` are entry ids, both included. */
  | {
      readonly type: "view-edit";
      readonly stage: string;
      readonly from: string;
      readonly to: string;
      readonly replacement: readonly Message[];
      readonly report: CompactionReport;
    }
  /** From here on requests start with this system prompt and these tools. */
  | {
      readonly type: "epoch";
      readonly cause: string;
      readonly system: readonly PromptSection[];
      readonly tools: readonly ToolDefinition[];
    }
  | { readonly type: "run-start"; readonly given?: RunGiven }
  | { readonly type: "run-end"; readonly status: RunStatus; readonly usage: Usage }
  /** A host's or module's own record; the engine ignores it. */
  | { readonly type: "custom"; readonly name: string; readonly data: JsonValue };

/**
 * One line of a session. Entries are only ever appended; `parent` makes them a tree, whose current branch ends in
 * the newest entry. Ids are unique within a session.
 */
export type SessionEntry = {
  readonly v: 1;
  readonly id: string;
  readonly parent: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly runId: string;
  readonly turn: number;
} & SessionRecord;

/** A session in a store's list. */
export interface SessionInfo {
  readonly id: string;
  /** Milliseconds since the epoch, of the first and the newest entry. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly entries: number;
}

/** Releases a lock. Safe to call twice. */
export type Release = () => Promise<void>;

/** The store of sessions. Several sessions may be used at once; one session has one writer. */
export interface SessionStore {
  /**
   * Appends entries, all or none, in order. Resolved means kept as durably as the store promises; rejected means that they are not
   * kept, and will not be. Until then the engine holds the lock, also when it no longer waits (`SESSION_BUSY`): give a call over a
   * network a time limit, after which its outcome is known.
   *
   * @throws SessionError `SESSION_WRITE`
   */
  append(id: string, entries: readonly SessionEntry[]): Promise<void>;
  /** Every entry of a session, oldest first. An unknown session is empty. @throws SessionError `SESSION_CORRUPT` */
  read(id: string): AsyncIterable<SessionEntry>;
  /**
   * Becomes the session's one writer, among all processes that share the store. A lock that can be lost, as one that expires, is not
   * enough for that: the store refuses what its former holder appends afterwards (`SESSION_WRITE`).
   *
   * @throws SessionError `SESSION_BUSY` when another writer has it
   */
  lock(id: string): Promise<Release>;
  /**
   * Newest first. Those of sub-agents, whose ids begin with `sub-`, only for a `prefix` that begins so.
   *
   * @throws ConfigurationError `OPTION_INVALID` for a `limit` that is not a number
   */
  list(filter?: { readonly prefix?: string; readonly limit?: number }): AsyncIterable<SessionInfo>;
  /** Removes a session; an unknown one is not an error. @throws SessionError `SESSION_BUSY` while it is locked */
  delete(id: string): Promise<void>;
}
