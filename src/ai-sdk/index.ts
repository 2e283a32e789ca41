export { type ForeignHarness, type HarnessSubagentOptions, harnessSubagent } from "./harness-subagent.js";
export type {
  Harness,
  HarnessCommonName,
  HarnessContinueState,
  HarnessControl,
  HarnessFinishReason,
  HarnessPart,
  HarnessPermissionMode,
  HarnessPrompt,
  HarnessResumeState,
  HarnessSchema,
  HarnessSession,
  HarnessSkill,
  HarnessStart,
  HarnessTool,
  HarnessTurnRequest,
  HarnessUsage,
  HostResult,
  HostTool,
} from "./harness-v1.js";
export { type HarnessOptions, loopwrightHarness } from "./loopwright-harness.js";
export { harnessStateOf } from "./session-state.js";
