// The one pipeline every tool call goes through. A refusal or a failure is a result the model can read; nothing here
// throws to the caller.
import { releaseSlot, waitForStart } from "./call-scheduler.js";
import { execute } from "./execute-call.js";
import { CallRefused } from "./fail-call.js";
import { fitResult, postToolUse } from "./finish-call.js";
import type { PendingCall } from "./pending-call.js";
import { askGate, askHost } from "./permission/authorize-call.js";
import { findTool, parseInput, preToolUse } from "./prepare-call.js";
import { failureResult } from "./tool-result.js";

/** One step of a call. Most are over at once, so a promise is returned only if there is something to wait for. */
type Stage = (call: PendingCall) => void | Promise<void>;

const STAGES: readonly Stage[] = [
  findTool,
  parseInput,
  preToolUse,
  askGate,
  askHost,
  waitForStart,
  execute,
  postToolUse,
  fitResult,
];
const ASK_HOST = STAGES.indexOf(askHost);
const EXECUTE = STAGES.indexOf(execute);

/** Brings one call to its result, or to the question it is suspended with. Never rejects. */
export async function runToolCall(call: PendingCall): Promise<void> {
  try {
    let stage = 0;
    while (stage < STAGES.length && !call.isOver) {
      const work = STAGES[stage]!(call);
      if (work) await work;
      stage = stage === EXECUTE && call.suspension ? ASK_HOST : stage + 1;
    }
  } catch (error) {
    call.settle(CallRefused.resultOf(error) ?? failureResult(call.call, error, 0));
  } finally {
    releaseSlot(call);
  }
}
