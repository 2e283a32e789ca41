import { strongDigest } from "../../json/digest.js";

const PREFIX = "sub-";

/** The session of the n-th child of a call: the same one whenever the call's tool is entered. */
export function childTranscriptId(parentTranscriptId: string, toolCallId: string, nth: number): string {
  return PREFIX + strongDigest([parentTranscriptId, toolCallId, nth]);
}

/** The session of what a host keeps of a session beside what was said, such as its title. It goes with it. */
export function noteTranscriptId(sessionId: string): string {
  return `${PREFIX}note-${strongDigest([sessionId])}`;
}

/** Whether a session is a sub-agent's. A list of sessions leaves them out, unless its `prefix` asks for them. */
export function isListed(sessionId: string, prefix: string): boolean {
  return sessionId.startsWith(prefix) && (prefix.startsWith(PREFIX) || !sessionId.startsWith(PREFIX));
}
