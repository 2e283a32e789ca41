export { type DeferToolsOptions, deferTools } from "./deferred-tools/defer-tools.js";
export type { RankedTool, RankTools } from "./deferred-tools/tool-finder.js";
export { mcpToolNames } from "./tool-name.js";
