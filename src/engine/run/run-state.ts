import type { Answer } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import type { HarnessError } from "../../contracts/errors.js";
import { RunAbortedError } from "../../contracts/errors.js";
import type { EventOf, EventPayloads, EventType, NoticeCode } from "../../contracts/event.js";
import type { JsonValue } from "../../contracts/json.js";
import type { MessageOrigin } from "../../contracts/message.js";
import type { PromptSection, ProviderAdapter, ProviderRequest } from "../../contracts/provider.js";
import type { RunResult, RunStatus, Transition } from "../../contracts/run.js";
import type { SubagentDefinition } from "../../contracts/subagent.js";
import type { BaseTool, Registry, RootCall } from "../../contracts/tool.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { describeThrown } from "../../text/describe-thrown.js";
import type { Deadlines } from "../../time/deadlines.js";
import type { ClaimTable } from "../calls/claims.js";
import { Slots } from "../calls/concurrency-limit.js";
import type { CallRun } from "../calls/pending-call.js";
import type { ResolvedLimits } from "../options/limits.js";
import type { EngineConfig } from "../options/options.js";
import type { OutputSchema } from "../options/output-schema.js";
import { Recorder } from "../transcript/recorder.js";
import type { Transcript } from "../transcript/transcript.js";
import { Background } from "./abandoned-work.js";
import type { EventSink } from "./event-sink.js";
import { RunawayWatch } from "./loop-detector.js";
import { RunHooks } from "./run-hooks.js";
import { Meter } from "./usage-meter.js";

/** What is fixed when a run begins. */
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
  readonly provider: ProviderAdapter;
  readonly registry: Registry;
  readonly output: OutputSchema | null;
  readonly transcript: Transcript;
  readonly claims: ClaimTable;
  /** All that is timed in this run. */
  readonly deadlines: Deadlines;
  readonly sink: EventSink;
  readonly parent: RunState | null;
  /** The main agent's call that a sub-agent works for. */
  readonly rootCall?: RootCall;
  /** `null` where no further sub-agents are allowed. */
  readonly spawn: Spawn | null;
}

/** Runs a child agent on behalf of a call of `run`. */
export type Spawn = (
  run: RunState,
  call: CallRun,
  definition: SubagentDefinition,
  prompt: string | readonly ContentPart[],
) => Promise<RunResult>;

/** Text that goes to the model at the next turn, and who wrote it. */
export interface QueuedMessage {
  readonly content: readonly ContentPart[];
  readonly origin: MessageOrigin;
}

/** Everything one run owns. It travels through the whole loop. */
export class RunState {
  readonly config: EngineConfig;
  readonly limits: ResolvedLimits;
  readonly id: string;
  readonly sessionId: string;
  readonly transcriptId: string;
  readonly agentPath: readonly string[];
  readonly provider: ProviderAdapter;
  readonly registry: Registry;
  readonly transcript: Transcript;
  readonly recorder: Recorder;
  readonly claims: ClaimTable;
  readonly deadlines: Deadlines;
  readonly background: Background;
  readonly hooks: RunHooks;
  readonly meter: Meter;
  readonly watch: RunawayWatch;
  readonly slots: Slots;
  /** System prompt and tools of the current epoch. */
  system: readonly PromptSection[] = [];
  tools: readonly ToolDefinition[] = [];
  /** Those of the tools that may have something to remind the model of. */
  remindingTools: readonly BaseTool[] = [];
  /** What every request of the epoch is; made when first needed. */
  request: ProviderRequest | null = null;
  turn = 0;
  transition: Transition = "next-turn";
  /** How the run ends, once something from outside has ended it. */
  ending: { readonly status: RunStatus; readonly error?: HarnessError } | null = null;
  /** How the run has ended; `null` while it is under way. */
  ended: RunStatus | null = null;
  /** What `stop()` interrupts first: the model call, or the calls of its message. Each takes the other's place. */
  underWay: { interrupt(): void } | null = null;
  /** The calls of the newest message. Those that wait for the host are answered if the run is ended after all. */
  lastBatch: { interrupt(): void } | null = null;
  /** Ends the run at the next boundary of turns, when a hook has asked for it. */
  stopAfterTurn: { readonly reason: string } | null = null;
  readonly steering: QueuedMessage[] = [];
  readonly followUps: QueuedMessage[] = [];
  /** What hooks want the model to be told after this turn. */
  readonly contexts: string[] = [];
  compactionRequest: { readonly focus?: string } | null = null;
  stopContinuations = 0;
  outputRetries = 0;
  outputContinuations = 0;
  recoveries = 0;
  emptyRetried = false;
  budgetTold = false;
  output: { readonly value: unknown } | null = null;
  outputProblem = "";
  readonly #startedAt = performance.now();
  /** Text of a final answer that was cut off by the output limit and continued. */
  answerSoFar = "";
  answerText = "";
  /** Input tokens of the newest model call and the number of messages it was sent. */
  sent: { readonly inputTokens: number; readonly messageCount: number } | null = null;
  lastUsage: { readonly usage: Meter["usage"]; readonly messageCount: number } | undefined;
  readonly #onStop = new Set<() => void>();
  #controller: AbortController | undefined;
  #isLetGo = false;

