// The payload of each hook point, beside the fields of all of them.
import type { JsonValue } from "./json.js";
import type { PermissionUpdate } from "./permission.js";
import type { FinishReason, Usage } from "./usage.js";

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

/** The tokens that the next request sends once more, where the provider has counted them and nothing has replaced them since. */
interface SentAgain {
  /** Input and output of the session's last model call. Unit: tokens. */
  readonly contextTokens?: number | undefined;
  /** The cost of writing all of them to a cache again, without the response; absent where the price is not known. Unit: US dollars. */
  readonly estimatedCacheWriteUsd?: number | undefined;
}

interface ModelSwitch extends SentAgain {
  readonly fromModel: string;
  readonly toModel: string;
  /** With an estimate: whether it goes by the host's prices or by those that the provider knows. */
  readonly pricing?: "configured" | "catalog" | undefined;
}

interface TaskNotice {
  readonly taskId: string;
  readonly taskSubject: string;
  readonly taskDescription: string;
  /** The teammate that has completed it. */
  readonly teammateName?: string | undefined;
  readonly teamName?: string | undefined;
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
  SessionStart: SentAgain & {
    readonly source: "startup" | "resume" | "compact";
    readonly model: string;
    /** With `resume`: since the session's last message of a model. Unit: seconds. */
    readonly secondsSinceLastResponse?: number | undefined;
  };
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
    /** The exit code of a command that ran to its end. */
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
  /** `title`: what the tool calls the call that it is about. */
  Notification: {
    readonly message: string;
    readonly notificationType: string;
    readonly title?: string | undefined;
  };
  TaskCreated: TaskNotice;
  TaskCompleted: TaskNotice;
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
    /** The server's name for that request, of `url`. */
    readonly elicitationId?: string | undefined;
  };
  ElicitationResult: {
    readonly toolUseId: string;
    readonly action: "accept" | "decline" | "cancel";
    readonly content: JsonValue;
    readonly mcpServerName?: string | undefined;
    readonly mode?: "form" | "url" | undefined;
    readonly elicitationId?: string | undefined;
  };
  CwdChanged: { readonly oldCwd: string; readonly newCwd: string };
  FileChanged: { readonly filePath: string; readonly event: "change" | "add" | "unlink" };
  PreModelSwitch: ModelSwitch;
  PostModelSwitch: ModelSwitch;
}
