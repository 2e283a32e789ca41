// The defaults of a tool, and the gate that goes by its permission alone.
import { ToolError } from "../../contracts/errors.js";
import type {
  GatedTool,
  PermissionDecision,
  PermissionGate,
  PermissionMode,
  PermissionRequest,
  PermissionResult,
} from "../../contracts/permission.js";
import type { BaseTool, ResourceClaim } from "../../contracts/tool.js";

/** Whether a call of this tool may start early and run again. */
export function isReplayable(tool: BaseTool): boolean {
  return tool.replayable ?? tool.permission === "read_only";
}

/** Time of a tool that does not say, where `limits` does not either. Unit: milliseconds. */
export const DEFAULT_TOOL_TIMEOUT_MS = 60_000;

/** The time that a tool may take; `null`: without a limit. `mostMs` is the host's limit, if it has set one. Unit: milliseconds. */
export function timeoutOf({ timeoutMs }: BaseTool, mostMs: number | undefined): number | null {
  if (timeoutMs === undefined) return mostMs ?? DEFAULT_TOOL_TIMEOUT_MS;
  return timeoutMs === null || mostMs === undefined ? timeoutMs : Math.min(timeoutMs, mostMs);
}

/** A hook, and what a tool does behind the hooks. */
export const DEFAULT_HOOK_TIMEOUT_MS = 60_000;

/** The key that overlaps every key. */
export const EVERYTHING = "*";

export const NO_CLAIMS: readonly ResourceClaim[] = [];
const READ_EVERYTHING: readonly ResourceClaim[] = [{ mode: "read", key: EVERYTHING }];
const WRITE_EVERYTHING: readonly ResourceClaim[] = [{ mode: "write", key: EVERYTHING }];

/** The claims of a call: those its tool states, else those that the tool's permission implies. @throws ToolError `TOOL_FAILED` */
export function claimsOfCall(tool: BaseTool, input: unknown, sessionId = ""): readonly ResourceClaim[] {
  if (tool.claims) return readClaims(tool.name, tool.claims(input, { sessionId }));
  if (tool.permission === "none") return NO_CLAIMS;
  return tool.permission === "read_only" ? READ_EVERYTHING : WRITE_EVERYTHING;
}

/** A copy: the claim table relies on claims that do not change. */
function readClaims(name: string, claims: unknown): readonly ResourceClaim[] {
  if (Array.isArray(claims) && claims.every(isClaim)) return claims.map(({ mode, key }) => ({ mode, key }));
  const message = `Tool "${name}" was not run: its claims() must return an array of { mode: "read" | "write", key: string }. This is a bug in the tool.`;
  throw new ToolError("TOOL_FAILED", { message });
}

function isClaim(claim: unknown): claim is ResourceClaim {
  if (typeof claim !== "object" || claim === null) return false;
  const { mode, key } = claim as Partial<ResourceClaim>;
  return (mode === "read" || mode === "write") && typeof key === "string";
}

/**
 * The gate when none is given: tools that only read run, everything else asks. A tool's own deny or ask counts.
 *
 * The modes `plan` and `dontAsk` deny what would be asked, and `bypassPermissions` allows what no tool denies and neither a
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
