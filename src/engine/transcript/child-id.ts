import { strongDigest } from "../../json/digest.js";

const PREFIX = "sub-";

/** The session of the n-th child of a call: the same one whenever the call's tool is entered. */
export function childTranscriptId(parentTranscriptId: string, toolCallId: string, nth: number): string {
  return PREFIX + strongDigest([parentTranscriptId, toolCallId, nth]);
}

/** Whether a session is a sub-agent's. A list of sessions leaves them out, unless its `prefix` asks for them. */
export function isListed(sessionId: string, prefix: string): boolean {
  return sessionId.startsWith(prefix) && (prefix.startsWith(PREFIX) || !sessionId.startsWith(PREFIX));
}
