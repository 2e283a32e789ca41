import type { JsonValue } from "./json.js";

/** Every code a `HarnessError` or an error result can carry. One line each in `docs/reference/errors.md`. */
export type ErrorCode = ConfigurationErrorCode | ProviderErrorCode | ToolErrorCode | SessionErrorCode | RunErrorCode;

export type ConfigurationErrorCode =
  | "OPTION_INVALID"
  | "OPTION_MISSING"
  | "TOOL_DUPLICATE"
  | "TOOL_INVALID"
  | "SCHEMA_UNSUPPORTED"
  | "PEER_MISSING"
  | "PEER_UNSUPPORTED"
  | "SKILL_INVALID"
  | "SETTINGS_INVALID"
  | "ENGINE_CLOSED";

/** The reason why a model request failed. `docs/reference/errors.md` has a line on each. */
export type ProviderErrorCode =
  | "RATE_LIMITED"
  | "OVERLOADED"
  | "TIMEOUT"
  | "CONNECTION"
  | "SERVER"
  | "CONTEXT_TOO_LONG"
  | "AUTH"
  | "BAD_REQUEST"
  | "CONTENT_FILTERED"
  | "STREAM_BROKEN"
  | "RESPONSE_TOO_LARGE"
  | "PROVIDER_FAILED"
  | "CACHE_BROKEN";

export type ToolErrorCode =
  | "TOOL_UNKNOWN"
  | "TOOL_INPUT_INVALID"
  | "TOOL_INPUT_MALFORMED"
  | "TOOL_FAILED"
  | "TOOL_TIMEOUT"
  | "TOOL_ABORTED"
  | "TOOL_OUTCOME_UNKNOWN"
  | "TOOL_RESULT_INVALID"
  | "TOOL_RESULT_TOO_LARGE"
  | "PERMISSION_DENIED"
  | "PERMISSION_ASK"
  | "HOOK_DENIED"
  | "EDIT_NOT_FOUND"
  | "EDIT_AMBIGUOUS"
  | "EDIT_NO_CHANGE"
  | "EDIT_INVALID"
  | "EDIT_STALE"
  | "PATH_OUTSIDE"
  | "PATH_PROTECTED"
  | "PATH_INVALID"
  | "PATH_NOT_FOUND"
  | "FILE_UNSUPPORTED"
  | "PATTERN_INVALID"
  | "SEARCH_TIMEOUT"
  | "ADDRESS_REFUSED"
  | "FETCH_FAILED"
  | "COMMAND_FAILED"
  | "COMMAND_NOT_FOUND"
  | "SUBAGENT_UNKNOWN"
  | "SUBAGENT_DEPTH"
  | "SUBAGENT_GONE"
  | "PROGRAM_DIVERGED"
  | "PROGRAM_FAILED"
  | "PROGRAM_INVALID"
  | "PROGRAM_LIMIT"
  | "WORKTREE_CONFLICT"
  | "TASK_NOT_FOUND"
  | "TASK_CONFLICT"
  | "TASK_CYCLE"
  | "TASK_BLOCKED"
  | "TASK_CORRUPT"
  | "FACT_NOT_FOUND"
  | "SKILL_UNKNOWN"
  | "MCP_DISCONNECTED"
  | "MCP_FAILED";

export type SessionErrorCode =
  | "SESSION_BUSY"
  | "SESSION_NOT_FOUND"
  | "SESSION_WRITE"
  | "SESSION_READ"
  | "SESSION_CORRUPT"
  | "SESSION_VERSION"
  | "CHAT_DIFFERS"
  | "REWIND_REFUSED"
  | "REWIND_UNFINISHED"
  | "TRANSCRIPT_INVALID";

export type RunErrorCode =
  | "RUN_ABORTED"
  | "EMPTY_RESPONSE"
  | "NOTHING_TO_SEND"
  | "LOOP_DETECTED"
  | "HOOK_FAILED"
  | "HOOK_STOPPED"
  | "OUTPUT_INVALID"
  | "CONTEXT_SOURCE_FAILED"
  | "WORKSPACE_FAILED"
  | "WORKSPACE_GONE"
  | "WORKSPACE_LIMIT"
  | "COMPACTION_FAILED"
  | "CONTEXT_TOO_SMALL"
  | "COST_UNKNOWN"
  | "RUN_INCOMPLETE"
  | "PLAN_INVALID"
  | "REPLAY_DIVERGED"
  | "EVENTS_GONE"
  | "USAGE_LIMIT"
  | "INTERNAL";

export interface HarnessErrorOptions {
  /** Says what happened, to which thing (quoted), what was expected, and what to do. No secrets, no file contents. */
  readonly message: string;
  /** For programs, by the code: ids, limits, issues. No secrets, no file contents. */
  readonly details?: JsonValue | undefined;
  /** Whether the same attempt may succeed later. Default: `false`. */
  readonly retryable?: boolean | undefined;
  /** The error underneath, if any. */
  readonly cause?: unknown;
}

