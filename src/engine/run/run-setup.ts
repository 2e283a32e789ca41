import type { StartedSubagent } from "../../contracts/event.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import type { RunGiven } from "../../contracts/session.js";
import type { Registry, ToolContext } from "../../contracts/tool.js";
import type { RootCall, ToolCall, ToolResult } from "../../contracts/tool-call.js";
import type { Deadlines } from "../../time/deadlines.js";
import type { ResolvedLimits } from "../options/limits.js";
import type { EngineConfig } from "../options/options.js";
import type { OutputSchema } from "../options/output-schema.js";
import type { Transcript } from "../transcript/transcript.js";
import type { ClaimTable } from "./claims.js";
import type { EventSink } from "./event-sink.js";
import type { Roster } from "./roster.js";
import type { RunChildren } from "./run-parts.js";
import type { RunState } from "./run-state.js";

/** Calls that a tool makes, rather than a model. They have a record of their own; towards tools and gate they are their agent's. */
export interface NestedPlace {
  /** The call whose tool makes them. */
  readonly caller: { readonly tool: string; readonly toolCallId: string };
  /** The session of their record, and the run id of its entries. */
  readonly recordId: string;
  readonly recordedAs: string;
  /** The number of a call among all that its tool has made, from 1. */
  numberOf(toolCallId: string): number;
  /** Keeps the whole of a result that is cut, or has a value. Resolves with the result as it is recorded. */
  keepWhole(call: ToolCall, outcome: ToolResult): Promise<ToolResult>;
}

/** The settings that are fixed when a run begins. */
export interface RunSetup {
  readonly config: EngineConfig;
  readonly limits: ResolvedLimits;
  readonly runId: string;
  /** The root run's session. */
  readonly sessionId: string;
  readonly transcriptId: string;
  readonly agentPath: readonly string[];
  readonly app: unknown;
  readonly mode: EngineConfig["mode"];
  /** The mode is that of the run's own options. */
  readonly isModeStated?: boolean | undefined;
  /** The run's own options that are recorded. */
  readonly given?: RunGiven | undefined;
  /** The setup with these recorded options, too, where the run's own options do not state them. A sub-agent has its parent's. */
  readonly withGiven?: ((kept: RunGiven) => RunSetup) | undefined;
  readonly provider: ProviderAdapter;
  readonly registry: Registry;
  readonly output: OutputSchema | null;
  readonly transcript: Transcript;
  readonly claims: () => ClaimTable;
  /** All that is timed in this run. */
  readonly deadlines: Deadlines;
  readonly sink: EventSink;
  /** The moment at which the run was asked for, by `performance.now()`. */
  readonly askedAt: number;
  readonly parent: RunState | null;
  /** Whether a sub-agent may use a tool of the vendor's server. Absent: all of them. */
  readonly mayUseServerTool?: ((name: string) => boolean) | undefined;
  /** The main agent's call that a sub-agent works for. */
  readonly rootCall?: RootCall | undefined;
  /** The run and call that have started a sub-agent. */
  readonly spawnedBy?: StartedSubagent["parent"] | undefined;
  readonly children: RunChildren<RunState>;
  /** Its calls are made by a tool of its parent, which is their agent. */
  readonly nested?: NestedPlace | undefined;
  /** The caller's context, for a call outside any run: the tool is offered the same, instead of a run's own offers. */
  readonly caller?: ToolContext | undefined;
  /** Tokens the run should use. */
  readonly tokenBudget?: number | undefined;
  /** The sub-agents of the session. */
  readonly roster: () => Roster;
}
