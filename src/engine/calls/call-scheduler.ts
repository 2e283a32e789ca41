// Decides which of a run's calls may start: first the places they claim must be free, then one of the run's slots.
import { quickDigest } from "../../json/digest.js";
import { claimsOfCall, isReplayable } from "../tools/tool-defaults.js";
import { abortCall } from "./fail-call.js";
import type { PendingCall } from "./pending-call.js";

/** Takes the call's claims on its input, unless it has them already. */
export function takeClaims({ run, place, tool, input }: PendingCall): void {
  if (place.claims && place.claimedInput === input) return;
  place.claimedInput = input;
  run.claims.decide(place, claimsOfCall(tool!, input, run.sessionId));
}

/** Gives back the call's slot, if it has one. */
export function releaseSlot({ run, place }: PendingCall): void {
  if (!place.hasSlot) return;
  place.hasSlot = false;
  run.slots.release();
}

/**
 * Waits until what the call claims and a slot are free, and its start is recorded. Afterwards the call may start, or is
 * over. A promise only if there is something to wait for.
 */
export function waitForStart(call: PendingCall): void | Promise<void> {
  takeClaims(call);
  const { claims, slots } = call.run;
  const isUnblocked = claims.tryProceed(call.place);
  if (isUnblocked && slots.tryTake()) return takeSlot(call);
  return waitForTurn(call, isUnblocked);
}

async function waitForTurn(call: PendingCall, mayStart: boolean): Promise<void> {
  const { claims, slots } = call.run;
  let isUnblocked = mayStart;
  while (!call.isOver) {
    if (!isUnblocked) await whenUnblocked(call);
    if (call.isOver) return;
    if (!slots.tryTake() && !(await whenSlotIsFree(call))) return;
    if (call.place.startedAs > 0) return takeSlot(call);
    // It was parked while it waited for the slot.
    slots.release();
    isUnblocked = claims.tryProceed(call.place);
  }
}

/** Resolves when no call that must come first is left, or the call is over. */
function whenUnblocked(call: PendingCall): Promise<void> {
  const { place, message } = call;
  return new Promise((resolve) => {
    place.onUnblocked = () => {
      place.onUnblocked = () => {};
      call.moveTo("preparing");
      if (!call.isOver) message.markActive(call);
      resolve();
    };
    place.wasBlocked = true;
    call.moveTo("blocked");
    call.run.claims.wait(place);
    message.markIdle(call);
  });
}

/** Resolves with `true` when the call has a slot; with `false` when it is over before that. */
async function whenSlotIsFree(call: PendingCall): Promise<boolean> {
  const { slots } = call.run;
  let isGranted = false;
  let leaveQueue = () => {};
  const granted = new Promise<void>((resolve) => {
    leaveQueue = slots.wait(() => {
      isGranted = true;
      resolve();
    });
  });
  await call.unlessOver(granted);
  if (!call.isOver) return true;
  if (isGranted) slots.release();
  else leaveQueue();
  return false;
}

/** The slot is the call's until `releaseSlot`, which may come before the call's code has ended. */
function takeSlot(call: PendingCall): void | Promise<void> {
  call.place.hasSlot = true;
  if (call.isOver || isReplayable(call.tool!)) return;
  return recordStart(call);
}

/** Calls with effects leave a mark in the session before they start. */
async function recordStart(call: PendingCall): Promise<void> {
  const { recorder, lifetime } = call.run;
  recorder.record({ type: "tool-start", toolCallId: call.call.id, inputDigest: quickDigest(call.args) });
  const isRecorded = await recorder.commit();
  if (!isRecorded && !call.isOver) abortCall(call, lifetime.stopError);
}
