import type { BaseTool } from "../../contracts/tool.js";

/**
 * Has every tool release what it holds for a session, or for all of them without an id, whatever one of them does.
 *
 * @throws what the first of those that failed has thrown
 */
export async function endToolSessions(tools: readonly BaseTool[], sessionId?: string): Promise<void> {
  const outcomes = await Promise.allSettled(tools.map(async (tool) => tool.endSession?.(sessionId)));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}
