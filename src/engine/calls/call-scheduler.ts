import { quickDigest } from "../../json/digest.js";
import type { ClaimTable } from "./claims.js";
import type { PendingCall } from "./pending-call.js";
import { claimsOfCall, isReplayable } from "./tool-defaults.js";

/** Who of a run's calls may start: first what they claim must be free, then one of the run's slots. */
export class CallScheduler {
  private readonly slots: ConcurrencyLimit;

  constructor(
    private readonly claims: ClaimTable,
    /** Calls at work at once; 0 for any number. */
    maxConcurrent: number,
    private readonly run: {
      /** `false`: it could not be kept. */
      recordStart(call: PendingCall, inputDigest: string): Promise<boolean>;
      abortCall(call: PendingCall): void;
    },
  ) {
    this.slots = new ConcurrencyLimit(maxConcurrent || Number.POSITIVE_INFINITY);
  }

  /** Takes the call's claims on its input, unless it has them already. */
  claim(call: PendingCall): void {
    if (call.claims && call.claimedInput === call.input) return;
    call.claimedInput = call.input;
    this.claims.decide(call, claimsOfCall(call.tool!, call.input));
  }

  /** Afterwards the call may start, or is over. */
  waitForStart(call: PendingCall): void | Promise<void> {
    const isUnblocked = this.claims.tryProceed(call);
    if (isUnblocked && this.slots.tryTake()) return this.#takeSlot(call);
    return this.#waitForTurn(call, isUnblocked);
  }

  /** Gives back the call's slot, if it has one. */
  releaseSlot(call: PendingCall): void {
    if (!call.hasSlot) return;
    call.hasSlot = false;
    this.slots.release();
  }

  async #waitForTurn(call: PendingCall, mayStart: boolean): Promise<void> {
    let isUnblocked = mayStart;
    while (!call.isOver) {
      if (!isUnblocked) await this.#whenUnblocked(call);
      if (call.isOver) return;
      if (!this.slots.tryTake() && !(await this.#whenSlotIsFree(call))) return;
      if (call.startedAs > 0) return this.#takeSlot(call);
      // It was parked while it waited for the slot.
      this.slots.release();
      isUnblocked = this.claims.tryProceed(call);
    }
  }

  /** Resolves when no call that must come first is left, or the call is over. */
  #whenUnblocked(call: PendingCall): Promise<void> {
    return new Promise((resolve) => {
      call.onUnblocked = () => {
        call.onUnblocked = () => {};
        call.moveTo("preparing");
        if (!call.isOver) call.environment.markActive(call);
        resolve();
      };
      call.wasBlocked = true;
      call.moveTo("blocked");
      this.claims.wait(call);
      call.environment.markIdle(call);
    });
  }

  /** Resolves with `true` when the call has a slot; with `false` when it is over before that. */
  async #whenSlotIsFree(call: PendingCall): Promise<boolean> {
    let isGranted = false;
    let leaveQueue = () => {};
    const granted = new Promise<void>((resolve) => {
      leaveQueue = this.slots.wait(() => {
        isGranted = true;
        resolve();
      });
    });
    await call.unlessOver(granted);
    if (!call.isOver) return true;
    if (isGranted) this.slots.release();
    else leaveQueue();
    return false;
  }

  /** The slot is the call's until `releaseSlot`, which may come before the call's code has ended. */
  #takeSlot(call: PendingCall): void | Promise<void> {
    call.hasSlot = true;
    if (call.isOver || isReplayable(call.tool!)) return;
    return this.#markStart(call);
  }

  /** Calls with effects leave a mark in the session before they start. */
  async #markStart(call: PendingCall): Promise<void> {
    const isRecorded = await this.run.recordStart(call, quickDigest(call.args));
    if (!isRecorded && !call.isOver) this.run.abortCall(call);
  }
}

/**
 * How many tools of a run may be at work at once. First come, first served.
 *
 * Counted by hand: a queue with a promise for each job costs more than the rest of a call's way through the engine,
 * and nearly every call finds a slot free.
 */
export class ConcurrencyLimit {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a slot if one is free. */
  tryTake(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  /** Calls `granted` when a slot is taken on the caller's behalf. Returns what leaves the queue. */
  wait(granted: () => void): () => void {
    this.#waiting.push(granted);
    return () => {
      const at = this.#waiting.indexOf(granted);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
  }

  /** Gives one slot back. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
