import type { PermissionDecision } from "../../../contracts/permission.js";

/** A decision that can be relied on: anything that is not one means deny. */
export function readDecision(decision: PermissionDecision | undefined): PermissionDecision {
  const behavior = decision?.behavior;
  const isDecision = behavior === "allow" || behavior === "ask" || behavior === "deny";
  if (isDecision && isReadable(decision!)) return decision!;
  return {
    behavior: "deny",
    reason: "The permission gate returned a decision that is not understood, so nothing was run.",
  };
}

/** Whether what comes with a decision can be read by a model and shown to a host. */
function isReadable({ reason, suggestions }: PermissionDecision): boolean {
  const isReason = reason === undefined || typeof reason === "string";
  return isReason && (suggestions === undefined || Array.isArray(suggestions));
}
