// The tool calls of one message: they arrive while the model streams, start when nothing they conflict with is left,
// and each gets exactly one result.
import { RunError } from "../../contracts/errors.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { canonicalJson } from "../../json/copy.js";
import type { RunState } from "../run/run-state.js";
import { isReplayable } from "../tools/tool-defaults.js";
import { describeMade } from "../transcript/describe-call.js";
import { labelOfResult } from "./call-label.js";
import { runToolCall } from "./call-pipeline.js";
import { releaseSlot } from "./call-scheduler.js";
import { abortCall } from "./fail-call.js";
import { type CallMessage, PendingCall } from "./pending-call.js";
import { targetOf, toolOf } from "./prepare-call.js";
import { reportTimeout } from "./tool-hooks.js";

/**
 * Invariant: the message is done when every call is settled, suspended, or blocked by a suspended one.
 */
export class MessageCalls implements CallMessage {
  readonly calls: PendingCall[] = [];
  readonly turn: number;
  /** Calls of a voided stream, which an identical call in the new one adopts. */
  #orphans: PendingCall[] | null = null;
  /** Pipelines at work: not waiting for another call, nor for the host. */
  #activeCount = 0;
  /** Calls that are neither settled nor suspended. */
  #awaitedCount = 0;
  #isRecorded = false;
  #onRecorded: (() => void)[] | null = null;
  #onDone: (() => void) | null = null;

  constructor(private readonly run: RunState) {
    this.turn = run.turn;
    run.claims.begin(() => this.#check());
  }

  // ── arriving ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Takes a place in the message's order. Until the call is complete, later ones wait. */
  announce(call: ToolCall): PendingCall {
    const arriving = new PendingCall(call, this.run, this);
    this.calls.push(arriving);
    this.#awaitedCount++;
    this.run.claims.enter(arriving.place);
    return arriving;
  }

  /** The call is complete. A replayable one starts while the model still streams. Returns the call that takes its place. */
  complete(arriving: PendingCall, call: ToolCall, isEager = this.run.config.eagerTools): PendingCall {
    const adopted = this.#adopt(arriving, call);
    if (adopted) {
      this.calls[arriving.place.order] = adopted;
      this.#stopAwaiting(arriving);
      adopted.isAwaited = !adopted.isOver;
      if (adopted.isAwaited) this.#awaitedCount++;
      return adopted;
    }
    arriving.complete(call);
    if (isEager && call.malformed === undefined) {
      const tool = toolOf(this.run.registry, call);
      if (tool && isReplayable(tool)) this.#start(arriving);
    }
    return arriving;
  }

  #announceStart(call: ToolCall): void {
    if (!this.run.hasListeners("tool-call-start")) return;
    const target = targetOf(this.run.registry, call);
    const isOther = target !== undefined && target !== call;
    const description = describeMade(call, this.run.registry);
    this.run.emit("tool-call-start", { call, ...(isOther && { target }), ...(description && { description }) });
  }

