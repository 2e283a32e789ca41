import { AgentEngine, type BaseTool, type ProviderAdapter, type RunResult } from "loopwright";
import { noop } from "./floors.js";

/** An engine with its defaults, but for the number of turns it may take. */
export function engineFor(provider: ProviderAdapter, tool: BaseTool = noop, maxTurns = 100_000): AgentEngine {
  return new AgentEngine({ provider, tools: [tool], limits: { maxTurns } });
}

/** A run that ended otherwise has measured something else. */
export function mustComplete<R extends RunResult>(result: R): R {
  if (result.status !== "completed") throw result.error ?? new Error(`The run ended as "${result.status}".`);
  return result;
}
