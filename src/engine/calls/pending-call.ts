import type { Answer, PendingRequest, SuspendRequest } from "../../contracts/approval.js";
import type { HarnessError } from "../../contracts/errors.js";
import type { HookPayloads } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import type { PermissionDecision, PermissionRequest } from "../../contracts/permission.js";
import type { BaseTool, ResourceClaim, ToolContext } from "../../contracts/tool.js";
import type { ToolCall, ToolResult } from "../../contracts/tool-call.js";
import type { CallChildren, SpawningCall } from "../run/call-children.js";
import type { Claimant } from "../run/claims.js";
import type { RunState } from "../run/run-state.js";
import { BareContext, CallContext } from "./tool-context.js";
import { withOutcome, withWorkSoFar } from "./tool-result.js";

/**
 * The state of a call. It moves down this list, back from `running` to `preparing` after a suspension in this process, and
 * from anywhere to one of the last three, in which it is over: it needs no more work in this run.
 */
export type CallState =
  /** Its arguments may still be streaming; nothing of it runs. */
  | { readonly phase: "arriving" }
  /** Looked up, parsed, hooked, gated, and approved. */
  | { readonly phase: "preparing" }
  /** Blocked by an earlier call that it conflicts with. */
  | { readonly phase: "blocked" }
  /** Its tool has been entered. */
  | { readonly phase: "running" }
  /** Its question is in the session; the run goes on, or ends, without it. */
  | { readonly phase: "suspended"; readonly question: PendingRequest }
  | { readonly phase: "settled"; readonly result: ToolResult }
  /** Taken back by a restart or a failed model call: it has no result and never gets one. */
  | { readonly phase: "void" };

/** The request of a tool that is suspended, and the state it gets back when it is entered again. */
export interface Suspension {
  readonly request: SuspendRequest;
  readonly state: JsonValue;
}

/** A question that a call asked before this run, and the answer, if there is one by now. */
export interface EarlierQuestion {
  readonly request: PendingRequest;
  readonly answer: Answer | undefined;
}

/** The message whose call it is, as far as the call is concerned. */
export interface CallMessage {
  /** The turn the message belongs to. */
  readonly turn: number;
  /** Whether the stream that the call came in was voided, and no new one has asked for it again. */
  isOrphan(call: PendingCall): boolean;
  /** Resolves when the message is recorded, or the call is over. */
  whenRecorded(call: PendingCall): Promise<void>;
  /** The call's code is at work. */
  markActive(call: PendingCall): void;
  /** The call waits for another one. */
  markIdle(call: PendingCall): void;
  /** Called once, when the call has its result. */
  onSettled(call: PendingCall): void;
  /** Called when the call was settled or taken back from outside, while its code may still run. */
  onInterrupted(call: PendingCall): void;
  /** Called when the call starts to wait for the host's answer. */
  onSuspended(call: PendingCall): void;
}

/** The place of a call among those of its run. */
class CallPlace implements Claimant {
  order = -1;
  claims: readonly ResourceClaim[] | null = null;
  startedAs = 0;
  onUnblocked = (): void => {};
  /** The input that the claims were made for. */
  claimedInput: unknown;
  /** An earlier call had to settle before this one could start. */
  wasBlocked = false;
  hasSlot = false;
}

/** The facts that decide whether a call may run. */
class CallPermission {
  /** The opinion of the `PreToolUse` hooks; never a denial, which ends the call. */
  hook: PermissionRequest["hook"];
  /** A hook wants the host to decide, even if there is an approver. */
  isDeferred = false;
  /** The gate's answer about the input, and what it wants to do once before the tool is entered. */
  decision: PermissionDecision | undefined;
  before: readonly (() => Promise<void>)[] | undefined;
  /** The reason why the host must be asked even if the gate allows: the call may have run before. */
  mustConfirm: string | undefined;
  /** The host has approved what the gate asked about. */
  isApproved = false;

  get needsApproval(): boolean {
    const isAsked = this.decision?.behavior === "ask" || this.isDeferred || this.mustConfirm !== undefined;
    return isAsked && !this.isApproved;
  }
}

/**
 * One tool call on its way to its result; everything its stages find out is kept here.
 *
 * Settling happens once: the first one (the tool, its timeout, an abort, a restart) wins, and everything that comes
 * later is ignored. All that waits on behalf of the call is released by settling it.
 */
export class PendingCall implements SpawningCall {
  readonly place = new CallPlace();
  readonly permission = new CallPermission();

  // ── what is called ────────────────────────────────────────────────────────────────────────────────────────────
  tool: BaseTool | undefined;
  /** The call that is meant and run: the model's own, unless the registry resolves it to another one. */
  target: ToolCall;
  /** The arguments as hooks and answers left them: what is digested and shown. */
  args: JsonValue;
  /** The arguments as the tool's own `parse` read them: what is gated and executed. */
  input: unknown;