  #announceEnd(call: PendingCall): void {
    const { target, label } = call;
    const result = call.result!;
    const about = label ? { result, label } : { result };
    this.run.emit("tool-call-end", target.name === result.name ? about : { ...about, target: target.name });
  }

  #adopt(arriving: PendingCall, call: ToolCall): PendingCall | undefined {
    if (!this.#orphans?.length || call.malformed !== undefined) return undefined;
    const wanted = canonicalJson([call.name, call.arguments]);
    const at = this.#orphans.findIndex(({ call: old }) => canonicalJson([old.name, old.arguments]) === wanted);
    const adopted = this.#orphans[at];
    if (!adopted || !this.run.claims.replace(arriving.place, adopted.place)) return undefined;
    this.#orphans.splice(at, 1);
    adopted.rename(call);
    this.#announceStart(call);
    if (adopted.result) this.#announceEnd(adopted);
    return adopted;
  }

  /**
   * The stream starts again: what runs is kept for an identical call, the rest is forgotten. What has not entered its
   * tool waits until it is asked for again: it must not overtake what the new stream asks for first.
   */
  restart(): void {
    this.#orphans = [...(this.#orphans ?? []), ...this.calls.filter(({ phase }) => phase !== "arriving")];
    const unfinished = this.calls.filter(({ phase }) => phase === "arriving");
    this.#forgetCalls();
    this.run.claims.begin(() => this.#check());
    for (const orphan of this.#orphans) if (!orphan.isOver && !orphan.place.hasSlot) this.run.claims.park(orphan.place);
    for (const { place } of unfinished) this.run.claims.release(place);
  }

  /** Calls whose arguments never came to an end are not kept in an interrupted message. */
  dropIncomplete(complete: ReadonlySet<PendingCall>): void {
    for (const call of this.calls.filter((one) => !complete.has(one))) {
      this.calls.splice(this.calls.indexOf(call), 1);
      this.#stopAwaiting(call);
      call.cancel(this.run.lifetime.stopError);
    }
  }

  /** The stream is over: what it has not asked for again is cancelled. */
  dropOrphans(): void {
    if (!this.#orphans) return;
    for (const orphan of this.#orphans) {
      orphan.cancel(
        new RunError("RUN_ABORTED", {
          message: "The request was repeated, and the model did not make this call again.",
        }),
      );
    }
    this.#orphans = null;
  }

  /** The model call failed for good: nothing of its message is kept. */
  discard(): void {
    for (const call of this.calls) call.cancel(this.run.lifetime.stopError);
    this.#forgetCalls();
    this.dropOrphans();
  }

  isOrphan(call: PendingCall): boolean {
    return this.#orphans?.includes(call) ?? false;
  }

  #forgetCalls(): void {
    for (const call of this.calls) this.#stopAwaiting(call);
    this.calls.length = 0;
  }

  #stopAwaiting(call: PendingCall): void {
    if (!call.isAwaited) return;
    call.isAwaited = false;
    this.#awaitedCount--;
  }

  // ── running ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Runs what is left, now that the message is recorded. Resolves when the message is done. */
  finish(): Promise<void> {
    const { calls, run } = this;
    this.#isRecorded = true;
    for (let at = 0; at < calls.length; at++) if (calls[at]!.result) this.#record(calls[at]!);
    if (this.#onRecorded) for (const release of this.#onRecorded.splice(0)) release();
    run.lifetime.underWay = this;
    if (run.lifetime.ending) this.interrupt();
    for (let at = 0; at < calls.length; at++) if (calls[at]!.phase === "arriving") this.#start(calls[at]!);
    return new Promise((resolve) => {
      this.#onDone = resolve;
      this.#check();
    });
  }

  /** Resolves when the message is recorded, or the call is over. */
  async whenRecorded(call: PendingCall): Promise<void> {
    if (this.#isRecorded) return;
    this.#onRecorded ??= [];
    const waiting = this.#onRecorded;
    await call.unlessOver(new Promise<void>((resolve) => waiting.push(resolve)));
  }

  /** Settles every open call as `aborted`; when the run is suspended, stops them and leaves them open. */
  interrupt(): void {
    const { stopError, leavesCallsOpen } = this.run.lifetime;
    for (const call of this.calls) {
      if (!leavesCallsOpen) abortCall(call, stopError);
      else if (!call.isOver) {
        this.#stopAwaiting(call);
        call.cancel(stopError);
      }
    }
    this.#check();
  }

  #start(call: PendingCall): void {
    this.markActive(call);
    call.moveTo("preparing");
    this.#announceStart(call.call);
    if (call.isOver) {
      this.markIdle(call); // A listener has ended the run.
      return;
    }
    call.pipeline = runToolCall(call).then(() => this.#onPipelineEnd(call));
    // Its own code, up to its first wait, may have ended the run.
    if (call.wasAborted && call.isActive) this.#watchLeftBehind(call);
  }

  /** Nothing of the call runs any more. */
  #onPipelineEnd(call: PendingCall): void {
    if (!call.pending) this.run.claims.release(call.place);
    this.markIdle(call);
  }

  markActive(call: PendingCall): void {
    call.isActive = true;
    this.#activeCount++;
  }

  markIdle(call: PendingCall): void {
    if (call.isActive) this.#activeCount--;
    call.isActive = false;
    this.#check();
  }

  onSettled(call: PendingCall): void {
    if (this.run.config.gate.usesLabels) call.label = labelOfResult(call, call.result!);
    if (this.isOrphan(call)) return;
    this.#stopAwaiting(call);
    const wasStarted = call.isActive || call.pipeline;
    if (!wasStarted) this.#announceStart(call.call);
    this.#announceEnd(call);
    if (this.#isRecorded) this.#record(call);
    if (!wasStarted) this.run.claims.release(call.place);
    this.#check();
  }

  onSuspended(call: PendingCall): void {
    this.#stopAwaiting(call);
    this.#check();
  }

  /** A deaf tool keeps its claims and its slot until it has ended or is given up, so that two writers never meet. */
  onInterrupted(call: PendingCall): void {
    if (call.pipeline) this.#watchLeftBehind(call);
    else if (!call.isActive) this.run.claims.release(call.place);
    if (call.result?.status === "timeout") reportTimeout(call);
  }

  #watchLeftBehind(call: PendingCall): void {
    if (call.startedAt === 0 || (call.tool && isReplayable(call.tool))) this.#releaseClaims(call);
    const onGone = () => {
      this.#releaseClaims(call);
      releaseSlot(call);
    };
    const label = `Tool "${call.call.name}" (call ${call.call.id})`;
    this.run.abandoned.watch(call.pipeline!, label, onGone, "TOOL_ABANDONED");
  }

  /** Nobody waits for the call any more. */
  #releaseClaims(call: PendingCall): void {
    this.run.claims.release(call.place);
    this.markIdle(call);
  }

  #record(call: PendingCall): void {
    const calls = call.children?.record?.sessionId;
    const [result, label] = [call.result!, call.label];
    if (calls === undefined) this.run.recorder.record({ type: "tool-result", result, label });
    else this.run.recorder.record({ type: "tool-result", result, calls, ...(label && { label }) });
    // The outcome of an effect is kept while other calls still work: after a crash it would be unknown.
    if (this.#awaitedCount > 0 && call.startedAt > 0 && !isReplayable(call.tool!)) void this.run.recorder.commit();
  }

  // ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** A tool of an earlier message that is still running will release what the blocked calls need. */
  #isDone(): boolean {
    return this.#awaitedCount === 0 || (this.#activeCount === 0 && !this.run.claims.hasLeftovers);
  }

  #check(): void {
    const resolve = this.#onDone;
    if (!resolve || !this.#isDone()) return;
    this.#onDone = null;
    this.run.lifetime.underWay = null;
    this.#assertNobodyForgotten();
    // The next run on this session starts these calls again. From the last to the first, so that none proceeds now.
    for (let at = this.calls.length - 1; at >= 0; at--) {
      const call = this.calls[at]!;
      if (!call.result && !call.isVoid) this.run.claims.release(call.place);
    }
    resolve();
  }

  #assertNobodyForgotten(): void {
    if (this.#awaitedCount === 0 || this.run.lifetime.ending || this.calls.some(({ pending }) => pending)) return;
    const forgotten = this.calls.filter((call) => !call.isOver);
    if (forgotten.length === 0) return;
    const message = `${forgotten.length} tool calls were left without a result. This is a bug in the engine; please report it.`;
    this.run.stop("failed", new RunError("INTERNAL", { message }));
    this.interrupt();
  }
}
