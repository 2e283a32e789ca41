export {
  type RecordedRequest,
  type ScriptedContent,
  type ScriptedOptions,
  type ScriptedPiece,
  type ScriptedProvider,
  type ScriptedToolCall,
  type ScriptedTurn,
  scripted,
  type Turn,
  type TurnFunction,
  type TurnSettings,
  text,
  toolCall,
} from "../providers/scripted/index.js";
export type { ReplayDivergence } from "./cassette/cassette-player.js";
export { type RunRecording, recordRun } from "./cassette/record-run.js";
export { type ReplayOptions, type ReplayVerdict, type RunReplay, replayRun } from "./cassette/replay-run.js";
export type { ContractCase } from "./contract-case.js";
export { evaluate } from "./evaluation/evaluate.js";
export type {
  AgentAnswer,
  CaseResult,
  CaseScore,
  CaseSummary,
  Estimate,
  EvaluatedCall,
  EvaluatedRun,
  EvaluationAgent,
  EvaluationCase,
  EvaluationContext,
  EvaluationOptions,
  EvaluationReport,
  PromptRunner,
  Score,
  Scorer,
  ScoreSummary,
} from "./evaluation/evaluation.js";
export { type JudgeOptions, judged } from "./evaluation/judged.js";
export { contains, exact, noErrors, type ToolsCalledOptions, toolsCalled } from "./evaluation/scorers.js";
export { type FakeRuntime, type FakeRuntimeOptions, fakeRuntime } from "./fake-runtime.js";
export { type GateContractSamples, gateContract } from "./gate/gate-contract.js";
export { harnessContract } from "./harness/harness-contract.js";
export type { HarnessContractParts, HarnessOfParts } from "./harness/harness-place.js";
export type { ProviderFeature, ProviderScenario } from "./provider/contract-scenarios.js";
export { type ProviderContractOptions, providerContract } from "./provider/provider-contract.js";
export { factStoreContract } from "./stores/fact-store-contract.js";
export { sessionStoreContract } from "./stores/session-store-contract.js";
export { taskStoreContract } from "./stores/task-store-contract.js";
export { usageStoreContract } from "./stores/usage-store-contract.js";
export { FakeSuspension, type FakeToolContext, fakeToolContext } from "./tool/fake-tool-context.js";
export { type ToolContractSamples, toolContract } from "./tool/tool-contract.js";
export {
  createMemoryWorkspace,
  type MemoryWorkspace,
  type MemoryWorkspaceOptions,
} from "./workspace/memory-workspace.js";
export { workspaceContract } from "./workspace/workspace-contract.js";
