import type { JsonValue } from "./json.js";
import type { ToolResult } from "./tool-call.js";

/** A call that a tool makes: the arguments are checked as those of a model's call are. */
export interface NestedCall {
  readonly name: string;
  readonly input: JsonValue;
}

/** The result of a call that a tool has made. Its `output` is what a model would read, cut where that would be. */
export type NestedResult = ToolResult & {
  /** The whole result as data: the tool's `value` or the JSON that it returned, else its output as it was before it was cut. */
  readonly value: JsonValue;
  /** When the result was recorded. Unit: milliseconds since the epoch. */
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
    /** When it was kept. Unit: milliseconds since the epoch. */
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
