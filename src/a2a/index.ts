export { type A2aToolOptions, a2aTool } from "./client/a2a-tool.js";
export type { A2aCaller, A2aRunOptions } from "./server/a2a-caller.js";
export type { A2aCard, A2aSkill } from "./server/agent-card.js";
export { type ServeA2aOptions, serveA2a } from "./server/serve-a2a.js";
