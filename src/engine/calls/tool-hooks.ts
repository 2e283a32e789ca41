// The hooks about one tool call.
import type { HookOutcome, HookPayloads, HookPoint } from "../../contracts/hook.js";
import type { PendingCall } from "./pending-call.js";

type ToolHookPoint = "PreToolUse" | "PermissionDenied" | "PostToolUse" | "PostToolUseFailure";

/** The outcome of a dispatcher that has hooks at a point, and then has none. */
const NOTHING_SAID: HookOutcome = {
  continue: true,
  blocked: false,
  additionalContext: [],
  systemMessages: [],
  updatedPermissions: [],
  failures: [],
};

export function hasHook({ run }: PendingCall, point: HookPoint): boolean {
  return run.config.hooks?.has(point) ?? false;
}

/** Runs a point's hooks. What they want the model to know reaches it after the turn. */
export async function fireToolHook<P extends ToolHookPoint>(
  call: PendingCall,
  point: P,
  payload: HookPayloads[P],
): Promise<HookOutcome> {
  const outcome = (await call.run.hooks.fire(point, payload, call.target.name)) ?? NOTHING_SAID;
  queueContext(call, point, outcome);
  return outcome;
}

/** The pipeline of a call that timed out ends without its hooks; nobody waits for them here. */
export function reportTimeout(call: PendingCall): void {
  const point = "PostToolUseFailure";
  if (!hasHook(call, point)) return;
  const { output, durationMs } = call.result!;
  const payload = { ...call.hookPayload, error: String(output), isInterrupt: false, durationMs };
  void call.run.hooks
    .fireAside(point, payload, call.target.name)
    .then((outcome) => queueContext(call, point, outcome ?? NOTHING_SAID));
}

function queueContext({ run, isVoid }: PendingCall, point: ToolHookPoint, outcome: HookOutcome): void {
  const { hookContext } = run.inbox;
  if (!isVoid) hookContext.push(...outcome.additionalContext);
  if (point !== "PreToolUse" && outcome.blocked && outcome.reason) hookContext.push(outcome.reason);
}
