import type { Answer } from "../../contracts/approval.js";
import type { CompactionReport } from "../../contracts/context.js";
import type { HarnessError } from "../../contracts/errors.js";
import type { EventOf, EventPayloads, EventType, NoticeCode } from "../../contracts/event.js";
import type { JsonValue } from "../../contracts/json.js";
import type { MessageOrigin } from "../../contracts/message.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import type { RunStatus, Transition } from "../../contracts/run.js";
import type { Registry } from "../../contracts/tool.js";
import { describeThrown } from "../../text/describe-thrown.js";
import type { Deadlines } from "../../time/deadlines.js";
import type { ResolvedLimits } from "../options/limits.js";
import type { EngineConfig } from "../options/options.js";
import { Recorder } from "../transcript/recorder.js";
import type { Transcript } from "../transcript/transcript.js";
import { AbandonedWork, patienceOf } from "./abandoned-work.js";
import { type ClaimTable, ConcurrencyLimit } from "./claims.js";
import { Inbox, type QueuedMessage } from "./inbox.js";
import { LoopDetector } from "./loop-detector.js";
import { RunHooks } from "./run-hooks.js";
import { RunLifetime } from "./run-lifetime.js";
import type { AnswerDraft, BackgroundRuns, EpochPrompt, LastCalls } from "./run-parts.js";
import type { RunSetup } from "./run-setup.js";
import { TokenBudget } from "./token-budget.js";
import { Retries, UsageMeter } from "./usage-meter.js";

/** Overflow recoveries in a row: more than any policy has stages. */
const MAX_OVERFLOW_RECOVERIES = 8;
/** The number of times that a final answer cut off by the output limit is continued. */
const MAX_OUTPUT_CONTINUATIONS = 3;

function retriesWithin({ maxStopContinuations, maxOutputRetries }: ResolvedLimits): Retries {
  return new Retries({
    "stop-hook": maxStopContinuations,
    "output-retry": maxOutputRetries,
    "overflow-recovery": MAX_OVERFLOW_RECOVERIES,
    "output-limit-continuation": MAX_OUTPUT_CONTINUATIONS,
    "empty-response-retry": 1,
  });
}

function meterOf({ limits, config, provider, parent }: RunSetup): UsageMeter {
  return new UsageMeter(limits, config.prices ?? provider.prices, parent?.meter ?? null);
}

/** Everything one run owns, in parts. It travels through the whole loop. */
export class RunState {
  readonly config: EngineConfig;
  readonly id: string;
  readonly sessionId: string;
  readonly transcriptId: string;
  /** The session that its entries go to: its transcript's, except for calls that a tool makes. */
  readonly recordId: string;
  readonly agentPath: readonly string[];
  readonly registry: Registry;
  readonly transcript: Transcript;
  readonly deadlines: Deadlines;

  readonly recorder: Recorder;
  readonly abandoned: AbandonedWork;
  readonly lifetime: RunLifetime;
  /** The messages to the model: in calls that a tool makes, to that of their agent. */
  readonly inbox: Inbox;

  // The settings that a resume may get back from the session: see `adopt`.
  limits!: ResolvedLimits;
  provider!: ProviderAdapter;
  retries!: Retries;
  meter!: UsageMeter;
  tokenBudget!: TokenBudget | null;

  readonly prompt: EpochPrompt = { system: [], tools: [], remindingTools: [], serverTools: null, request: null };
  readonly answer: AnswerDraft = { text: "", before: "", output: null, problem: "" };

  turn = 0;
  /** A turn has begun whose end has not been reported. */
  isTurnOpen = false;
  /** Follows the last turn. At its end a run has its status here; one that only did one thing in its session has none. */
  transition: Transition = "next-turn";
  /** A hook has asked for the run to end at the next boundary of turns. */
  stopAfterTurn: { readonly reason: string } | null = null;
  /** The calls of the newest message while one of them is open; they are settled if the run is ended after all. */
  lastCalls: LastCalls | null = null;
  readonly compactions: CompactionReport[] = [];
  /** Settles when the store has answered what was given up: the session stays this run's until then. `null`: it is free. */
  held: Promise<void> | null = null;

