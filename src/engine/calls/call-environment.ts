// Everything a tool call needs around it. A run gives all of it, a bare registry little.
import type { Answer, PendingKind, PendingRequest } from "../../contracts/approval.js";
import type { HookOutcome, HookPayloads, HookPoint } from "../../contracts/hook.js";
import type { JsonValue } from "../../contracts/json.js";
import type { PermissionDecision, PermissionRequest, PermissionUpdate } from "../../contracts/permission.js";
import type { BackgroundSubagents, BaseTool, RootCall, SpawnSubagent, ToolContext } from "../../contracts/tool.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import type { Deadlines } from "../../time/deadlines.js";
import type { PendingCall } from "./pending-call.js";

/** What a call asks of the host. */
export interface Question {
  readonly kind: PendingKind;
  readonly reason: string;
  readonly input: JsonValue;
  readonly suggestions: readonly PermissionUpdate[];
  /** The rule that asks, as it is written: an answer counts for this rule only. */
  readonly rule?: string;
  /** What the tool wants back when it is entered again. */
  readonly state?: JsonValue;
  /** Suspend even if there is an approver. */
  readonly defer?: boolean;
}

export type ToolHookPoint = "PreToolUse" | "PermissionDenied" | "PostToolUse" | "PostToolUseFailure";

export interface CallEnvironment {
  // ── whose call it is ──────────────────────────────────────────────────────────────────────────────────────────
  readonly runId: string;
  readonly turn: number;
  readonly agentPath: readonly string[];
  readonly sessionId: string;
  readonly transcriptId: string;
  /** Set for a sub-agent's calls. */
  readonly rootCall: RootCall | undefined;
  readonly app: unknown;
  readonly artifacts: ArtifactStore | undefined;
  /** Whether the host makes images and files fit that vendors do not take: then they may stay in the transcript. */
  readonly fitsMedia?: boolean;

  // ── what its stages ask for ───────────────────────────────────────────────────────────────────────────────────
  readonly deadlines: Deadlines;
  now(): number;
  /** The call that is meant: see `Registry.resolve`. */
  resolveCall(call: ToolCall): ToolCall;
  findTool(name: string): BaseTool | undefined;
  toolNames(): readonly string[];
  timeoutMs(tool: BaseTool): number | null;
  hasHook(point: HookPoint): boolean;
  runHook<P extends ToolHookPoint>(call: PendingCall, point: P, payload: HookPayloads[P]): Promise<HookOutcome>;
  decide(request: PermissionRequest): PermissionDecision | Promise<PermissionDecision>;
  /** `by` names who answered, when it was not the gate. */
  reportDecision(call: PendingCall, decision: PermissionDecision, by?: string): void;
  /** Takes the call's claims on its input, unless it has them already. */
  claim(call: PendingCall): void;
  /** Resolves with the answer, or with `undefined` once the call is over or suspended. */
  ask(call: PendingCall, question: Question): Promise<Answer | undefined>;
  /**
   * Waits until what the call claims and a slot are free, and its start is recorded. Afterwards the call may start, or
   * is over. A promise only if there is something to wait for.
   */
  waitForStart(call: PendingCall): void | Promise<void>;
  /** Suspends a call with the questions of its sub-agents. Afterwards it is over. */
  suspendFor(call: PendingCall, questions: readonly PendingRequest[]): Promise<void>;
  /** Gives back the call's slot, if it has one. */
  releaseSlot(call: PendingCall): void;

  /** Runs a piece of the tool's own code, inside what observers put around it. */
  enter<T>(call: PendingCall, work: () => T): T;

  // ── what it reports ───────────────────────────────────────────────────────────────────────────────────────────
  /** The call's code is at work. */
  markActive(call: PendingCall): void;
  /** The call waits for another one. */
  markIdle(call: PendingCall): void;
  onProgress(call: PendingCall, update: JsonValue): void;
  /** Called once, when the call has its result. */
  onSettled(call: PendingCall): void;
  /** Called when the call was settled or taken back from outside, while its code may still run. */
  onInterrupted(call: PendingCall): void;
  /** Called when the call starts to wait for the host's answer. */
  onSuspended(call: PendingCall): void;

  // ── what its tool is offered ──────────────────────────────────────────────────────────────────────────────────
  spawnFor(call: PendingCall): SpawnSubagent | undefined;
  backgroundFor(call: PendingCall): BackgroundSubagents | undefined;
  readonly requestCompaction: ToolContext["requestCompaction"];
  readonly notify: ToolContext["notify"];
  readonly deliver: ToolContext["deliver"];
  readonly record: ToolContext["record"];
}
