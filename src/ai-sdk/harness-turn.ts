/*
 * One turn of the AI SDK: as many runs as it has questions. A call that waits for the host ends the run, and the answer resumes it, so
 * that whatever a turn waits for is in the session, and any process can go on.
 *
 * Final parts are shown first, and questions to the host last: a host stops reading at its first question.
 */
import type { Answer, PendingRequest } from "../contracts/approval.js";
import type { CompactionReport } from "../contracts/context.js";
import { RunAbortedError, RunError } from "../contracts/errors.js";
import type { JsonValue } from "../contracts/json.js";
import type { RunResult, RunStatus } from "../contracts/run.js";
import type { Usage } from "../contracts/usage.js";
import { type AgentRun, suspendRun } from "../engine/agent-run.js";
import type { ResolvedLimits } from "../engine/options/limits.js";
import { addUsage, NO_USAGE } from "../engine/run/usage-meter.js";
import { fieldsOf } from "../json/is-object.js";
import type { HarnessControl, HarnessPart } from "./harness-v1.js";
import type { OpenStep, TurnParts } from "./turn-parts.js";
import { TurnQuestions } from "./turn-questions.js";

/** The limits of a turn. */
export type TurnLimits = Pick<ResolvedLimits, "maxTurns" | "maxTokens" | "maxCostUsd">;

export interface TurnOptions {
  readonly parts: TurnParts;
  /** The engine's limits: a turn has them once, over all its runs. */
  readonly limits: TurnLimits;
  /** Signs the answers of the host. */
  readonly key: string | undefined;
  isHostTool(name: string): boolean;
  resume(answers: readonly Answer[], limits: TurnLimits): AgentRun;
  /** Makes the compaction that was asked for while the turn was under way. */
  compact(): Promise<void>;
  /** The compactions that no turn has shown yet. */
  compactions(): readonly CompactionReport[];
}

/** The beginning of a turn: with a run, or with what an earlier process has left. */
export interface TurnStart {
  readonly run?: AgentRun;
  readonly questions?: readonly PendingRequest[];
  readonly answers?: readonly Answer[];
  /** The user's messages in the meantime. */
  readonly messages?: readonly string[];
  /** The step whose calls are open. */
  readonly step?: OpenStep | undefined;
  readonly usage?: Usage;
  /** Model calls that were made. */
  readonly turns?: number;
}

/** One reader of a turn: the host, until it reads on with `doContinueTurn`. */
interface Reader {
  readonly emit: (part: HarnessPart) => void;
  close(error?: unknown): void;
}

export class HarnessTurn {
  readonly questions: TurnQuestions;
  /** Resolves when the turn uses its session no longer. Never rejects. */
  readonly ended: Promise<void>;
  #reader: Reader | undefined;
  /** The parts that a reader may have missed that stopped at a question. */
  #unread: HarnessPart[] = [];
  #run: AgentRun | undefined;
  /** Resolves when the session has what the run begins with: its prompt, or the results of the host. */
  #recorded: Promise<void> = Promise.resolve();
  #steering: string[];
  #usage: Usage;
  #turns: number;
  #costUsd = 0;
  #end: "open" | "suspended" | "over" = "open";
  #wake = () => {};

