// The events of Claude Code's hook protocol and the names of their fields, as its types of 2026-11 (0.3.332) have them.

/** Fields of every input. */
export const BASE_INPUT = "session_id transcript_path cwd prompt_id permission_mode agent_id agent_type effort";
/** Fields of every answer. */
export const BASE_OUTPUT =
  "continue suppressOutput stopReason decision systemMessage terminalSequence reason hookSpecificOutput";

/** Fields of each event: of its input, and of what an answer holds for it in `hookSpecificOutput`. */
export const PROTOCOL: Readonly<Record<string, { readonly input: string; readonly output: string }>> = {
  PreToolUse: {
    input: "tool_name tool_input tool_use_id mcp_server",
    output: "permissionDecision permissionDecisionReason updatedInput additionalContext",
  },
  PostToolUse: {
    input: "tool_name tool_input tool_response tool_use_id duration_ms mcp_server",
    output: "additionalContext classifierContext updatedToolOutput updatedMCPToolOutput",
  },
  PostToolUseFailure: {
    input: "tool_name tool_input tool_use_id error is_interrupt duration_ms mcp_server",
    output: "additionalContext",
  },
  PostToolBatch: { input: "tool_calls", output: "additionalContext" },
  Notification: { input: "message title notification_type", output: "additionalContext" },
  UserPromptSubmit: {
    input: "prompt source session_title",
    output: "additionalContext sessionTitle suppressOriginalPrompt",
  },
  UserPromptExpansion: {
    input: "expansion_type command_name command_args command_source prompt",
    output: "additionalContext suppressOriginalPrompt",
  },
  SessionStart: {
    input:
      "source agent_type model session_title seconds_since_last_response context_tokens prompt_cache_likely_expired estimated_cache_write_usd",
    output: "additionalContext initialUserMessage sessionTitle watchPaths reloadSkills",
  },
  SessionEnd: { input: "reason", output: "" },
  Stop: {
    input: "stop_hook_active last_assistant_message background_tasks session_crons",
    output: "additionalContext",
  },
  StopFailure: { input: "error error_details last_assistant_message", output: "" },
  SubagentStart: { input: "agent_id agent_type", output: "additionalContext" },
  SubagentStop: {
    input:
      "stop_hook_active agent_id agent_transcript_path agent_type last_assistant_message background_tasks session_crons",
    output: "additionalContext",
  },
  PreCompact: { input: "trigger custom_instructions", output: "" },
  PostCompact: { input: "trigger compact_summary", output: "" },
  PreModelSwitch: {
    input:
      "from_model to_model requested_model source context_tokens prompt_cache_warm cache_ttl estimated_cache_write_usd pricing",
    output: "permissionDecision permissionDecisionReason",
  },
  PostModelSwitch: {
    input:
      "from_model to_model requested_model source context_tokens prompt_cache_warm cache_ttl estimated_cache_write_usd pricing",
    output: "additionalContext",
  },
  PermissionRequest: { input: "tool_name tool_input permission_suggestions mcp_server", output: "decision" },
  PermissionDenied: { input: "tool_name tool_input tool_use_id reason mcp_server", output: "retry" },
  Setup: { input: "trigger", output: "additionalContext" },
  TeammateIdle: { input: "teammate_name team_name", output: "" },
  TaskCreated: { input: "task_id task_subject task_description teammate_name team_name", output: "" },
  TaskCompleted: { input: "task_id task_subject task_description teammate_name team_name", output: "" },
  Elicitation: { input: "mcp_server_name message mode url elicitation_id requested_schema", output: "action content" },
  ElicitationResult: { input: "mcp_server_name elicitation_id mode action content", output: "action content" },
  ConfigChange: { input: "source file_path", output: "" },
  WorktreeCreate: { input: "name", output: "worktreePath" },
  WorktreeRemove: { input: "worktree_path", output: "" },
  InstructionsLoaded: {
    input: "file_path memory_type load_reason globs trigger_file_path parent_file_path",
    output: "",
  },
  CwdChanged: { input: "old_cwd new_cwd", output: "watchPaths" },
  FileChanged: { input: "file_path event", output: "watchPaths" },
  DirectoryAdded: { input: "directory source", output: "" },
  MessageDisplay: { input: "turn_id message_id index final delta", output: "displayContent" },
  PreSkillShellCommand: {
    input: "tool_name tool_input tool_use_id command_name command_source invoked_by",
    output: "permissionDecision permissionDecisionReason updatedInput",
  },
};