const BRAND = Symbol.for("loopwright.HarnessError");

/** The base of every error this library throws. Distinguish codes with `isHarnessError(error, "CODE")`. */
export class HarnessError extends Error {
  /** Written out in each class, so that a minified bundle has the names, too. */
  static override readonly name: string = "HarnessError";
  readonly code: ErrorCode;
  readonly details: JsonValue | undefined;
  readonly retryable: boolean;

  constructor(code: ErrorCode, options: HarnessErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.details = options.details;
    this.retryable = options.retryable ?? false;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Its form for `JSON.stringify`: an ordinary error would lose its message. Causes stay in the process. */
  toJSON(): { readonly [field: string]: JsonValue } {
    const { name, code, message, retryable, details } = this;
    return { name, code, message, retryable, ...(details !== undefined && { details }) };
  }
}

/** Wrong options or tools: thrown at construction, before any request. */
export class ConfigurationError extends HarnessError {
  static override readonly name: string = "ConfigurationError";
  declare readonly code: ConfigurationErrorCode;
  constructor(code: ConfigurationErrorCode, options: HarnessErrorOptions) {
    super(code, options);
  }
}

export interface ProviderErrorOptions extends HarnessErrorOptions {
  /** The wait that the server asked for. Unit: milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The HTTP status, when there was one. */
  readonly status?: number | undefined;
}

/** A model call that failed. */
export class ProviderError extends HarnessError {
  static override readonly name: string = "ProviderError";
  declare readonly code: ProviderErrorCode;
  /** The wait that the server asks for. Unit: milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The HTTP status; `undefined` when no response came. */
  readonly status: number | undefined;

  constructor(code: ProviderErrorCode, options: ProviderErrorOptions) {
    super(code, options);
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
  }

  override toJSON(): { readonly [field: string]: JsonValue } {
    const { retryAfterMs, status } = this;
    const more = { ...(retryAfterMs !== undefined && { retryAfterMs }), ...(status !== undefined && { status }) };
    return { ...super.toJSON(), ...more };
  }
}

/** A failure in a tool call. Its message is for the model. */
export class ToolError extends HarnessError {
  static override readonly name: string = "ToolError";
  declare readonly code: ToolErrorCode;
  constructor(code: ToolErrorCode, options: HarnessErrorOptions) {
    super(code, options);
  }
}

export type EditErrorCode = Extract<ToolErrorCode, `EDIT_${string}`>;

/** An edit that was not made; the file is untouched. */
export class EditError extends ToolError {
  static override readonly name: string = "EditError";
  declare readonly code: EditErrorCode;
  constructor(code: EditErrorCode, options: HarnessErrorOptions) {
    super(code, options);
  }
}

export type SandboxErrorCode = "PATH_OUTSIDE" | "PATH_PROTECTED" | "PATH_INVALID";

/** A path the sandbox refuses. Its message does not say what is there. */
export class SandboxError extends ToolError {
  static override readonly name: string = "SandboxError";
  declare readonly code: SandboxErrorCode;
  constructor(code: SandboxErrorCode, options: HarnessErrorOptions) {
    super(code, options);
  }
}

/** A call that was refused by a rule, a hook, a mode or a human. */
export class PermissionError extends HarnessError {
  static override readonly name: string = "PermissionError";
  declare readonly code: "PERMISSION_DENIED" | "PERMISSION_ASK" | "HOOK_DENIED";
  constructor(code: "PERMISSION_DENIED" | "PERMISSION_ASK" | "HOOK_DENIED", options: HarnessErrorOptions) {
    super(code, options);
  }
}

/** A session that cannot be opened, written or continued. */
export class SessionError extends HarnessError {
  static override readonly name: string = "SessionError";
  declare readonly code: SessionErrorCode;
  constructor(code: SessionErrorCode, options: HarnessErrorOptions) {
    super(code, options);
  }
}

/** A run that ended because of its own course rather than a tool or a provider. */
export class RunError extends HarnessError {
  static override readonly name: string = "RunError";
  declare readonly code: RunErrorCode;
  constructor(code: RunErrorCode, options: HarnessErrorOptions) {
    super(code, options);
  }
}

/** The reason of every signal a run hands out once the run is aborted. */
export class RunAbortedError extends RunError {
  static override readonly name: string = "RunAbortedError";
  constructor(reason: string, cause?: unknown) {
    super("RUN_ABORTED", { message: `The run was aborted: ${reason}.`, cause });
  }
}

/** Whether `error` is one of this library's, also across two copies of the package, and has this code. */
export function isHarnessError(error: unknown, code?: ErrorCode): error is HarnessError {
  if (typeof error !== "object" || error === null) return false;
  try {
    return BRAND in error && (code === undefined || Reflect.get(error, "code") === code);
  } catch {
    return false; // Anything may be thrown, also a proxy whose traps throw.
  }
}
