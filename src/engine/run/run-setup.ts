import type { StartedSubagent } from "../../contracts/event.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import type { RunGiven } from "../../contracts/session.js";
import type { Registry, ToolContext } from "../../contracts/tool.js";
import type { RootCall } from "../../contracts/tool-call.js";
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
  /** When the run was asked for, by `performance.now()`. */
  readonly askedAt: number;
  readonly parent: RunState | null;
  /** The main agent's call that a sub-agent works for. */
  readonly rootCall?: RootCall | undefined;
  /** The run and call that have started a sub-agent. */
  readonly spawnedBy?: StartedSubagent["parent"] | undefined;
  readonly children: RunChildren<RunState>;
  /** The caller's context, for a call outside any run: the tool is offered the same, instead of a run's own offers. */
  readonly caller?: ToolContext | undefined;
  /** Tokens the run should use. */
  readonly tokenBudget?: number | undefined;
  /** The sub-agents of the session. */
  readonly roster: () => Roster;
}
