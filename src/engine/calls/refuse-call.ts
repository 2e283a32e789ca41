// Ends a call's pipeline with a result that is not a success.
import type { ErrorCode } from "../../contracts/errors.js";
import type { ToolResult, ToolStatus } from "../../contracts/tool-call.js";
import type { PendingCall } from "./pending-call.js";
import { errorResult } from "./tool-result.js";

/** Thrown by a stage; carries the result the call gets. */
export class CallRefused extends Error {
  readonly #result: ToolResult;

  constructor(result: ToolResult) {
    super("refused");
    this.#result = result;
  }

  /** Unlike `instanceof`, this runs no code of what was thrown. */
  static resultOf(thrown: unknown): ToolResult | undefined {
    return typeof thrown === "object" && thrown !== null && #result in thrown ? thrown.#result : undefined;
  }
}

/** @throws CallRefused */
export function refuseCall(
  call: PendingCall,
  status: Exclude<ToolStatus, "success">,
  code: ErrorCode,
  message: string,
): never {
  throw new CallRefused(errorResult(call.call, status, code, message));
}

/** Runs the hooks for a denied call, then ends it. @throws CallRefused */
export async function denyCall(call: PendingCall, reason: string): Promise<never> {
  const { environment } = call;
  if (environment.hasHook("PermissionDenied")) {
    await call.unlessOver(environment.runHook(call, "PermissionDenied", { ...call.hookPayload, reason }));
  }
  return refuseCall(call, "denied", "PERMISSION_DENIED", reason);
}