  constructor(readonly setup: RunSetup) {
    this.config = setup.config;
    this.limits = setup.limits;
    this.id = setup.runId;
    this.sessionId = setup.sessionId;
    this.transcriptId = setup.transcriptId;
    this.agentPath = setup.agentPath;
    this.provider = setup.provider;
    this.registry = setup.registry;
    this.transcript = setup.transcript;
    this.claims = setup.claims;
    this.deadlines = setup.deadlines;
    const { store, runtime, runaway } = setup.config;
    this.recorder = new Recorder(this.transcript, store, this.transcriptId, this.id, runtime);
    this.recorder.onFailure = (failure) => this.stop("failed", failure);
    const { abandonMs } = this.limits;
    this.background = new Background(this.deadlines, abandonMs, (label, code) =>
      this.notice(code, `${label} did not end ${abandonMs} ms after it was given up; it was left behind.`),
    );
    this.hooks = new RunHooks(this);
    this.meter = new Meter(this.limits, setup.parent?.meter ?? null);
    this.watch = new RunawayWatch(runaway);
    this.slots = new Slots(this.limits.maxConcurrentTools || Number.POSITIVE_INFINITY);
  }

  /** Created when first read; aborts when the run is ended from outside. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.ending) this.#controller.abort(this.stopError);
    }
    return this.#controller.signal;
  }

  /** Ends the run from outside its course; the first one wins. Everything that waits on behalf of the run is released. */
  stop(status: RunStatus, error?: HarnessError): void {
    if (this.ending) return;
    this.ending = { status, error };
    this.#controller?.abort(this.stopError);
    this.underWay?.interrupt();
    for (const release of [...this.#onStop]) release();
  }

  /** The status the run has been ended with from outside, if it has. A method, since anything may end it meanwhile. */
  endedAs(): RunStatus | null {
    return this.ending?.status ?? null;
  }

  /** Calls `release` when the run is ended from outside, and when it is let go; returns what takes it back. */
  onStop(release: () => void): () => void {
    this.#onStop.add(release);
    return () => this.#onStop.delete(release);
  }

  /**
   * Resolves with the promise's value, or with `undefined` as soon as the run is ended from outside. What is then left
   * behind is watched under `label`.
   */
  unlessStopped<T>(promise: Promise<T>, label: string): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.background.watch(promise, label);
        resolve(undefined);
      };
      if (this.ending) return leave();
      const forget = this.onStop(leave);
      promise.then(resolve, reject).finally(forget);
    });
  }

  /** How much of the run's time is over: 1 is all of it. */
  elapsedShare(): number {
    const { deadlineMs } = this.limits;
    const own = deadlineMs === undefined ? 0 : (performance.now() - this.#startedAt) / deadlineMs;
    return Math.max(own, this.setup.parent?.elapsedShare() ?? 0);
  }

  /** Why the run was ended from outside, as an error. */
  get stopError(): HarnessError {
    return this.ending?.error ?? new RunAbortedError(this.ending?.status ?? "it has ended");
  }

  /** Whether anybody listens to this type of event. Ask before building a payload on a hot path. */
  hears(type: EventType): boolean {
    return this.setup.sink.hears(type);
  }

  emit<T extends EventType>(type: T, payload: EventPayloads[T]): void {
    const { sink } = this.setup;
    if (!sink.hears(type)) return;
    // The payload comes last: copying objects of many shapes into a known one is eight times as fast as the reverse.
    const event = {
      type,
      runId: this.id,
      sessionId: this.sessionId,
      turn: this.turn,
      agentPath: this.agentPath,
      at: this.config.runtime.now(),
      ...payload,
    };
    sink.send(event as unknown as EventOf<T>);
  }

  // The kinds there are most of are written out: copying their payload is a tenth of a delta's way to the consumer.

  emitText(type: "text-delta" | "reasoning-delta", text: string): void {
    const { sink } = this.setup;
    if (!sink.hears(type)) return;
    const { id: runId, sessionId, turn, agentPath } = this;
    sink.send({ type, runId, sessionId, turn, agentPath, at: this.config.runtime.now(), text });
  }

  emitInput(index: number, json: string): void {
    const type = "tool-input-delta";
    const { sink } = this.setup;
    if (!sink.hears(type)) return;
    const { id: runId, sessionId, turn, agentPath } = this;
    sink.send({ type, runId, sessionId, turn, agentPath, at: this.config.runtime.now(), index, json });
  }

  notice(code: NoticeCode, message: string, details?: JsonValue): void {
    this.emit("notice", { code, message, ...(details !== undefined && { details }) });
  }

  /** Brings what is recorded to the store. `false`: it failed, and the run is being ended for it. */
  commit(): Promise<boolean> {
    return this.recorder.commit();
  }

  /** Whether nobody waits any more for what the run has left behind. */
  get isLetGo(): boolean {
    return this.#isLetGo;
  }

  /** Called when the run is idle: whatever was left behind is told so, and no timer stays. */
  letGo(): void {
    this.#isLetGo = true;
    this.deadlines.clear();
    this.hooks.letGo();
    if (this.background.hasAbandoned) this.#controller?.abort(this.stopError);
    for (const release of [...this.#onStop]) release();
  }

  /** Hands what an answer wants remembered to the gate. */
  async remember(answer: Answer): Promise<void> {
    if (!("decision" in answer) || !answer.remember?.length) return;
    try {
      await this.config.gate.remember?.(answer.remember, { sessionId: this.sessionId });
    } catch (error) {
      this.notice("INTERNAL", `The gate could not remember an answer: ${describeThrown(error)}`);
    }
  }

  /** Appends a user message that tells the model something. */
  tell(text: string, origin: MessageOrigin): void {
    this.appendUser({ content: [{ type: "text", text }], origin });
  }

  appendUser({ content, origin }: QueuedMessage): void {
    const parts = Object.freeze(content.map((part) => Object.freeze({ ...part })));
    const message = Object.freeze({ role: "user" as const, content: parts, ...(origin !== "user" && { origin }) });
    this.recorder.record({ type: "message", message });
  }
}
