// The messages between a foreign agent and its host while it works.
import { ToolError } from "../../contracts/errors.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { NestedCall, NestedResult } from "../../contracts/tool-call.js";
import type { Usage } from "../../contracts/usage.js";

/** The agent's question for a permission. */
export interface ForeignQuestion {
  readonly title: string;
  /** All other details that it gives, as the approver sees them. */
  readonly about?: JsonObject;
  /** By which another process can take the agent up again. */
  readonly session?: string;
}

export type ForeignAnswer = { readonly isAllowed: true } | { readonly isAllowed: false; readonly reason: string };

/** The services that the agent has of its host while it works. */
export interface ForeignHost {
  /** Aborts when the call is over; the agent is then closed. */
  readonly signal: AbortSignal;
  ask(question: ForeignQuestion): Promise<ForeignAnswer>;
  /** Calls tools of this engine, in the one pipeline. `null`: there is no engine to call them. */
  readonly calls: ((calls: readonly NestedCall[]) => Promise<readonly NestedResult[]>) | null;
  progress(update: JsonValue): void;
}

export interface ForeignEnd {
  readonly text: string;
  /** Absent: the agent does not say, and it is estimated. */
  readonly usage?: Usage | undefined;
  readonly costUsd?: number | undefined;
  /** The reason why it has stopped, if not because it is done. */
  readonly unfinished?: string | undefined;
}

/** An agent at work on one call. */
export interface ForeignAgent {
  /** The thing without which another process cannot resume an agent whose question has no `session`. */
  readonly missing: string;
  /** Works on the prompt. Called once. */
  work(prompt: string, host: ForeignHost): Promise<ForeignEnd>;
  /** Goes on with the session of an agent that was ended while it waited for an answer. */
  takeUp?(session: string, message: string, host: ForeignHost): Promise<ForeignEnd>;
  /** Ends it, whatever it does. Never rejects. */
  close(): Promise<void>;
}

/** The end of an agent that its process has lost: what is known of it, and what to do. */
export function agentGone(name: string, why: string, details: JsonObject = {}): ToolError {
  const message = `The agent "${name}" was ended while it was at work, and cannot be taken up again: ${why}. What it has done is not known: look, then give it what is left as a new task. It is not ended where an approver of this process answers while it works, or a rule allows ${permissionName(name)}.`;
  return new ToolError("SUBAGENT_GONE", { message, details });
}

/** The name of the calls by which an agent asks. */
export function permissionName(name: string): string {
  return `${name}_permission`;
}
