import type { HookPayloads } from "./hook-payloads.js";
import type { JsonValue } from "./json.js";
import type { PermissionMode, PermissionUpdate } from "./permission.js";
import type { ReasoningEffort } from "./provider.js";

export type { HookPayloads } from "./hook-payloads.js";

/** Every hook point, in the order a run meets them. The names are those of Claude Code's public hook protocol. */
export const HOOK_POINTS = [
  "Setup",
  "ConfigChange",
  "SessionStart",
  "SessionEnd",
  "UserPromptExpansion",
  "UserPromptSubmit",
  "InstructionsLoaded",
  "PreSkillShellCommand",
  "PreModelCall",
  "MessageDisplay",
  "PostModelCall",
  "PreToolUse",
  "PermissionRequest",
  "PermissionDenied",
  "DirectoryAdded",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "PreCompact",
  "PostCompact",
  "SubagentStart",
  "SubagentStop",
  "WorktreeCreate",
  "WorktreeRemove",
  "Stop",
  "StopFailure",
  "Notification",
  "TaskCreated",
  "TaskCompleted",
  "TeammateIdle",
  "Elicitation",
  "ElicitationResult",
  "CwdChanged",
  "FileChanged",
  "PreModelSwitch",
  "PostModelSwitch",
] as const;

/** A moment in a run at which hooks are called: one of `HOOK_POINTS`. */
export type HookPoint = (typeof HOOK_POINTS)[number];

/** Hook points whose events happen inside tools, or in the program around the engine. */
export type ToolNotice =
  | "UserPromptExpansion"
  | "FileChanged"
  | "CwdChanged"
  | "TaskCreated"
  | "TaskCompleted"
  | "TeammateIdle"
  | "Elicitation"
  | "ElicitationResult"
  | "WorktreeCreate"
  | "WorktreeRemove";

/** The input of every hook. Command hooks get the same fields in snake_case. */
export interface HookInputBase {
  readonly hookEventName: HookPoint;
  readonly sessionId: string;
  readonly runId: string;
  readonly agentPath: readonly string[];
  readonly permissionMode?: PermissionMode;
  /** The name of the sub-agent, inside one. */
  readonly agentType?: string;
  /** In a run: the effort of reasoning that its requests ask for. Absent when they leave it to the adapter. */
  readonly effort?: ReasoningEffort;
}

/** The input of a hook at one point. */
export type HookInput<P extends HookPoint = HookPoint> = {
  [K in P]: HookInputBase & { readonly hookEventName: K } & HookPayloads[K];
}[P];

/** The result of a hook; every field is optional, and nothing means "continue". A field of another name is a wrong result. */
export interface HookResult {
  /** `false` ends the run as `hook-stopped`. */
  readonly continue?: boolean;
  /** With `continue: false`: why, for the host. */
  readonly stopReason?: string;
  /** `block` refuses a prompt or a tool call, returns a tool's result to the model with `reason`, or asks for another turn at `Stop`. */
  readonly decision?: "approve" | "block";
  /** With `decision: "block"`: why, for the model. */
  readonly reason?: string;
  /** Shown to the host as a `notice`, not to the model. */
  readonly systemMessage?: string;
  readonly suppressOutput?: boolean;
  /** `defer` suspends the call for the host, also when there is an approver. */
  readonly permissionDecision?: "allow" | "deny" | "ask" | "defer";
  /** The model reads that of a denial. */
  readonly permissionDecisionReason?: string;
  /** Replaces the tool's input; validated again. */
  readonly updatedInput?: JsonValue;
  /** Replaces what the model reads as the tool's output. */
  readonly updatedToolOutput?: string;
  /** Appended to the transcript as a message with origin `hook`. */
  readonly additionalContext?: string;
  /** At `PermissionRequest`: rules to remember with an allow. */
  readonly updatedPermissions?: readonly PermissionUpdate[];
  /** At `WorktreeCreate`: the absolute path of the work tree that the hook has made. */
  readonly worktreePath?: string;
  /** At `MessageDisplay`: what observers are shown instead of the message's text. The transcript keeps the text. */
  readonly displayContent?: string;
}

/** One hook. `run` is called once for each matching event; its promise is raced with `timeoutMs` and the run's end. */
export interface Hook<P extends HookPoint = HookPoint> {
  /** Tool or source names: absent, `""` or `*` all; names joined by `|` exactly those; otherwise a regular expression. */
  readonly matcher?: string | undefined;
  /** Unit: milliseconds. Default: 60_000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The meaning of a throw, a timeout or a wrong result. Default: `block` for the points that guard, else `continue`.
   * An `Error` with a property `onFailure` of its own goes by that one.
   * With `block` the model reads the message of what was thrown; a `cause` that is a string is shown to the host only.
   */
  readonly onFailure?: "block" | "continue" | undefined;
  /** Its `signal` aborts at the timeout and when the run ends. */
  run(
    input: HookInput<P>,
    context: { readonly signal: AbortSignal },
  ): Promise<HookResult | undefined | void> | HookResult | undefined | void;
}

/** Hooks by point. */
export type HookMap = { readonly [P in HookPoint]?: readonly Hook<P>[] };

/** The combined result of all hooks of one point. */
export interface HookOutcome {
  /** `false` when any hook said so. */
  readonly continue: boolean;
  readonly stopReason?: string;
  /** Any deny (or block) beats ask beats defer beats allow. */
  readonly permission?: "allow" | "deny" | "ask" | "defer";
  readonly permissionReason?: string;
  readonly blocked: boolean;
  readonly reason?: string;
  /** The last one in order of registration. */
  readonly updatedInput?: JsonValue;
  readonly updatedToolOutput?: string;
  /** In order of registration. */
  readonly additionalContext: readonly string[];
  readonly systemMessages: readonly string[];
  readonly updatedPermissions: readonly PermissionUpdate[];
  /** The first one in order of registration. */
  readonly worktreePath?: string;
  /** The last one in order of registration. */
  readonly displayContent?: string;
  /** Hooks that threw, timed out or returned something that is not a result. */
  readonly failures: readonly string[];
}

/** Runs the hooks of a point. The engine asks `has` first: a point without hooks costs nothing. */
export interface HookDispatcher {
  has(point: HookPoint): boolean;
  /** Never throws. `matchValue` is what matchers are compared with: the tool's name, or the source. */
  run<P extends HookPoint>(
    input: HookInput<P>,
    options: {
      readonly signal: AbortSignal;
      readonly matchValue?: string;
      /** Called with the work of a hook that was given up before it ended. Being idle waits for it. */
      leftBehind?(work: Promise<unknown>): void;
    },
  ): Promise<HookOutcome>;
}