  constructor(public setup: RunSetup) {
    const { config, parent, nested } = setup;
    this.config = config;
    this.id = setup.runId;
    this.sessionId = setup.sessionId;
    this.transcriptId = setup.transcriptId;
    this.agentPath = setup.agentPath;
    this.registry = setup.registry;
    this.transcript = setup.transcript;
    this.deadlines = setup.deadlines;
    this.recordId = nested?.recordId ?? setup.transcriptId;
    this.inbox = nested ? parent!.inbox : new Inbox();
    const recordedAs = nested?.recordedAs ?? this.id;
    this.recorder = new Recorder(this.transcript, config.store, this.recordId, recordedAs, config.runtime);
    this.recorder.onFailure = (failure) => this.stop("failed", failure);
    this.recorder.patience = (giveUp) => {
      const patienceMs = patienceOf(this.limits);
      const deadline = this.deadlines.add(patienceMs, () => {
        this.abandoned.report("The session store's append()");
        giveUp(`the store did not answer within ${patienceMs} ms`);
      });
      return () => this.deadlines.remove(deadline);
    };
    const abandonMs = () => this.limits.abandonMs;
    this.abandoned = new AbandonedWork(this.deadlines, abandonMs, (label, code) =>
      this.notice(code, `${label} did not end within ${abandonMs()} ms after it was given up; it was left behind.`),
    );
    this.lifetime = new RunLifetime(
      () => this.limits,
      this.deadlines,
      this.abandoned,
      parent?.lifetime ?? null,
      setup.askedAt,
    );
    this.#bind(setup);
  }

