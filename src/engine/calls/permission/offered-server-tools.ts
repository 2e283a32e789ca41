// Tools that the vendor's server runs by itself. No gate decides about their calls, so the gate is asked whether they may be
// offered at all: before each model call, since modes and rules change.
import type { PermissionRequest } from "../../../contracts/permission.js";
import { describeThrown } from "../../../text/describe-thrown.js";
import type { RunState } from "../../run/run-state.js";
import { readDecision } from "./gate.js";

/** The host has given them to the provider, which is its yes; nobody can be asked before the server acts. */
const GIVEN: PermissionRequest["hook"] = { behavior: "allow", reason: "The host has given this tool to the provider." };

/** Finds out which of the provider's server tools may be offered. Resolves with whether others were offered before. */
export async function offerServerTools(run: RunState): Promise<boolean> {
  const { serverTools: all } = run.provider;
  if (!all || all.length === 0) return false;
  const before = run.prompt.serverTools;
  const offered: string[] = [];
  for (const name of all) {
    const refusal = await refusalOf(run, name);
    if (run.lifetime.ending) return false;
    if (refusal === null) offered.push(name);
    else if (before?.includes(name) ?? true) {
      const message = `The server's tool "${name}" is not offered to the model: ${refusal}`;
      run.notice("SERVER_TOOL_REFUSED", message, { tool: name });
    }
  }
  if (before && before.join() === offered.join()) return false;
  run.prompt.serverTools = offered;
  run.prompt.request = null;
  return before !== null;
}

/** The reason why a tool may not be offered; `null` if it may. */
async function refusalOf(run: RunState, name: string): Promise<string | null> {
  const { config, agentPath, sessionId, transcriptId, setup } = run;
  if (setup.mayUseServerTool?.(name) === false) return `the sub-agent "${agentPath.at(-1)}" does not have it.`;
  const tool = { name, permission: "execute" } as const;
  const place = { agentPath, sessionId, transcriptId, ...(setup.mode && { mode: setup.mode }) };
  const request: PermissionRequest = { tool, input: {}, isOffer: true, hook: GIVEN, ...place };
  try {
    const asked = Promise.resolve(config.gate.decide(request));
    const { behavior, reason = "the gate denies it." } = readDecision(
      await run.lifetime.unlessStopped(asked, "The gate"),
    );
    if (behavior === "allow") return null;
    return behavior === "deny" ? reason : `nobody can be asked before the server runs it. ${reason}`;
  } catch (error) {
    return `the gate failed: ${describeThrown(error)}`;
  }
}