  constructor(
    private readonly options: TurnOptions,
    start: TurnStart,
  ) {
    options.parts.step = start.step;
    this.questions = new TurnQuestions(options.parts, options.isHostTool, options.key, start);
    this.#usage = start.usage ?? NO_USAGE;
    this.#turns = start.turns ?? 0;
    this.#steering = [...(start.messages ?? [])];
    this.ended = Promise.resolve().then(() => this.#drive(start.run));
  }

  get isOver(): boolean {
    return this.#end === "over";
  }

  /** Messages of the user that no run has delivered yet. */
  get messages(): readonly string[] {
    return this.#steering;
  }

  emit(part: HarnessPart): void {
    if (this.#end === "suspended") return;
    if (this.questions.isAsked) this.#unread.push(part);
    this.#reader?.emit(part);
  }

  /** Gives the turn another reader, who gets what the one before may have missed. */
  attach(emit: (part: HarnessPart) => void, signal: AbortSignal | undefined): HarnessControl {
    let close!: Reader["close"];
    const done = new Promise<void>((resolve, reject) => {
      close = (error) => (error === undefined ? resolve() : reject(error));
    });
    const reader = { emit, close };
    this.#reader?.close();
    this.#reader = reader;
    this.options.parts.callsShown.clear();
    for (const part of this.#unread.splice(0)) emit(part);
    this.questions.forgetReader();
    if (!this.#run) this.#ask(false);
    const abort = () => void (this.#reader === reader && this.stop("the host aborted the turn"));
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort);
    const left = done.finally(() => signal?.removeEventListener("abort", abort));
    left.catch(() => {}); // A host that is not interested in it is no fault.
    return {
      submitToolResult: async (result) => this.#answer(() => this.questions.submit(result)),
      submitToolApproval: async (approval) => this.#answer(() => this.questions.approve(approval)),
      submitUserMessage: async (text) => this.#steer(text),
      done: left,
    };
  }

  /** Ends the turn: its run is aborted, its questions stay in the session. */
  async stop(reason: string): Promise<void> {
    if (this.#end === "open") {
      this.#end = "over";
      this.#run?.abort(reason);
      this.#wake();
      await this.ended;
      this.#reader?.close(new RunAbortedError(reason));
    }
    await this.ended;
  }

  /** Freezes the turn where its reader is. Everything is in the session when this resolves, but for `questions.given` and `messages`. */
  async suspend(): Promise<void> {
    if (this.#end === "open") this.#end = "suspended";
    this.#wake();
    await Promise.race([this.#recorded, this.ended]);
    if (this.#run) await suspendRun(this.#run);
    await this.ended;
    this.#reader?.close();
  }

  async #drive(first: AgentRun | undefined): Promise<void> {
    let result: RunResult | undefined;
    try {
      for (let run = first; ; run = undefined) {
        const reached = run ? null : this.#limitReached();
        if (reached) return await this.#finish(reached, result);
        if (!run && this.questions.unanswered.length > 0) {
          this.#ask(true);
          await this.#answered();
          if (this.#end !== "open") return;
        }
        run ??= this.options.resume(this.questions.takeAnswers(), this.#limitsLeft());
        result = await this.#follow(run);
        if (this.#end !== "open") return;
        if (result.status !== "needs-approval") return await this.#finish(result.status, result);
      }
    } catch (error) {
      if (this.#end !== "open") return;
      this.#end = "over";
      this.#reader?.close(error);
    }
  }

  async #follow(run: AgentRun): Promise<RunResult> {
    this.#run = run;
    // It may have been stopped before it was known here.
    if (this.#end === "over") run.abort("the turn has ended");
    let isRecorded = () => {};
    this.#recorded = new Promise((resolve) => {
      isRecorded = resolve;
    });
    for (const text of this.#steering.splice(0)) run.steer(text);
    this.#showCompactions();
    try {
      const ending = new Set(this.questions.ending);
      for await (const event of run) {
        if (event.type === "tool-call-end") ending.delete(event.result.toolCallId);
        if (ending.size === 0) isRecorded();
        if (event.type === "notice" && event.code === "MESSAGE_UNDELIVERED") this.#keep(event.details);
        this.options.parts.add(event);
      }
      const result = await run.result;
      this.#usage = addUsage(this.#usage, result.usage);
      this.#turns += result.turns;
      this.#costUsd += result.costUsd ?? 0;
      this.questions.set(result.pending);
      return result;
    } finally {
      isRecorded();
      this.#run = undefined;
    }
  }

  /** A message that a run could not deliver is the next one's. */
  #keep(details: JsonValue | undefined): void {
    const { text } = fieldsOf(details);
    if (typeof text === "string") this.#steering.push(text);
  }

  /** A turn that has used all that it may waits for nobody. */
  #limitReached(): RunStatus | null {
    const { maxTurns, maxTokens = 1, maxCostUsd = 1 } = this.#limitsLeft();
    if (this.#turns === 0) return null;
    if (maxTurns <= 0) return "max-turns";
    return maxTokens <= 0 || maxCostUsd <= 0 ? "budget-exceeded" : null;
  }

  #limitsLeft(): TurnLimits {
    const { maxTurns, maxTokens, maxCostUsd } = this.options.limits;
    const { inputTokens, outputTokens } = this.#usage;
    return {
      maxTurns: maxTurns - this.#turns,
      ...(maxTokens !== undefined && { maxTokens: maxTokens - inputTokens - outputTokens }),
      ...(maxCostUsd !== undefined && { maxCostUsd: maxCostUsd - this.#costUsd }),
    };
  }

  async #finish(status: RunStatus, result: RunResult | undefined): Promise<void> {
    await this.options.compact();
    this.#showCompactions();
    if (status === "failed" || status === "output-invalid") throw result?.error;
    if (status === "aborted") throw result?.error ?? new RunAbortedError("the run was aborted");
    this.options.parts.finish(result, status, this.#usage);
    this.#end = "over";
    this.#reader?.close();
  }

  #showCompactions(): void {
    for (const report of this.options.compactions()) this.options.parts.compaction(report, "manual");
  }

  #ask(isGathered: boolean): void {
    const { news } = this.questions;
    if (news.length === 0 || !this.#reader) return;
    this.#unread = [];
    this.questions.show(news, isGathered);
    this.#unread = [];
  }

  #answer(answer: () => void): void {
    if (this.#end === "open") answer();
    this.#wake();
  }

  /** Resolves when there are answers, or the turn has ended. Those that come together are given together. */
  async #answered(): Promise<void> {
    while (!this.questions.hasAnswers && this.#end === "open") {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    await new Promise((resolve) => setTimeout(resolve));
  }

  #steer(text: string): void {
    if (this.#run?.steer(text)) return;
    if (this.#end === "open" && !this.#run) this.#steering.push(text);
    else throw new RunError("RUN_INCOMPLETE", { message: "The turn has ended; send the message as the next prompt." });
  }
}
