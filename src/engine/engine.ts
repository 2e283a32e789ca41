import type { ContentPart } from "../contracts/content.js";
import type { CompactionReport, ContextUsage } from "../contracts/context.js";
import type { EventOf, EventType } from "../contracts/event.js";
import type { HookOutcome, HookPayloads, ToolNotice } from "../contracts/hook.js";
import type { RunResult } from "../contracts/run.js";
import type { SubagentInfo } from "../contracts/subagent.js";
import type { Registry } from "../contracts/tool.js";
import type { ToolCall, ToolResult } from "../contracts/tool-call.js";
import { optionError } from "../json/check-options.js";
import type { Deadlines } from "../time/deadlines.js";
import { type AgentRun, offerRun } from "./agent-run.js";
import { ENGINE_PARTS, GIVEN_LABELS } from "./engine-parts.js";
import { withLoop } from "./load-loop.js";
import type { EngineConfig, EngineOptions, ExecuteOptions, ResumeOptions, RunOptions } from "./options/options.js";
import {
  checkEventType,
  checkExecution,
  checkResumeOptions,
  checkRun,
  checkSessionId,
  contentOf,
  readEngineOptions,
} from "./options/read-options.js";
import { ClaimTable } from "./run/claims.js";
import type { EventQueue } from "./run/event-queue.js";
import { Listeners } from "./run/event-sink.js";
import { fireOutsideRuns } from "./run/hooks/hooks-outside-runs.js";
import { RunHandle, type RunParts, type RunPlace, registryOf, requestRun } from "./run-handle.js";
import type { RunStart } from "./run-loop.js";
import { endHeld } from "./session/end-tool-sessions.js";
import { LiveSessions } from "./session/live-sessions.js";
import { engineClosed, sessionBusy, sessionHeld } from "./session/session-misuse.js";
import { SessionQueue } from "./session/session-queue.js";

type Listener<T extends EventType> = (event: EventOf<T>) => void;

/**
 * An agent: a model, tools, and the loop between them. One engine serves many sessions at once and holds no
 * conversation of its own; that is in the session store.
 */
export class AgentEngine<Output = unknown> {
  readonly #config: EngineConfig;
  readonly #tools: Registry;
  readonly #listeners = new Listeners();
  /** The run under way in each session. */
  readonly #running = new Map<string, RunHandle>();
  /** One promise for each run that is not idle yet. */
  readonly #settling = new Set<Promise<void>>();
  readonly #sessions: LiveSessions;
  readonly #parts: RunParts;
  readonly #executions = new SessionQueue();
  /** Handles that read a session without a run, so that closing ends them. */
  readonly #reading = new Set<RunHandle>();
  #closing: Promise<void> | undefined;
  readonly #closed = new AbortController();

