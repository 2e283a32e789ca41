// What the permission gate says about a call.
import type { JsonValue } from "../../contracts/json.js";
import type { PermissionDecision, PermissionRequest } from "../../contracts/permission.js";
import type { BaseTool } from "../../contracts/tool.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { isThenable } from "../../time/is-promise.js";
import type { CallHost } from "./call-environment.js";
import type { CallRun } from "./pending-call.js";

/** Asks the gate. Whatever is not understood is a deny. */
export function decide(
  call: CallRun,
  tool: BaseTool,
  input: unknown,
  hook: PermissionRequest["hook"],
  host: CallHost,
): PermissionDecision | Promise<PermissionDecision> {
  const { agentPath, sessionId, transcriptId } = call.scope;
  try {
    const decided = host.decide({ tool, input: input as JsonValue, agentPath, sessionId, transcriptId, hook });
    if (!isThenable(decided)) return told(call, heeding(hook, understood(decided), tool), host);
    return decided
      .then(understood, deniedByFailure)
      .then((decision) => told(call, heeding(hook, decision, tool), host));
  } catch (error) {
    return told(call, deniedByFailure(error), host);
  }
}

/** A hook's ask is nobody's to answer but the host's: a gate that allows has not answered it. */
function heeding(hook: PermissionRequest["hook"], decision: PermissionDecision, tool: BaseTool): PermissionDecision {
  if (hook?.behavior !== "ask" || decision.behavior !== "allow") return decision;
  return { ...decision, behavior: "ask", reason: hook.reason ?? `A hook asks about "${tool.name}".` };
}

function told(call: CallRun, decision: PermissionDecision, host: CallHost): PermissionDecision {
  if (!call.over) host.onDecision(call, decision);
  return decision;
}

function deniedByFailure(error: unknown): PermissionDecision {
  return { behavior: "deny", reason: `The permission gate failed: ${describeThrown(error)}` };
}

/** A decision that can be relied on: anything that is none means deny. */
export function understood(decision: PermissionDecision | undefined): PermissionDecision {
  const behavior = decision?.behavior;
  const isDecision = behavior === "allow" || behavior === "ask" || behavior === "deny";
  if (isDecision && isReadable(decision!)) return decision!;
  return { behavior: "deny", reason: "The permission gate gave an answer that is not understood, so nothing was run." };
}

/** Whether what comes with a decision is what a model can read and a host can be shown. */
function isReadable({ reason, suggestions }: PermissionDecision): boolean {
  const isReason = reason === undefined || typeof reason === "string";
  return isReason && (suggestions === undefined || Array.isArray(suggestions));
}

/** Whether a call may start as it was asked for, with nobody else to ask. */
export function isPlainYes({ behavior, updatedInput }: PermissionDecision): boolean {
  return behavior === "allow" && updatedInput === undefined;
}
