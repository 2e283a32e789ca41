// What the permission gate says about a call.
import type { JsonValue } from "../../../contracts/json.js";
import type { PermissionDecision, PermissionRequest } from "../../../contracts/permission.js";
import { copyJson } from "../../../json/copy.js";
import { describeThrown } from "../../../text/describe-thrown.js";
import { isThenable } from "../../../time/is-promise.js";
import type { PendingCall } from "../pending-call.js";
import { denyCall } from "../refuse-call.js";

/** Asks the gate about the call's input. Whatever is not understood is a denial. */
export function askGateAbout(
  call: PendingCall,
  hook: PermissionRequest["hook"],
): PermissionDecision | Promise<PermissionDecision> {
  const { environment, input } = call;
  const { agentPath, sessionId, transcriptId } = environment;
  try {
    const request = { tool: call.tool!, input: input as JsonValue, agentPath, sessionId, transcriptId, hook };
    const decided = environment.decide(request);
    if (!isThenable(decided)) return reported(call, withHookAsk(call, hook, readDecision(decided)));
    return Promise.resolve(decided)
      .then(readDecision, denialOf)
      .then((decision) => reported(call, withHookAsk(call, hook, decision)));
  } catch (error) {
    return reported(call, denialOf(error));
  }
}

/** Only the host can answer a hook's ask: a gate that allows has not answered it. */
function withHookAsk(
  call: PendingCall,
  hook: PermissionRequest["hook"],
  decision: PermissionDecision,
): PermissionDecision {
  if (hook?.behavior !== "ask" || decision.behavior !== "allow") return decision;
  return { ...decision, behavior: "ask", reason: hook.reason ?? `A hook asks about "${call.target.name}".` };
}

function reported(call: PendingCall, decision: PermissionDecision): PermissionDecision {
  if (!call.isOver) call.environment.reportDecision(call, decision);
  return decision;
}

function denialOf(error: unknown): PermissionDecision {
  return { behavior: "deny", reason: `The permission gate failed: ${describeThrown(error)}` };
}

/** Whether a call may start with the input it has. */
export function isUnconditionalAllow({ behavior, updatedInput }: PermissionDecision): boolean {
  return behavior === "allow" && updatedInput === undefined;
}

/** @throws CallRefused if the decision is a denial */
export async function denyIfRefused(call: PendingCall, decision: PermissionDecision): Promise<void> {
  if (call.isOver || decision.behavior !== "deny") return;
  await denyCall(call, decision.reason ?? `"${call.target.name}" is not allowed here.`);
}

/** A decision that can be relied on: anything that is not one means deny. */
export function readDecision(decision: PermissionDecision | undefined): PermissionDecision {
  const behavior = decision?.behavior;
  const isDecision = behavior === "allow" || behavior === "ask" || behavior === "deny";
  if (!isDecision || !isReadable(decision!)) return notUnderstood("a decision that is not understood");
  const { suggestions = [], rule } = decision!;
  if (suggestions.length === 0 && rule === undefined) return decision!;
  try {
    // They go into the session and to the host.
    const kept = copyJson({ suggestions, rule }, true) as unknown as Pick<PermissionDecision, "suggestions" | "rule">;
    return { ...decision!, ...kept };
  } catch (error) {
    return notUnderstood(`suggestions or a rule that are no JSON (${describeThrown(error)})`);
  }
}

function notUnderstood(what: string): PermissionDecision {
  return { behavior: "deny", reason: `The permission gate returned ${what}, so nothing was run.` };
}

/** Whether what comes with a decision can be read by a model and shown to a host. */
function isReadable({ reason, suggestions }: PermissionDecision): boolean {
  const isReason = reason === undefined || typeof reason === "string";
  return isReason && (suggestions === undefined || Array.isArray(suggestions));
}
