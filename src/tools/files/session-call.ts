import type { ToolContext } from "../../contracts/tool.js";

/** The call a change belongs to, as the session's entries have it: a sub-agent works for a call of the main agent. */
export function callInSession({ rootCall, sessionId, transcriptId, runId, toolCallId }: ToolContext) {
  return rootCall ? { transcriptId: sessionId, ...rootCall } : { transcriptId, runId, toolCallId };
}
