import { ToolError } from "../../contracts/errors.js";
import type { BaseTool } from "../../contracts/tool.js";
import { settlesWithin } from "../../time/settles-within.js";
import type { EngineConfig } from "../options/options.js";
import { patienceOf } from "../run/abandoned-work.js";

/**
 * Has every tool release what it holds for a session, or for all of them without an id, and then the artifact store what it
 * holds for the session, whatever one of them does. One that is not done in time is left behind.
 *
 * @throws what the first of those that failed has thrown; ToolError `TOOL_TIMEOUT` for one that was left behind
 */
export async function endHeld(
  { artifacts, limits }: Pick<EngineConfig, "artifacts" | "limits">,
  tools: readonly BaseTool[],
  sessionId?: string,
): Promise<void> {
  const patienceMs = patienceOf(limits);
  try {
    await endToolSessions(tools, patienceMs, sessionId);
  } finally {
    if (sessionId !== undefined && artifacts?.endSession)
      await within(patienceMs, "endSession() of the artifact store", () => artifacts.endSession!(sessionId));
  }
}

async function endToolSessions(
  tools: readonly BaseTool[],
  patienceMs: number,
  sessionId: string | undefined,
): Promise<void> {
  const ending = tools.flatMap((tool) =>
    tool.endSession
      ? [within(patienceMs, `endSession() of tool "${tool.name}"`, () => tool.endSession!(sessionId))]
      : [],
  );
  const outcomes = await Promise.allSettled(ending);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}

async function within(patienceMs: number, what: string, end: () => void | Promise<void>): Promise<void> {
  const ending = (async () => end())();
  if (await settlesWithin(ending, patienceMs)) return ending;
  throw new ToolError("TOOL_TIMEOUT", { message: `${what} did not end within ${patienceMs} ms; it was left behind.` });
}
