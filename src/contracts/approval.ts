import type { JsonValue } from "./json.js";
import type { PermissionUpdate } from "./permission.js";
import type { CallDescription } from "./tool-call.js";

/** The question that a run waits for: approval of a tool call, an answer to a tool's question, or what an MCP server asks the user. */
export type PendingKind = "approval" | "question" | "elicitation";

/** The question of a tool to the host with `context.suspend`. */
export interface SuspendRequest {
  readonly kind: PendingKind;
  readonly reason: string;
  /** The text for the person who answers. Default: the call's input. */
  readonly input?: JsonValue;
}

/** A question to the host that outlives the process: plain, versioned JSON. */
export interface PendingRequest {
  readonly v: 1;
  /** The id to which an answer refers. */
  readonly id: string;
  readonly kind: PendingKind;
  /** The session to resume: that of the root run. */
  readonly sessionId: string;
  /** Names from the main agent (`[]`) down to the sub-agent that asks. */
  readonly agentPath: readonly string[];
  readonly toolCallId: string;
  /** As the model calls it. */
  readonly tool: string;
  /**
   * The call that this one is part of, where a tool makes it and not the model: the tool, the id of its call, and the number of this
   * call among those it makes, from 1. Part of what the answer is bound to.
   */
  readonly within?: { readonly tool: string; readonly toolCallId: string; readonly call: number };
  /** The input that would be executed, after parsing and hooks. */
  readonly input: JsonValue;
  /** The look of the call with this input, where its tool says so: for display, beside the input and not in its place. */
  readonly description?: CallDescription;
  /** Binds the answer to the tool's definition, the input and the reason: a change voids it. */
  readonly digest: string;
  /** For a person: why it is asked, or the question itself. */
  readonly reason: string;
  /** Rules and directories that would let such calls run without a question; an answer takes over some of them as `remember`. */
  readonly suggestions: readonly PermissionUpdate[];
  /** Milliseconds since the epoch. A later answer counts as a denial. */
  readonly expiresAt?: number;
}

/** The host's answer to a pending request. The second form answers questions and elicitations. */
export type Answer = {
  readonly id: string;
  /** The one who answered, as the model reads it and the session keeps it. Default: the host. */
  readonly by?: string;
  /** From `signAnswer`: needed where the engine has `approvals.key`. */
  readonly signature?: string;
} & (
  | {
      readonly decision: "allow" | "deny";
      readonly reason?: string;
      readonly updatedInput?: JsonValue;
      readonly remember?: readonly PermissionUpdate[];
    }
  | { readonly value: JsonValue }
);
