// The defaults of a tool.
import { ToolError } from "../../contracts/errors.js";
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