  #bind(setup: RunSetup): void {
    this.limits = setup.limits;
    this.provider = setup.provider;
    this.retries = retriesWithin(setup.limits);
    this.meter = meterOf(setup);
    this.tokenBudget = setup.tokenBudget === undefined ? null : new TokenBudget(setup.tokenBudget, this.meter);
  }

  /** Takes what a resumed run was given when it began. Nothing of the run has begun, and nothing but its deadline is timed. */
  adopt(setup: RunSetup): void {
    const { limits, mode, output, provider, given, askedAt } = setup;
    this.setup = { ...this.setup, limits, mode, output, provider, given };
    this.#bind(setup);
    this.deadlines.clear();
    if (limits.deadlineMs === undefined) return;
    this.deadlines.add(limits.deadlineMs - (performance.now() - askedAt), () => this.stop("deadline"));
  }

  /** The main agent's run, of which this is a part. */
  get root(): RunState {
    return this.setup.parent?.root ?? this;
  }

  /** The run whose model has made the call that this is part of: itself, unless a tool makes its calls. */
  get agent(): RunState {
    return this.setup.nested ? this.setup.parent!.agent : this;
  }

  // ── what is made when a run first needs it ────────────────────────────────────────────────────────────────────

  get hooks(): RunHooks {
    this.#hooks ??= new RunHooks(this);
    return this.#hooks;
  }

  get loops(): LoopDetector {
    this.#loops ??= new LoopDetector(this.config.runaway);
    return this.#loops;
  }

  /** The claims of its calls, and of those of the session's earlier runs. */
  get claims(): ClaimTable {
    this.#claims ??= this.setup.claims();
    return this.#claims;
  }

  /** The number of its calls that may be at work at once. */
  get slots(): ConcurrencyLimit {
    this.#slots ??= new ConcurrencyLimit(this.limits.maxConcurrentTools || Number.POSITIVE_INFINITY);
    return this.#slots;
  }

  #hooks: RunHooks | undefined;
  #loops: LoopDetector | undefined;
  #claims: ClaimTable | undefined;
  #slots: ConcurrencyLimit | undefined;

  // ── who works beside it ───────────────────────────────────────────────────────────────────────────────────────

  /** Its sub-agents in the background; `null` until there is one. */
  backgroundOrNull: BackgroundRuns | null = null;

  get background(): BackgroundRuns {
    this.backgroundOrNull ??= this.setup.children.inBackground(this);
    return this.backgroundOrNull;
  }

  // ── how it ends ───────────────────────────────────────────────────────────────────────────────────────────────

  /** Ends the run from outside; the first call wins. */
  stop(status: RunStatus, error?: HarnessError): void {
    this.lifetime.stop(status, error);
    this.recorder.hurry();
  }

  /** Ends the run at the next boundary of turns, because a hook has asked for it before anything else had ended the run. */
  stopByHook(reason: string): void {
    if (!this.lifetime.ending) this.stopAfterTurn ??= { reason };
  }

  /** The status the run has been ended with from outside, if it has. A method, since anything may end it meanwhile. */
  endedAs(): RunStatus | null {
    return this.lifetime.ending?.status ?? null;
  }

  /** Called when the run is idle: whatever was left behind is aborted, and no timer stays. */
  dispose(): void {
    this.lifetime.dispose();
    this.#hooks?.dispose();
    this.deadlines.clear();
  }

  // ── what it reports ───────────────────────────────────────────────────────────────────────────────────────────

  /** Whether anybody listens to this type of event. Ask before building a payload on a hot path. */
  hasListeners(type: EventType): boolean {
    return this.setup.sink.hasListeners(type);
  }

  emit<T extends EventType>(type: T, payload: EventPayloads[T]): void {
    const { sink } = this.setup;
    if (!sink.hasListeners(type)) return;
    // The payload comes last: copying objects of many shapes into a known one is eight times as fast as the reverse.
    const event = {
      type,
      runId: this.id,
      sessionId: this.sessionId,
      turn: this.turn,
      agentPath: this.agentPath,
      at: this.config.runtime.now(),
      seq: sink.nextSeq(),
      ...payload,
    };
    const { nested } = this.setup;
    if (nested) Object.assign(event, { within: nested.caller.toolCallId });
    sink.send(event as unknown as EventOf<T>);
  }

  // The most frequent events are written out: copying their payload is a tenth of a delta's way to the consumer.

  emitText(type: "text-delta" | "reasoning-delta", text: string): void {
    const { sink } = this.setup;
    if (!sink.hasListeners(type)) return;
    const { id: runId, sessionId, turn, agentPath } = this;
    const at = this.config.runtime.now();
    sink.send({ type, runId, sessionId, turn, agentPath, at, seq: sink.nextSeq(), text });
  }

  emitInput(index: number, json: string, toolCallId: string, tool: string): void {
    const type = "tool-input-delta";
    const { sink } = this.setup;
    if (!sink.hasListeners(type)) return;
    const { id: runId, sessionId, turn, agentPath } = this;
    const at = this.config.runtime.now();
    sink.send({ type, runId, sessionId, turn, agentPath, at, seq: sink.nextSeq(), index, json, toolCallId, tool });
  }

  notice(code: NoticeCode, message: string, details?: JsonValue): void {
    this.emit("notice", { code, message, ...(details !== undefined && { details }) });
  }

  // ── what it records ───────────────────────────────────────────────────────────────────────────────────────────

  /** Brings what is recorded to the store. `false`: it failed, and the run is being ended for it. */
  commit(): Promise<boolean> {
    return this.recorder.commit();
  }

  /** Appends a user message that the user has not written: a reminder, or what hooks say. */
  appendReminder(text: string, origin: MessageOrigin, label?: QueuedMessage["label"]): void {
    this.appendUser({ content: [{ type: "text", text }], origin, label });
  }

  appendUser({ content, origin, label }: QueuedMessage): void {
    const parts = Object.freeze(content.map((part) => Object.freeze(Object.assign({}, part))));
    // No spreads: what is spread and then frozen gets a hidden class of its own each time.
    const message =
      origin === "user"
        ? Object.freeze({ role: "user" as const, content: parts })
        : Object.freeze({ role: "user" as const, content: parts, origin });
    this.recorder.record(label ? { type: "message", message, label } : { type: "message", message });
  }

  /** Gives the gate the rules that an answer wants remembered. */
  async remember(answer: Answer): Promise<void> {
    if (!("decision" in answer) || !answer.remember?.length) return;
    try {
      const kept = this.config.gate.remember?.(answer.remember, { sessionId: this.sessionId, task: this.root.id });
      await this.lifetime.unlessStopped(kept, "The gate's remember()");
    } catch (error) {
      this.notice("GATE_FAILED", `The gate could not remember an answer: ${describeThrown(error)}`);
    }
  }
}
