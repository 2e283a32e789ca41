// Parts of a run that are plain data, and the run's own view of parts that know the run.
import type { ContentPart } from "../../contracts/content.js";
import type { PromptSection, ProviderRequest } from "../../contracts/provider.js";
import type { RunResult } from "../../contracts/run.js";
import type { SubagentDefinition, SubagentInfo } from "../../contracts/subagent.js";
import type { BackgroundSubagents, BaseTool, SpawnOptions } from "../../contracts/tool.js";
import type { NestedCalls, ToolDefinition, ToolResult } from "../../contracts/tool-call.js";
import type { SpawningCall } from "./call-children.js";

/** The beginning of every request of the current epoch. */
export interface EpochPrompt {
  system: readonly PromptSection[];
  tools: readonly ToolDefinition[];
  /** Tools that no model calls, where the provider has programs that may. */
  forPrograms?: readonly ToolDefinition[];
  /** The tools that may have a reminder for the model. */
  remindingTools: readonly BaseTool[];
  /** The provider's server tools that are offered; `null` until they are first asked about. */
  serverTools: readonly string[] | null;
  /** The same object for every request of the epoch, since its arrays grow by themselves; made when first needed. */
  request: ProviderRequest | null;
}

/** The final answer as far as it is known. */
export interface AnswerDraft {
  /** The model's last text. */
  text: string;
  /** The part of it that was cut off by the output limit and is being continued. */
  before: string;
  /** The validated structured answer, once there is one. */
  output: { readonly value: unknown } | null;
  /** The reason why the text does not fit the output schema, in the model's words. */
  problem: string;
}

/** The calls of one message. */
export interface LastCalls {
  readonly calls: readonly { readonly result: ToolResult | undefined }[];
  /** Settles every open call as `aborted`. */
  interrupt(): void;
}

type SpawnArguments = [definition: SubagentDefinition, prompt: string | readonly ContentPart[], options?: SpawnOptions];

/** The way a run starts sub-agents, whose runs are made of the same parts. */
export interface RunChildren<Run> {
  readonly spawn: (run: Run, call: SpawningCall, ...spawned: SpawnArguments) => Promise<RunResult>;
  readonly inBackground: (run: Run) => BackgroundRuns;
  /** The way a call's tool makes calls of its own. */
  readonly calls: (run: Run, call: SpawningCall) => NestedCalls;
}

/** The sub-agents that one run has in the background. */
export interface BackgroundRuns extends Omit<BackgroundSubagents, "start"> {
  /** Starts one under a call; a call that is entered again has started it already. @throws ToolError `SUBAGENT_DEPTH` */
  start(call: SpawningCall, ...spawned: SpawnArguments): Promise<SubagentInfo>;
  /** Goes on with those that an earlier run of the session has left unfinished. */
  restart(): void;
  /** Resolves when the model has something to read, the run is ended, or none is at work. */
  nextNews(): Promise<void>;
  /** Called when the run ends: those at work are stopped, and go on when the session is used again. */
  leave(): Promise<void>;
}
