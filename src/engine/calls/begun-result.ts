// The result of a call whose tool had begun and did not come to its own end: the model reads that, and what the tool has called.
import type { ToolResult } from "../../contracts/tool-call.js";
import { CallChildren } from "../run/call-children.js";
import type { RunState } from "../run/run-state.js";
import { callsMade } from "../transcript/stored-calls.js";
import type { PendingCall } from "./pending-call.js";
import { unknownResult } from "./tool-result.js";

/** The calls that a call's tool has made; `undefined` for none, and for a record that cannot be read. */
export function madeOnRecord({ config, lifetime }: RunState, recordId: string, toolCallId: string) {
  const reading = callsMade(config.store, recordId, toolCallId);
  return lifetime.unlessStopped(reading, `The record of call "${toolCallId}"`).catch(() => undefined);
}

/** `result`: what ends the call, in other words than its tool's. */
export function begunResult(result: ToolResult, made: Awaited<ReturnType<typeof callsMade>>): ToolResult {
  const { toolCallId: id, name, status, output } = result;
  const begun = status === "unknown" ? "" : ` ${unknownResult({ id, name }).output}`;
  const text = made ? `${begun} Its calls on record: ${made.shown}.` : begun;
  const whole = typeof output === "string" ? output + text : [...output, { type: "text" as const, text: text.trim() }];
  return { ...result, output: whole, outcome: "unknown" };
}

/** The same for a call of this run. */
export async function endBegun(call: PendingCall, result: ToolResult): Promise<ToolResult> {
  const { run } = call;
  const made = await madeOnRecord(run, run.recordId, call.call.id);
  if (made) {
    call.children ??= new CallChildren();
    call.children.record ??= { sessionId: made.calls, close: async () => undefined };
  }
  return begunResult(result, made);
}
