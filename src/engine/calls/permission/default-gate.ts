import type {
  GatedTool,
  PermissionDecision,
  PermissionGate,
  PermissionMode,
  PermissionRequest,
  PermissionResult,
} from "../../../contracts/permission.js";

/**
 * The gate when none is given: tools that only read run, everything else asks. A tool's own deny or ask counts.
 *
 * Of the modes, `plan` and `dontAsk` deny what would be asked, and `bypassPermissions` allows what no tool denies and neither a
 * tool nor a hook wants asked.
 * Call it from a gate of your own for the calls you have no opinion on.
 */
export const defaultGate: PermissionGate = {
  decide({ tool, input, agentPath = [], sessionId = "", hook, mode }: PermissionRequest) {
    if (typeof tool === "string") return mode === "bypassPermissions" ? ALLOW : inMode(mode, ask(tool));
    const own = tool.checkPermission?.(input, { agentPath, sessionId });
    const by = (opinion: PermissionResult | undefined) => decideBy(tool, opinion, { hook, mode });
    return own instanceof Promise ? own.then(by) : by(own);
  },
};

function decideBy(
  tool: GatedTool,
  own: PermissionResult | undefined,
  { hook, mode }: Pick<PermissionRequest, "hook" | "mode">,
): PermissionDecision {
  if (own?.behavior === "deny") return { behavior: "deny", reason: reasonOf(tool, own.reason, "denies") };
  if (own?.behavior === "ask")
    return inMode(mode, { behavior: "ask", reason: reasonOf(tool, own.reason, "asks about") });
  if (hook?.behavior === "ask") {
    return inMode(mode, { behavior: "ask", reason: hook.reason ?? `A hook asks about "${tool.name}".` });
  }
  if (tool.permission === "none" || tool.permission === "read_only") return ALLOW;
  if (mode === "bypassPermissions") return ALLOW;
  if (mode !== "plan" && (hook?.behavior === "allow" || own?.behavior === "allow")) return ALLOW;
  return inMode(mode, ask(tool.name));
}

const ALLOW: PermissionDecision = Object.freeze({ behavior: "allow" });

/** The decision about a call that would be asked, as the mode changes it. */
function inMode(mode: PermissionMode | undefined, asked: PermissionDecision): PermissionDecision {
  if (mode !== "plan" && mode !== "dontAsk") return asked;
  return { behavior: "deny", reason: `${asked.reason} Mode "${mode}" does not ask, so it was not run.` };
}

function reasonOf(tool: GatedTool, reason: string | undefined, verb: string): string {
  return reason ?? `Tool "${tool.name}" ${verb} this input.`;
}

function ask(name: string): PermissionDecision {
  const reason = `Tool "${name}" needs approval. To allow it, pass an approver, for example: approver: ({ tool }) => ({ decision: tool === "${name}" ? "allow" : "deny" })`;
  return { behavior: "ask", reason };
}
