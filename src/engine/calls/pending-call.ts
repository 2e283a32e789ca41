import type { Answer, PendingRequest, SuspendRequest } from "../../contracts/approval.js";
import type { HarnessError } from "../../contracts/errors.js";
import type { HookPayloads } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import type { PermissionDecision, PermissionRequest } from "../../contracts/permission.js";
import type { BaseTool, ResourceClaim, ToolContext } from "../../contracts/tool.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import type { CallChildren } from "../subagents/call-children.js";
import type { CallEnvironment } from "./call-environment.js";
import { withOutcome } from "./call-outcome.js";
import { CallContext } from "./tool-context.js";
import { withWorkSoFar } from "./tool-result.js";

/**
 * How far a call is. It moves down this list, back from `running` to `preparing` after a suspension in this process, and
 * from anywhere to one of the last three.
 */
export type CallPhase =
  /** Its arguments may still be streaming; nothing of it runs. */
  | "arriving"
  /** Looked up, parsed, hooked, gated, and approved. */
  | "preparing"
  /** Blocked by an earlier call that it conflicts with. */
  | "blocked"
  /** Its tool has been entered. */
  | "running"
  /** Its question is in the session; the run goes on, or ends, without it. */
  | "suspended"
  /** It has its result. */
  | "settled"
  /** Taken back by a restart or a failed model call: it has no result and never gets one. */
  | "void";

/** What a tool asks for before it is suspended, and what it wants back when it is entered again. */
export interface Suspension {
  readonly request: SuspendRequest;
  readonly state: JsonValue;
}

/** A question that a call asked before this run, and the answer, if there is one by now. */
export interface EarlierQuestion {
  readonly request: PendingRequest;
  readonly answer: Answer | undefined;
}

/**
 * One tool call on its way to its result; everything its stages find out is kept here.
 *
 * Settling happens once: the first one (the tool, its timeout, an abort, a restart) wins, and everything that comes
 * later is ignored. All that waits on behalf of the call is released by settling it.
 */
export class PendingCall {
  // ── the claim table's ─────────────────────────────────────────────────────────────────────────────────────────
  /** Position in its message; calls left over from earlier messages have -1. */
  order = -1;
  /** `null` until the call is gated: it then conflicts with everything. */
  claims: readonly ResourceClaim[] | null = null;
  /** The input that the claims were made for. */
  claimedInput: unknown;
  /** When it may have started, counted over the calls of a table; 0 before that. */
  startedAs = 0;
  /** Called once, when nothing the call must wait for is left. */
  onUnblocked: () => void = nothing;

  // ── what the stages have found out ────────────────────────────────────────────────────────────────────────────
  tool: BaseTool | undefined;
  /** The call that is meant and run: the model's own, unless the registry resolves it to another one. */
  target: ToolCall;
  /** The arguments as hooks and answers left them: what is digested and shown. */
  args: JsonValue;
  /** The arguments as the tool's own `parse` read them: what is gated and executed. */
  input: unknown;
  /** What the `PreToolUse` hooks said; never a denial, which ends the call. */
  hookSays: PermissionRequest["hook"];
  /** A hook wants the host to decide, even if there is an approver. */
  isDeferred = false;
  /** What the gate said of the input. */
  decision: PermissionDecision | undefined;
  /** The host has approved what the gate asked about. */
  isApproved = false;
  /** Why the host must be asked even if the gate allows: the call may have run before. */
  mustConfirm: string | undefined;
  /** Questions from before this run. Each answer is used once. */
  earlier: EarlierQuestion[] | undefined;
  suspension: Suspension | undefined;
  /** How often it was answered and entered again in this run. */
  reentries = 0;
  /** The sub-agents it has spawned since its tool was entered. */
  children: CallChildren | undefined;
  resumed: { readonly answer: Answer; readonly state: JsonValue } | undefined;
  /** What the tool has come to so far, for a result that it cannot give itself any more. */
  soFar: (() => string) | undefined;
  /** What the tool returned, before hooks and the size budget. */
  outcome: ToolResult | undefined;

