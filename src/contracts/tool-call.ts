import type { ContentPart } from "./content.js";
import type { JsonSchema, JsonValue } from "./json.js";
import type { ArtifactRef } from "./workspace.js";

/** A request by the model to run a tool. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model sent them, not yet checked against the schema. */
  readonly arguments: JsonValue;
  /** The raw argument text, when it was not JSON. Such a call gets an error result and is never run. */
  readonly malformed?: string;
  /** A program on the vendor's server has made it, which the model has written. Default: the model itself. */
  readonly caller?: "program";
}

/** A call that is in the session's own entries. */
export interface RootCall {
  readonly runId: string;
  readonly toolCallId: string;
}

/** A call's kind, in the words of the Agent Client Protocol. */
export type CallKind = "read" | "edit" | "delete" | "move" | "search" | "execute" | "think" | "fetch" | "other";

/**
 * How a call looks to a person, as its tool says it. For display alone: no gate, rule or hook reads it. `describeCall()` makes it:
 * one that a view gets is bounded, and free of control characters.
 */
export interface CallDescription {
  /** The call in one line, such as `Read src/a.ts`. At most 200 characters. */
  readonly title: string;
  readonly kind: CallKind;
  /** The files that the call is about, as its arguments name them. At most 20, of at most 4,096 characters each. */
  readonly paths?: readonly string[];
  /** The line of the first of them, from 1. */
  readonly line?: number;
  /** The command line that it runs. At most 2,000 characters. */
  readonly command?: string;
}

/** The result of a tool's `describe`: a member that is `undefined` counts as left out. */
export interface DescribedCall {
  /** One line. What is longer than 200 characters is cut. */
  readonly title: string;
  readonly kind: CallKind;
  readonly paths?: readonly (string | undefined)[] | undefined;
  readonly line?: number | undefined;
  readonly command?: string | undefined;
}

/**
 * The effect of a call: `done`, its tool came to its own end, also one that failed; `not-started`, its tool was
 * never entered; `unknown`, it was entered and then cut off, so that its work may be half done.
 */
export type CallOutcome = "done" | "not-started" | "unknown";

/** The end of a tool call. `unknown`: it had started before a crash, and its outcome is not known. */
export type ToolStatus = "success" | "failure" | "denied" | "aborted" | "timeout" | "unknown";

/** The result of a tool call. Every call gets exactly one. */
export interface ToolResult {
  readonly toolCallId: string;
  readonly name: string;
  /** The content that the model reads. */
  readonly output: string | readonly ContentPart[];
  /** `true` for every `status` but `success`. */
  readonly isError: boolean;
  readonly status: ToolStatus;
  /** Whether the call may have had effects. Absent: `done`, or a result of an older version; `outcomeOf()` reads both. */
  readonly outcome?: Exclude<CallOutcome, "done"> | undefined;
  /** For the host, never sent to the model. Every `isError` result has `details.code`. */
  readonly details?: JsonValue;
  /** Time spent in `execute`; queueing, locks and approval do not count. */
  readonly durationMs: number;
  /** The place of the whole output, when it was too large to keep here. */
  readonly artifact?: ArtifactRef;
  /**
   * The result as data, as the tool gave it, or the JSON value it returned; never cut. Absent where the output is all there is, and in
   * the calls of a model: neither their events nor their session hold it.
   */
  readonly value?: JsonValue;
  /** The place of the value as JSON text, of a call that a tool has made, when the value was too large to keep here. */
  readonly valueArtifact?: ArtifactRef;
}

/** A tool as a model knows it. */
export interface ToolDefinition {
  readonly name: string;
  /** For the model: what it does, and when to use it. */
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The shape of the `value` of its results. Models are not sent it. */
  readonly outputSchema?: JsonSchema;
  /** The callers of the tool, where programs may call it: programs of the vendor's server may then, too. Without `model`, they alone. */
  readonly callers?: readonly ("model" | "program")[];
}