  /** @throws ConfigurationError `OPTION_INVALID`, `TOOL_DUPLICATE`, `TOOL_INVALID`, `SCHEMA_UNSUPPORTED` */
  constructor(options: EngineOptions<Output>) {
    this.#config = readEngineOptions(options);
    this.#tools = registryOf(this.#config.tools);
    this.#sessions = new LiveSessions(this.#config);
    const [config, tools, listeners] = [this.#config, this.#tools, this.#listeners];
    this.#parts = { config, tools, listeners, sessions: this.#sessions };
    const { observers } = listeners;
    const closed = this.#closed.signal;
    const ending = { abortRun: (id: string) => this.#abortRun(id), endSession: (id: string) => this.endSession(id) };
    ENGINE_PARTS.set(this, { config, tools, closed, observers, listeners, ...ending });
  }

  /** The engine's tools: the registry it was given, or one of its own. */
  get tools(): Registry {
    return this.#tools;
  }

  /**
   * Runs a prompt to its end.
   *
   * Rejects only for misuse: `OPTION_INVALID`, `SESSION_BUSY`, `ENGINE_CLOSED`. Whatever happens inside the run is in
   * the result's `status` and `error`.
   */
  async run<T = Output>(input: string | readonly ContentPart[], options: RunOptions<T> = {}): Promise<RunResult<T>> {
    return this.#startRun(input, options, null).result as Promise<RunResult<T>>;
  }

  /** Starts a run whose events can be iterated as they happen. `result` rejects where `run()` would. */
  stream<T = Output>(input: string | readonly ContentPart[], options: RunOptions<T> = {}): AgentRun<T> {
    return offerRun(this, (queue) => this.#startRun(input, options, queue));
  }

  /**
   * Continues a session after a suspension, an abort or a crash. A finished session returns its result.
   *
   * `answers` belong to pending requests; calls whose question has no answer stay suspended. `result` rejects with
   * `SESSION_NOT_FOUND` for a session without entries.
   */
  resume<T = Output>(sessionId: string, options: ResumeOptions<T> = {}): AgentRun<T> {
    return offerRun(this, (queue) => {
      checkSessionId(sessionId);
      checkResumeOptions(options);
      const answers = [...(options.answers ?? [])];
      return this.#start({ sessionId, queue }, options, { kind: "resume", answers });
    });
  }

  /**
   * Runs one call outside a run: with gate, hooks, approver and claims, recorded in its session (default: a new one). Calls
   * of one session run one after the other.
   *
   * The result holds the outcome of the call, failures included; a question that nobody answers is denied as `PERMISSION_ASK`, or left in
   * the session with the option `suspend`. The same call, made again in its session, goes on where a question or a crash
   * has left it. Rejects only for misuse, as `run()` does, and with `SESSION_WRITE` or `SESSION_READ` when the session
   * cannot be kept.
   */
  async execute(call: ToolCall, options: ExecuteOptions = {}): Promise<ToolResult> {
    checkExecution(call, options);
    const { sessionId, signal, context, answers = [], suspend = false, mayHaveRun = false } = options;
    const id = sessionId ?? this.#config.runtime.newId();
    const runOptions: RunOptions = { context, ...(signal && { signal }) };
    const execution = this.#executions.after(id, signal, async () => {
      const claims = sessionId === undefined && { claims: () => this.#sessions.claimsOfHost() };
      const place = { sessionId: id, ...claims };
      const start = { call, answers, suspend, mayHaveRun, label: GIVEN_LABELS.get(options) };
      const handle = this.#start(place, runOptions, { kind: "call", ...start });
      await handle.result;
      return withLoop(async ({ resultOfCall }) => resultOfCall(handle.run, call));
    });
    return execution.catch((error) => withLoop(async ({ resultOfAbort }) => resultOfAbort(call, error)));
  }

  /**
   * Compacts a session that no run is using. Resolves with what was done, `[]` when there was nothing to do.
   *
   * Rejects with `SESSION_BUSY`, `SESSION_NOT_FOUND`, `COMPACTION_FAILED`, or `OPTION_INVALID` without a `compaction`
   * option.
   */
  async compact(sessionId: string, focus?: string): Promise<readonly CompactionReport[]> {
    checkSessionId(sessionId);
    if (!this.#config.compaction)
      throw optionError("AgentEngine", "compaction", undefined, "a context policy to compact with");
    const handle = this.#start({ sessionId }, {}, { kind: "compact", focus });
    const { error } = await handle.result;
    if (error) throw error;
    return handle.run.compactions;
  }

  /**
   * Tokens of a session's next request by category, also while a run is using it. Reads the session, changes nothing.
   *
   * Rejects with `SESSION_NOT_FOUND`, `SESSION_READ`, or `OPTION_INVALID` without a `compaction` option that counts.
   */
  async contextUsage(sessionId: string): Promise<ContextUsage> {
    checkSessionId(sessionId);
    const running = () => this.#running.get(sessionId)?.runOrNull;
    const request = requestRun(this.#parts, { sessionId, queue: null, claims: () => new ClaimTable() }, {});
    const reading = new RunHandle(request.runId, sessionId);
    this.#reading.add(reading);
    return withLoop(async ({ newRun, readAsSent, usageOf }) => {
      // One that was asked for before is under way now.
      if (running()) return usageOf(running()!);
      const run = reading.begin(newRun(request));
      await readAsSent(run).finally(() => run.dispose());
      return usageOf(run);
    }).finally(() => this.#reading.delete(reading));
  }

  /**
   * The sub-agents of a session that this process has run, in the order in which they began: who works on what. Forgotten
   * with `endSession`.
   */
  subagents(sessionId: string): readonly SubagentInfo[] {
    checkSessionId(sessionId);
    return this.#sessions.findRoster(sessionId)?.list() ?? [];
  }

  /** Stops a sub-agent of a session; who it works for gets its latest text. Returns whether it was running. */
  stopSubagent(sessionId: string, id: string): boolean {
    checkSessionId(sessionId);
    return this.#sessions.findRoster(sessionId)?.stop(id) ?? false;
  }

  /**
   * Runs the hooks of a point for something that has happened outside a run, as `context.notify` does inside one. Resolves
   * with what they say, `null` when the point has no hooks.
   */
  notify<P extends ToolNotice>(point: P, payload: HookPayloads[P], sessionId: string): Promise<HookOutcome | null> {
    checkSessionId(sessionId);
    return fireOutsideRuns(this.#config, point, sessionId, payload);
  }

  /**
   * Releases what is held for a session: a run under way is aborted, tools and artifacts end theirs. Its entries stay.
   *
   * Rejects with what a tool has thrown, or with `TOOL_TIMEOUT` for one that took longer than `limits.abandonMs`; the
   * others have ended theirs all the same.
   */
  async endSession(sessionId: string): Promise<void> {
    checkSessionId(sessionId);
    await this.#abortRun(sessionId);
    await this.#sessions.end(sessionId);
    await endHeld(this.#config, this.#tools.list(), sessionId);
  }

  async #abortRun(sessionId: string): Promise<void> {
    const handle = this.#running.get(sessionId);
    handle?.abort("its session was ended");
    await handle?.idle;
  }

  /** Aborts every run, waits until all are idle and ends what tools hold. Later runs are refused with `ENGINE_CLOSED`. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#closed.abort();
    for (const handle of [...this.#running.values(), ...this.#reading]) handle.abort("the engine was closed");
    await Promise.all(this.#settling);
    await this.#sessions.endAll();
    await endHeld(this.#config, this.#tools.list());
  }

  /**
   * Calls `listener` for each event of this type, of every run. A listener that throws changes nothing.
   *
   * @throws ConfigurationError `OPTION_INVALID` for a type that does not exist
   */
  on<T extends EventType>(type: T, listener: Listener<T>): this {
    checkEventType(type);
    this.#listeners.add(type, listener);
    return this;
  }

  /** Like `on`, for the next event only. */
  once<T extends EventType>(type: T, listener: Listener<T>): this {
    checkEventType(type);
    this.#listeners.add(type, listener, { once: true });
    return this;
  }

  /** Removes a listener. */
  off<T extends EventType>(type: T, listener: Listener<T>): this {
    this.#listeners.remove(type, listener);
    return this;
  }

  #startRun(input: string | readonly ContentPart[], options: RunOptions, queue: EventQueue | null): RunHandle {
    checkRun(input, options);
    const { sessionId = this.#config.runtime.newId() } = options;
    // The run begins later: what the host does to its array meanwhile must not matter.
    const history = [...(options.history ?? [])];
    const prompt = { content: contentOf(input), origin: "user", label: GIVEN_LABELS.get(options) } as const;
    return this.#start({ sessionId, queue }, options, { kind: "prompt", prompt, history, after: options.after });
  }

  #start({ sessionId, queue = null, claims }: RunPlace, options: RunOptions, start: RunStart): RunHandle {
    if (this.#closing) throw engineClosed();
    if (this.#running.has(sessionId)) throw sessionBusy(sessionId);
    if (this.#sessions.isHeld(sessionId)) throw sessionHeld(sessionId);
    const owner = { sessionId, queue, claims: claims ?? (() => this.#sessions.claimsOf(sessionId)) };
    const request = requestRun(this.#parts, owner, options);
    if (this.#config.runtime.problem) throw this.#config.runtime.problem;
    const handle = new RunHandle(request.runId, sessionId);
    const { limits, deadlines, sink } = request;
    const leaveSignal = options.signal && handle.follow(options.signal);
    if (limits.deadlineMs !== undefined) deadlines.add(limits.deadlineMs, () => handle.stop("deadline"));
    const leave = () => {
      leaveSignal?.();
      this.#running.delete(sessionId);
      const { held } = handle.runOrNull ?? {};
      if (held) this.#sessions.hold(sessionId, held);
    };
    handle.result = withLoop(async ({ newRun, runToEnd, announceEnd }) => {
      const ended = await runToEnd(handle.begin(newRun(request)), start);
      leave();
      announceEnd(handle.run, ended);
      sink.closeQueue();
      return ended;
    }).catch((refusal) => {
      leave();
      sink.closeQueue(refusal);
      throw refusal;
    });
    const settleDown = () => this.#settleDown(handle, deadlines);
    handle.idle = handle.result.then(settleDown, settleDown);
    this.#settling.add(handle.idle);
    void handle.idle.then(() => this.#settling.delete(handle.idle));
    this.#running.set(sessionId, handle);
    this.#sessions.begin(sessionId);
    return handle;
  }

  /** Waits for what the run left behind; afterwards nothing of it is left. */
  async #settleDown({ runOrNull: run, sessionId }: RunHandle, deadlines: Deadlines): Promise<void> {
    await run?.abandoned.idle();
    run?.dispose();
    deadlines.clear();
    if (!this.#running.has(sessionId)) this.#sessions.rest(sessionId, (id) => this.#running.has(id));
  }
}
