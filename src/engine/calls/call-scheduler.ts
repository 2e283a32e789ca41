// What the pipelines of a run's calls need around them: the run's tools, hooks, gate, claims and slots.

import type { Answer } from "../../contracts/approval.js";
import type { HookOutcome, HookPayloads, HookPoint } from "../../contracts/hook.js";
import type { PermissionDecision, PermissionRequest } from "../../contracts/permission.js";
import type { BaseTool } from "../../contracts/tool.js";
import { quickDigest } from "../../json/digest.js";
import type { Deadlines } from "../../time/deadlines.js";
import type { RunState } from "../run/run-state.js";
import { askHost } from "./approval.js";
import type { CallHost, Question, ToolHookPoint } from "./call-environment.js";
import { claimsOf } from "./claims.js";
import type { CallRun } from "./pending-call.js";

/** Whether a call of this tool may start early and run again. */
export function isReplayable(tool: BaseTool): boolean {
  return tool.replayable ?? tool.permission === "read_only";
}

/** The batch a call belongs to, as far as its host has to tell it. */
export interface BatchProgress {
  /** Resolves when the message is recorded, or the call is over. */
  whenCommitted(call: CallRun): Promise<void>;
  /** The call's pipeline is at work, or waits for another call. */
  works(call: CallRun): void;
  rests(call: CallRun): void;
}

/** The host of the calls of one message. */
export class RunCallHost implements CallHost {
  readonly deadlines: Deadlines;

  constructor(
    private readonly run: RunState,
    private readonly batch: BatchProgress,
  ) {
    this.deadlines = run.deadlines;
  }

  now(): number {
    return this.run.config.runtime.now();
  }

  findTool(name: string): BaseTool | undefined {
    return this.run.registry.get(name);
  }

  toolNames(): readonly string[] {
    return this.run.registry.list().map(({ name }) => name);
  }

  timeoutMs(tool: BaseTool): number | null {
    return tool.timeoutMs === undefined ? this.run.limits.toolTimeoutMs : tool.timeoutMs;
  }

  hasHook(point: HookPoint): boolean {
    return this.run.config.hooks?.has(point) ?? false;
  }

  async runHook<P extends ToolHookPoint>(call: CallRun, point: P, payload: HookPayloads[P]): Promise<HookOutcome> {
    const outcome = (await this.run.hooks.fire(point, payload, call.call.name))!;
    this.takeContexts(call, point, outcome);
    return outcome;
  }

  /** Keeps what hooks want the model to be told after this turn. */
  takeContexts(call: CallRun, point: ToolHookPoint, outcome: HookOutcome): void {
    if (!call.void) this.run.contexts.push(...outcome.additionalContext);
    if (point !== "PreToolUse" && outcome.blocked && outcome.reason) this.run.contexts.push(outcome.reason);
  }

  decide(request: PermissionRequest): PermissionDecision | Promise<PermissionDecision> {
    const { mode } = this.run.setup;
    return this.run.config.gate.decide(mode ? { ...request, mode } : request);
  }

  onDecision(call: CallRun, decision: PermissionDecision, by?: string): void {
    if (!this.run.hears("permission-decision")) return;
    const { id: toolCallId, name: tool } = call.call;
    this.run.emit("permission-decision", {
      toolCallId,
      tool,
      input: call.args,
      decision,
      ...(this.run.setup.mode && { mode: this.run.setup.mode }),
      ...(by !== undefined && { by }),
    });
  }

  claim(call: CallRun, input: unknown): void {
    this.run.claims.decide(call, claimsOf(call.tool!, input));
  }

  /** The message is recorded first: a question is about a call that is in the session. */
  async ask(call: CallRun, question: Question): Promise<Answer | undefined> {
    await this.batch.whenCommitted(call);
    return call.over ? undefined : askHost(this.run, call, question);
  }

  mayStart(call: CallRun): boolean | Promise<boolean> {
    const mayProceed = this.run.claims.tryProceed(call);
    if (mayProceed && this.run.slots.tryTake()) return this.#inSlot(call);
    return this.#whenItsTurn(call, mayProceed);
  }

  async #whenItsTurn(call: CallRun, mayProceed: boolean): Promise<boolean> {
    if (!mayProceed) await this.#turnOf(call);
    if (call.over) return false;
    return (this.run.slots.tryTake() || (await this.#slotFor(call))) && this.#inSlot(call);
  }

  /** Resolves when no call that must come first is left, or the call is over. */
  #turnOf(call: CallRun): Promise<void> {
    return new Promise((resolve) => {
      call.proceed = () => {
        call.proceed = () => {};
        if (!call.over) this.batch.works(call);
        resolve();
      };
      call.waited = true;
      this.run.claims.wait(call);
      this.batch.rests(call);
    });
  }

  /** Resolves with `true` when the call has a slot; with `false` when it is over before that. */
  async #slotFor(call: CallRun): Promise<boolean> {
    let isGranted = false;
    let leaveQueue = () => {};
    const granted = new Promise<void>((resolve) => {
      leaveQueue = this.run.slots.wait(() => {
        isGranted = true;
        resolve();
      });
    });
    await call.unlessOver(granted);
    if (!call.over) return true;
    if (isGranted) this.run.slots.release();
    else leaveQueue();
    return false;
  }

  /** The slot is the call's until `freeSlot`, which `onInterrupted` may call first. */
  #inSlot(call: CallRun): boolean | Promise<boolean> {
    call.holdsSlot = true;
    if (call.over) return false;
    return isReplayable(call.tool!) || this.#markStart(call);
  }

  freeSlot(call: CallRun): void {
    if (!call.holdsSlot) return;
    call.holdsSlot = false;
    this.run.slots.release();
  }

  /** Calls with effects leave a mark in the session before they start. `false`: it could not be kept. */
  #markStart(call: CallRun): Promise<boolean> {
    const inputDigest = quickDigest(call.args);
    this.run.recorder.record({ type: "tool-start", toolCallId: call.call.id, inputDigest });
    return this.run.commit();
  }
}
