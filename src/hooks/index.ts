export { type AgentHookOptions, agentHook } from "./agent-hook.js";
export { type CommandHookOptions, commandHook } from "./command-hook.js";
export { type HttpHookOptions, httpHook } from "./http-hook.js";
export { type McpToolCaller, type McpToolHookOptions, mcpToolHook } from "./mcp-tool-hook.js";
export { type PromptHookOptions, promptHook } from "./prompt-hook.js";
export {
  type InertSetting,
  type LoadSettingsOptions,
  loadSettings,
  type Settings,
  type SettingsRules,
  type SettingsSource,
} from "./settings.js";
export type { SettingsProblem } from "./settings-file.js";
export type { SettingsChange, SettingsWatch, WatchSettingsOptions } from "./settings-watch.js";
export { createTranscriptFiles, type TranscriptFileOptions, type TranscriptFiles } from "./transcript-files.js";
export type { WireContext } from "./wire.js";
