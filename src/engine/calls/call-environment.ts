import type { Answer, PendingKind } from "../../contracts/approval.js";
import type { HookOutcome, HookPayloads, HookPoint } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import type { PermissionDecision, PermissionRequest, PermissionUpdate } from "../../contracts/permission.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { Deadlines } from "../../time/deadlines.js";
import type { CallRun } from "./pending-call.js";

/** What a call asks of the host. */
export interface Question {
  readonly kind: PendingKind;
  readonly reason: string;
  readonly input: JsonValue;
  readonly suggestions: readonly PermissionUpdate[];
  /** The rule that asks, as it is written: an answer counts for it alone. */
  readonly rule?: string;
  /** What the tool wants back when it is entered again. */
  readonly state?: JsonValue;
  /** Suspend also when there is an approver. */
  readonly defer?: boolean;
}

/** What the pipeline needs around it: an engine's run gives all of it, a bare registry little. */
export interface CallHost {
  readonly deadlines: Deadlines;
  findTool(name: string): BaseTool | undefined;
  toolNames(): readonly string[];
  timeoutMs(tool: BaseTool): number | null;
  now(): number;
  hasHook(point: HookPoint): boolean;
  runHook<P extends ToolHookPoint>(call: CallRun, point: P, payload: HookPayloads[P]): Promise<HookOutcome>;
  decide(request: PermissionRequest): PermissionDecision | Promise<PermissionDecision>;
  /** `by` names who answered, when it was not the gate. */
  onDecision(call: CallRun, decision: PermissionDecision, by?: string): void;
  /** Takes the call's claims on the gated input, so that calls it does not conflict with need not wait for an answer. */
  claim(call: CallRun, input: unknown): void;
  /** Resolves with the answer, or with `undefined` once the call is over or waits for one. */
  ask(call: CallRun, question: Question): Promise<Answer | undefined>;
  /**
   * Whether the call may start: what it claims and a slot are free, and its start is recorded. `false`: it cannot be
   * recorded, or the call is over by then. A promise only where it has to wait for that.
   */
  mayStart(call: CallRun): boolean | Promise<boolean>;
  /** Gives the call's slot back, if it has one. */
  freeSlot(call: CallRun): void;
}

export type ToolHookPoint = "PreToolUse" | "PermissionDenied" | "PostToolUse" | "PostToolUseFailure";
