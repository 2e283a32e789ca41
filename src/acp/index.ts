export type { AcpEditor } from "./client-side.js";
export type { EditorUse } from "./editor/editor-workspace.js";
export { type AcpAgent, type AcpServer, type ServeAcpOptions, serveAcp } from "./serve-acp.js";
export type { AcpCommand } from "./session/commands.js";
export type { AcpMcpServer, AcpSession } from "./session/session-info.js";
export type { AcpInput, AcpOutput } from "./standard-streams.js";
export { type AcpSubagentOptions, acpSubagent } from "./subagent/acp-subagent.js";
