import type { JsonValue } from "./json.js";
import type { PermissionMode, PermissionUpdate } from "./permission.js";
import type { FinishReason, Usage } from "./usage.js";

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
}

interface ToolHookInput {
  readonly toolName: string;
  readonly toolInput: JsonValue;
  readonly toolUseId: string;
  /** The call that makes this one, where a tool does and not the model. */
  readonly parentToolUseId?: string;
}

interface StopPayload {
  readonly stopHookActive: boolean;
  readonly lastAssistantMessage: string;
  /** Sub-agents that are still at work in the background. */
  readonly backgroundTasks: readonly BackgroundTask[];
}

interface BackgroundTask {
  readonly id: string;
  readonly type: "subagent";
  readonly status: "running";
  readonly description: string;
  readonly agentType: string;
}

/** The input of each point beside `HookInputBase`. */
export interface HookPayloads {
  /** The host prepares a project, or tidies it up. */
  Setup: { readonly trigger: "init" | "maintenance" };
  /** A settings file changed while it was watched. Its hooks are those that were loaded before. */
  ConfigChange: {
    readonly source: "user_settings" | "project_settings" | "local_settings" | "policy_settings" | "skills";
    readonly filePath: string;
  };
  /** `compact`: the view was made smaller, and what an earlier start added may be gone from it. */
  SessionStart: { readonly source: "startup" | "resume" | "compact"; readonly model: string };
  SessionEnd: { readonly reason: "clear" | "other" };
  /** A command turned what the user typed into `prompt`. */
  UserPromptExpansion: {
    readonly expansionType: "slash_command" | "mcp_prompt";
    readonly commandName: string;
    readonly commandArgs: string;
    /** The file that the command is from. */
    readonly commandSource?: string | undefined;
    readonly prompt: string;
  };
  UserPromptSubmit: { readonly prompt: string; readonly source: "user" | "steering" | "follow-up" };
  InstructionsLoaded: { readonly sourceId: string; readonly characters: number };
  /** A line of a skill would be run while the skill is loaded. No skill's line ever is, so this point is never reached. */
  PreSkillShellCommand: ToolHookInput & {
    readonly commandName: string;
    readonly invokedBy: "user" | "claude" | "other";
  };
  PreModelCall: { readonly model: string; readonly turn: number };
  PostModelCall: {
    readonly model: string;
    readonly turn: number;
    readonly finishReason: FinishReason;
    readonly usage: Usage;
  };
  /** The text of a message, whole, before any observer has it. */
  MessageDisplay: {
    readonly turnId: string;
    readonly messageId: string;
    readonly index: number;
    readonly final: boolean;
    readonly delta: string;
  };
  PreToolUse: ToolHookInput;
  PermissionRequest: ToolHookInput & {
    readonly permissionSuggestions: readonly PermissionUpdate[];
    readonly reason: string;
  };
  PermissionDenied: ToolHookInput & { readonly reason: string };
  /** An answer or a hook let the session use a directory outside its roots. */
  DirectoryAdded: { readonly directory: string; readonly source: "permission_update" };
  PostToolUse: ToolHookInput & {
    readonly toolResponse: JsonValue;
    /** The tool's details for hosts alone. */
    readonly toolDetails?: JsonValue | undefined;
    readonly durationMs: number;
  };
  /** The call failed, or its command ended with another exit code than 0. */
  PostToolUseFailure: ToolHookInput & {
    readonly error: string;
    /** Of a command that ran to its end. */
    readonly exitCode?: number | undefined;
    readonly isInterrupt: boolean;
    readonly durationMs: number;
  };
  PostToolBatch: { readonly toolCalls: readonly (ToolHookInput & { readonly toolResponse: JsonValue })[] };
  PreCompact: { readonly trigger: "manual" | "auto"; readonly customInstructions: string | null };
  PostCompact: { readonly trigger: "manual" | "auto"; readonly compactSummary: string };
  SubagentStart: { readonly agentId: string };
  SubagentStop: StopPayload & { readonly agentId: string };
  /** A sub-agent needs a work tree. The first hook that names a `worktreePath` has made it. */
  WorktreeCreate: { readonly name: string };
  WorktreeRemove: { readonly worktreePath: string };
  Stop: StopPayload;
  StopFailure: { readonly error: string; readonly errorDetails: string; readonly lastAssistantMessage: string };
  Notification: { readonly message: string; readonly notificationType: string };
  TaskCreated: { readonly taskId: string; readonly taskSubject: string; readonly taskDescription: string };
  TaskCompleted: { readonly taskId: string; readonly taskSubject: string; readonly taskDescription: string };
  /** An agent of a team found no task to claim. */
  TeammateIdle: { readonly teammateName: string; readonly teamName: string };
  Elicitation: {
    readonly message: string;
    readonly toolUseId: string;
    readonly requestedSchema: JsonValue;
    /** The MCP server that asks, when it is not the tool itself. */
    readonly mcpServerName?: string | undefined;
    /** `url`: the user is to open `url`. Default: `form`. */
    readonly mode?: "form" | "url" | undefined;
    readonly url?: string | undefined;
  };
  ElicitationResult: {
    readonly toolUseId: string;
    readonly action: "accept" | "decline" | "cancel";
    readonly content: JsonValue;
    readonly mcpServerName?: string | undefined;
  };
  CwdChanged: { readonly oldCwd: string; readonly newCwd: string };
  FileChanged: { readonly filePath: string; readonly event: "change" | "add" | "unlink" };
  PreModelSwitch: { readonly fromModel: string; readonly toModel: string };
  PostModelSwitch: { readonly fromModel: string; readonly toModel: string };
}

/** The input of a hook at one point. */
export type HookInput<P extends HookPoint = HookPoint> = {
  [K in P]: HookInputBase & { readonly hookEventName: K } & HookPayloads[K];
}[P];

/** The result of a hook; every field is optional, and nothing means "continue". */
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
