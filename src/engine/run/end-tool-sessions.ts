import type { BaseTool } from "../../contracts/tool.js";

/**
 * Tells every tool that a session has ended, or all of them without an id, whatever one of them does.
 *
 * @throws what the first of those that failed has thrown
 */
export async function letGo(tools: readonly BaseTool[], sessionId?: string): Promise<void> {
  const outcomes = await Promise.allSettled(tools.map(async (tool) => tool.endSession?.(sessionId)));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}
