import type { Answer, PendingRequest } from "../../contracts/approval.js";
import { SessionError } from "../../contracts/errors.js";
import type { SessionEntry } from "../../contracts/session.js";
import { branchOf } from "../../engine/transcript/branch.js";
import { Transcript, waitingQuestions } from "../../engine/transcript/transcript.js";

/** The questions of a session that wait for an answer. */
export function questionsIn(entries: readonly SessionEntry[]): readonly PendingRequest[] {
  return waitingQuestions(transcriptOf(entries));
}

/**
 * Lets answers through that answer something, and those to a run that has not ended: it may have had them before its process was killed.
 *
 * @throws SessionError `CHAT_DIFFERS` where none of their questions waits any more
 */
export function checkAnswers(answers: readonly Answer[], entries: readonly SessionEntry[]): void {
  if (answers.length === 0 || entries.length === 0) return;
  const transcript = transcriptOf(entries);
  const waiting = new Set(waitingQuestions(transcript).map(({ id }) => id));
  if (transcript.unfinished || answers.some((answer) => waiting.has(Object(answer).id))) return;
  throw new SessionError("CHAT_DIFFERS", {
    message:
      "The question does not wait any more: it was answered already, or the chat went on without it. Load the chat again.",
    details: { questions: answers.map((answer) => String(Object(answer).id)), waiting: [...waiting] },
  });
}

function transcriptOf(entries: readonly SessionEntry[]): Transcript {
  const transcript = new Transcript();
  for (const entry of branchOf(entries)) transcript.apply(entry);
  return transcript;
}
