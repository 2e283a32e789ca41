import type { PermissionDecision, PermissionGate, PermissionRequest } from "../contracts/permission.js";

/** The gate when none is given: what only reads runs, everything else asks. A tool's own deny or ask counts. */
export const defaultGate: PermissionGate = {
  decide({ tool, input, agentPath = [], sessionId = "", hook }: PermissionRequest): PermissionDecision {
    if (typeof tool === "string") return ask(tool);
    const own = tool.checkPermission?.(input, { agentPath, sessionId });
    if (own?.behavior === "deny" || own?.behavior === "ask") {
      return {
        behavior: own.behavior,
        reason: own.reason ?? `Tool "${tool.name}" answers ${own.behavior} for this input.`,
      };
    }
    if (hook?.behavior === "ask")
      return { behavior: "ask", reason: hook.reason ?? `A hook asks about "${tool.name}".` };
    const harmless = tool.permission === "none" || tool.permission === "read_only";
    if (harmless || hook?.behavior === "allow" || own?.behavior === "allow") return ALLOW;
    return ask(tool.name);
  },
};

const ALLOW: PermissionDecision = Object.freeze({ behavior: "allow" });

function ask(name: string): PermissionDecision {
  const reason = `Tool "${name}" needs approval. To allow it, pass an approver, for example: approver: ({ tool }) => ({ decision: tool === "${name}" ? "allow" : "deny" })`;
  return { behavior: "ask", reason };
}
