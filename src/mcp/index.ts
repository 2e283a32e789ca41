export type { ReconnectOptions } from "./client/backoff.js";
export type { McpConnection, McpStatus } from "./client/connection.js";
export type {
  McpElicitation,
  McpElicitationAnswer,
  McpSampling,
  McpSamplingAnswer,
  McpSamplingMessage,
} from "./client/host-answers.js";
export type { DefinitionMemory } from "./client/toolbox.js";
export {
  type LoadMcpConfigOptions,
  loadMcpConfig,
  type McpConfig,
  type McpConfigProblem,
} from "./config/load-mcp-config.js";
export { type ConnectMcpOptions, connectMcp, type McpCommandServer, type McpUrlServer } from "./connect-mcp.js";
export { type DeferToolsOptions, deferTools } from "./deferred-tools/defer-tools.js";
export type { RankedTool, RankTools } from "./deferred-tools/tool-finder.js";
export { type McpInstructionsOptions, mcpInstructions } from "./instructions-source.js";
export { createMcpRegistry } from "./mcp-registry.js";
export type { McpAgentTool } from "./server/agent-source.js";
export type { McpHttpOptions } from "./server/http-server.js";
export { type McpServer, type ServeMcpOptions, serveMcp } from "./server/serve-mcp.js";
export { createMcpAuth, type McpAuth, type McpAuthOptions, type McpAuthStore } from "./sign-in/oauth.js";
export { mcpToolCaller } from "./tool-caller.js";
export { mcpToolNames } from "./tool-name.js";
