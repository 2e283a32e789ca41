import { childTranscriptId } from "../engine/transcript/child-id.js";

const SHORT_ID_CHARS = 16;

/**
 * The session of the sub-agent that a call of `task` has started, whether or not it has ended: to show what the sub-agent did.
 *
 * `parentSessionId` is the session of the agent that made the call, `nth` counts the sub-agents of a tool of your own that
 * spawns several, from 1.
 */
export function subagentSessionId(parentSessionId: string, toolCallId: string, nth = 1): string {
  return childTranscriptId(parentSessionId, toolCallId, nth);
}

/** An id as a model reads and writes it: the beginning distinguishes sub-agents. */
export function shortSubagentId(id: string): string {
  return id.slice(0, SHORT_ID_CHARS);
}