  // ── how far it is ─────────────────────────────────────────────────────────────────────────────────────────────
  /** The question this call is suspended with. */
  pending: PendingRequest | undefined;
  result: ToolResult | undefined;
  /** When the tool was entered; 0 before that. */
  startedAt = 0;
  /** The tool was entered, in this process or an earlier one. */
  wasEntered = false;
  /** Whether it needs no more work in this run: it is settled, suspended, or taken back. */
  isOver = false;
  #phase: CallPhase = "arriving";

  // ── its message's ─────────────────────────────────────────────────────────────────────────────────────────────
  /** An earlier call had to settle before this one could start. */
  wasBlocked = false;
  hasSlot = false;
  /** Its pipeline is at work: not waiting for another call. */
  isActive = false;
  /** Its message waits for it. */
  isAwaited = true;
  /** The pipeline's promise: pending while user code of this call may still run. */
  pipeline: Promise<void> | undefined;

  #controller: AbortController | undefined;
  #abortReason: HarnessError | undefined;
  #context: CallContext | undefined;
  #onOver: (() => void)[] | undefined;

  constructor(
    public call: ToolCall,
    readonly environment: CallEnvironment,
  ) {
    this.target = call;
    this.args = call.arguments;
  }

  get phase(): CallPhase {
    return this.#phase;
  }

  get isVoid(): boolean {
    return this.#phase === "void";
  }

  /** Whether it was ended from outside while its code may have been running. */
  get wasAborted(): boolean {
    return this.#abortReason !== undefined;
  }

  /** What every hook about this call is given. */
  get hookPayload(): HookPayloads["PreToolUse"] {
    return { toolName: this.target.name, toolInput: this.args, toolUseId: this.call.id };
  }

  get context(): ToolContext {
    this.#context ??= new CallContext(this);
    return this.#context;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#abortReason) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  /** Moves between the phases in which the call is not over. */
  moveTo(phase: "preparing" | "blocked" | "running"): void {
    if (!this.isOver) this.#phase = phase;
  }

  #end(phase: "settled" | "suspended" | "void"): void {
    this.#phase = phase;
    this.isOver = true;
  }

  settle(result: ToolResult): void {
    if (this.#phase === "settled" || this.#phase === "void") return;
    this.#end("settled");
    this.pending = undefined;
    // The call may have been renamed while its result was on the way.
    const { id: toolCallId } = this.call;
    const ended = withOutcome(result, this.wasEntered);
    this.result = Object.freeze(ended.toolCallId === toolCallId ? ended : { ...ended, toolCallId });
    this.environment.onSettled(this);
    this.#release();
  }

  /** Settles from outside: the tool's signal aborts, and nobody waits for the tool. */
  interrupt(result: ToolResult, reason: HarnessError): void {
    if (this.#phase === "settled" || this.#phase === "void") return;
    this.settle(withWorkSoFar(result, this.soFar));
    this.#abort(reason);
    this.environment.onInterrupted(this);
  }

  /** Takes the call back as if the model had never asked for it. */
  cancel(reason: HarnessError): void {
    if (this.#phase === "void") return;
    this.#end("void");
    this.#abort(reason);
    this.#release();
    this.environment.onInterrupted(this);
  }

  suspend(request: PendingRequest): void {
    if (this.isOver) return;
    this.#end("suspended");
    this.pending = request;
    this.environment.onSuspended(this);
    this.#release();
  }

  /** Its arguments are complete. */
  complete(call: ToolCall): void {
    this.call = call;
    this.target = call;
    this.args = call.arguments;
  }

  /** Takes the id that the same call has in the model's new stream. */
  rename(call: ToolCall): void {
    this.call = call;
    if (this.result) this.result = Object.freeze({ ...this.result, toolCallId: call.id });
  }

  /** Resolves with the promise's value, or with `undefined` as soon as the call is over. */
  unlessOver<T>(promise: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.onOver(() => resolve(undefined));
      promise.then(resolve, reject);
    });
  }

  /** Calls `release` as soon as the call is over; at once if it is. */
  onOver(release: () => void): void {
    if (this.isOver) {
      release();
      return;
    }
    this.#onOver ??= [];
    this.#onOver.push(release);
  }

  #abort(reason: HarnessError): void {
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }

  #release(): void {
    const waiting = this.#onOver;
    this.#onOver = undefined;
    if (waiting) for (const release of waiting) release();
    this.onUnblocked();
  }
}

function nothing(): void {}
