// The permission gate's answer about a call.
import type { JsonValue } from "../../../contracts/json.js";
import type { PermissionDecision, PermissionRequest } from "../../../contracts/permission.js";
import { copyJson } from "../../../json/copy.js";
import { describeThrown } from "../../../text/describe-thrown.js";
import { isThenable } from "../../../time/is-promise.js";
import { defaultGate } from "../../tools/tool-defaults.js";
import { denyCall } from "../fail-call.js";
import type { PendingCall } from "../pending-call.js";
import { FlowRequest } from "./flow-request.js";

/** Asks the gate about the call's input. Whatever is not understood is a denial. */
export function askGateAbout(
  call: PendingCall,
  hook: PermissionRequest["hook"],
): PermissionDecision | Promise<PermissionDecision> {
  try {
    const decided = decide(call, hook);
    if (!isThenable(decided)) return reported(call, withHookAsk(call, hook, readDecision(decided)));
    return Promise.resolve(decided)
      .then(readDecision, denialOf)
      .then((decision) => reported(call, withHookAsk(call, hook, decision)));
  } catch (error) {
    return reported(call, denialOf(error));
  }
}

function decide(call: PendingCall, hook: PermissionRequest["hook"]): PermissionDecision | Promise<PermissionDecision> {
  const { run, tool, input } = call;
  const { agentPath, sessionId, transcriptId, config, setup } = run;
  const { gate } = config;
  const own = gate === defaultGate ? (input as JsonValue) : copyForGate(input as JsonValue);
  const request: PermissionRequest = gate.usesLabels
    ? new FlowRequest(call, own, hook)
    : { tool: tool!, input: own, agentPath, sessionId, transcriptId, hook };
  return gate.decide(setup.mode ? Object.assign(request, { mode: setup.mode }) : request);
}

/** A gate of the host's cannot change what will be executed. What is not JSON, as a schema may make, is passed as it is. */
function copyForGate(input: JsonValue): JsonValue {
  if (typeof input !== "object" || input === null) return input;
  try {
    return isPlainJson(input) ? copyJson(input, true) : input;
  } catch {
    return input;
  }
}

/** Whether a copy is the same: instances of classes, which schemas make, would lose their kind. */
function isPlainJson(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint" && typeof value !== "function";
  if (Array.isArray(value)) return value.every(isPlainJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlainJson);
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
  if (!call.isOver) reportDecision(call, decision);
  return decision;
}

/** Reports what was decided. `by` names who has, when it was not the gate. */
export function reportDecision(
  { run, call, target, args }: PendingCall,
  decision: PermissionDecision,
  by?: string,
): void {
  if (!run.hasListeners("permission-decision")) return;
  const { mode } = run.setup;
  const about = { toolCallId: call.id, tool: target.name, input: args, decision };
  run.emit("permission-decision", { ...about, ...(mode && { mode }), ...(by !== undefined && { by }) });
}

function denialOf(error: unknown): PermissionDecision {
  return { behavior: "deny", reason: failureOfGate(error) };
}

export function failureOfGate(error: unknown): string {
  return `The permission gate failed: ${describeThrown(error)}`;
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
