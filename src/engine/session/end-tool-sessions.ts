import { ToolError } from "../../contracts/errors.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { settlesWithin } from "../../time/settles-within.js";

/**
 * Has every tool release what it holds for a session, or for all of them without an id, whatever one of them does. One that
 * is not done within `patienceMs` is left behind.
 *
 * @throws what the first of those that failed has thrown; ToolError `TOOL_TIMEOUT` for one that was left behind
 */
export async function endToolSessions(
  tools: readonly BaseTool[],
  patienceMs: number,
  sessionId?: string,
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

/** The same for the artifacts of a session. */
export async function endArtifacts(
  artifacts: ArtifactStore | undefined,
  patienceMs: number,
  sessionId: string,
): Promise<void> {
  if (artifacts?.endSession)
    await within(patienceMs, "endSession() of the artifact store", () => artifacts.endSession!(sessionId));
}

async function within(patienceMs: number, what: string, end: () => void | Promise<void>): Promise<void> {
  const ending = (async () => end())();
  if (await settlesWithin(ending, patienceMs)) return ending;
  throw new ToolError("TOOL_TIMEOUT", { message: `${what} did not end within ${patienceMs} ms; it was left behind.` });
}
