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
 * The look of a call to a person, as its tool says it. For display alone: no gate, rule or hook reads it. `describeCall()` makes it:
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

/** The outcome of a call, by its result. An aborted call of a version that did not record it counts as `unknown`. */
export function outcomeOf({ outcome, status }: Pick<ToolResult, "outcome" | "status">): CallOutcome {
  const wasCutOff = status === "timeout" || status === "aborted" || status === "unknown";
  return outcome ?? (status === "denied" ? "not-started" : wasCutOff ? "unknown" : "done");
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

// ── calls that a tool makes ──────────────────────────────────────────────────────────────────────────────────────────

/** A call that a tool makes: the arguments are checked as those of a model's call are. */
export interface NestedCall {
  readonly name: string;
  readonly input: JsonValue;
}

/** The result of a call that a tool has made. Its `output` is what a model would read, cut where that would be. */
export type NestedResult = ToolResult & {
  /** The whole result as data: the tool's `value` or the JSON that it returned, else its output as it was before it was cut. */
  readonly value: JsonValue;
  /** The time at which the result was recorded. Unit: milliseconds since the epoch. */
  readonly at: number;
};

/** Calls that were made together by one `run`, as the session has them. */
export interface RecordedWave {
  readonly calls: readonly NestedCall[];
  /** In the order of the calls. Absent: at least one has no result yet, and `run` with the same calls goes on with it. */
  readonly results?: readonly NestedResult[];
}

/**
 * Calls of other tools from inside a call: through the same hooks, gate, approver and record as a model's, under ids of their own
 * (`<toolCallId>.<wave>.<n>`). They use no model, no turns and no slots of the run, and are never taken for a runaway.
 *
 * The calls and their results are kept in a session of their own. A call that asks the host something nobody in this process answers
 * suspends the calling tool: `run` then throws to leave it, which wins even if the tool catches it. After the answer the tool is
 * entered again, possibly in another process, and its n-th `run` returns what the n-th `run` before has returned; the first one that
 * was not finished goes on. So a tool must make the same calls in the same order whenever it is entered for a call.
 *
 * A tool that makes calls should have `timeoutMs: null`, since an approver's time counts, and `onUnknown: "retry"`, so that a crash
 * enters it again: calls that were finished are not repeated, and one that had only been started follows its own tool's `onUnknown`.
 */
export interface NestedCalls {
  /**
   * The data kept when the call was entered first: at the first entry `data`, which is on record before this resolves. Nobody needs to
   * call it; a tool does that cannot repeat its work without something it made up at the start, such as a seed.
   *
   * @throws SessionError when the session of the calls cannot be read or written
   */
  begin(data: JsonValue): Promise<{
    /** The time at which it was kept. Unit: milliseconds since the epoch. */
    readonly at: number;
    readonly data: JsonValue;
    /** The calls of earlier entries, oldest first: each is still to be repeated by `run`. */
    readonly waves: readonly RecordedWave[];
  }>;
  /**
   * Makes calls together. Resolves with their results in the order of the calls; a call that fails, or is denied, has an error result.
   * Calls of two `run`s at once are made one after the other. No calls: resolves with `[]`, and is not recorded.
   *
   * Rejects when the call or the run is aborted or has timed out, with the signal's reason; its calls are aborted with it.
   *
   * @throws ToolError `PROGRAM_DIVERGED` for other calls than the n-th `run` of an earlier entry has made, and where the record of those
   * was changed so that it does not fit: nothing runs, now or later
   * @throws SessionError when the session of the calls cannot be read or written
   */
  run(calls: readonly NestedCall[]): Promise<readonly NestedResult[]>;
}