  // ── what its tool does ────────────────────────────────────────────────────────────────────────────────────────
  /** Questions from before this run. Each answer is used once. */
  earlier: EarlierQuestion[] | undefined;
  suspension: Suspension | undefined;
  /** The number of times it was answered and entered again in this run. */
  reentries = 0;
  resumed: ToolContext["resumed"];
  /** The sub-agents it has spawned since its tool was entered. */
  children: CallChildren | undefined;
  /** The moment at which the tool was entered; 0 before that. */
  startedAt = 0;
  /** The tool was entered, in this process or an earlier one. */
  wasEntered = false;
  /** The tool's output so far, for a result that it cannot give itself any more. */
  soFar: (() => string) | undefined;
  /** Where labels are used: the source that its tool names for its result, and once it is over all that is known of that. */
  label: CallChildren["label"] | undefined;
  /** The tool's result, before hooks and the size budget. */
  outcome: ToolResult | undefined;

  // ── its message's ─────────────────────────────────────────────────────────────────────────────────────────────
  /** Its pipeline is at work: not waiting for another call. */
  isActive = false;
  /** Its message waits for it. */
  isAwaited = true;
  /** The pipeline's promise: pending while user code of this call may still run. */
  pipeline: Promise<void> | undefined;

  #state: CallState = { phase: "arriving" };
  #controller: AbortController | undefined;
  #abortReason: HarnessError | undefined;
  #context: CallContext | undefined;
  #onOver: (() => void)[] | undefined;

  constructor(
    public call: ToolCall,
    readonly run: RunState,
    readonly message: CallMessage,
  ) {
    this.target = call;
    this.args = call.arguments;
  }

  get phase(): CallState["phase"] {
    return this.#state.phase;
  }

  get isOver(): boolean {
    const { phase } = this.#state;
    return phase === "settled" || phase === "suspended" || phase === "void";
  }

  get isVoid(): boolean {
    return this.#state.phase === "void";
  }

  /** Whether nothing can become of it any more. */
  get #isEnded(): boolean {
    return this.#state.phase === "settled" || this.#state.phase === "void";
  }

  get result(): ToolResult | undefined {
    return this.#state.phase === "settled" ? this.#state.result : undefined;
  }

  /** The question this call is suspended with. */
  get pending(): PendingRequest | undefined {
    return this.#state.phase === "suspended" ? this.#state.question : undefined;
  }

  /** Whether it was ended from outside while its code may have been running. */
  get wasAborted(): boolean {
    return this.#abortReason !== undefined;
  }

  /** The input of every hook about this call. */
  get hookPayload(): HookPayloads["PreToolUse"] {
    const { nested } = this.run.setup;
    const about = { toolName: this.target.name, toolInput: this.args, toolUseId: this.call.id };
    return nested ? { ...about, parentToolUseId: nested.caller.toolCallId } : about;
  }

  get context(): ToolContext {
    const { caller } = this.run.setup;
    this.#context ??= caller ? new BareContext(this, caller) : new CallContext(this);
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
    if (!this.isOver) this.#state = { phase };
  }

  settle(result: ToolResult): void {
    if (this.#isEnded) return;
    // The call may have been renamed while its result was on the way.
    const { id: toolCallId } = this.call;
    const ended = withOutcome(result, this.wasEntered);
    const own = Object.freeze(ended.toolCallId === toolCallId ? ended : { ...ended, toolCallId });
    this.#state = { phase: "settled", result: own };
    this.message.onSettled(this);
    this.#release();
  }

  /** Settles from outside: the tool's signal aborts, and nobody waits for the tool. */
  interrupt(result: ToolResult, reason: HarnessError): void {
    if (this.#isEnded) return;
    this.settle(withWorkSoFar(result, this.soFar));
    this.#abort(reason);
    this.message.onInterrupted(this);
  }

  /** Takes the call back as if the model had never asked for it. */
  cancel(reason: HarnessError): void {
    if (this.isVoid) return;
    this.#state = { phase: "void" };
    this.#abort(reason);
    this.#release();
    this.message.onInterrupted(this);
  }

  suspend(question: PendingRequest): void {
    if (this.isOver) return;
    this.#state = { phase: "suspended", question };
    this.message.onSuspended(this);
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
    const { result } = this;
    if (result) this.#state = { phase: "settled", result: Object.freeze({ ...result, toolCallId: call.id }) };
  }

  whenRecorded(): Promise<void> {
    return this.message.whenRecorded(this);
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
    this.place.onUnblocked();
  }
}
