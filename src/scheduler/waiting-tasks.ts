import type { SessionStore } from "../contracts/session.js";
import { Transcript, waitingQuestions } from "../engine/transcript/transcript.js";
import type { Progress, TaskProgress } from "./progress.js";

/**
 * Tasks whose questions have been answered meanwhile go on: the answer may have reached their session and not the plan's, as
 * when the host resumes that session itself, or a crash comes between the two.
 */
export async function continueAnswered(store: SessionStore, progress: Progress): Promise<void> {
  for (const task of progress.withStatus("needs-approval")) {
    if (await isWaiting(store, task)) continue;
    task.status = "pending";
    task.isInterrupted = true;
  }
}

async function isWaiting(store: SessionStore, { requests }: TaskProgress): Promise<boolean> {
  for (const sessionId of new Set(requests.map((request) => request.sessionId))) {
    const transcript = new Transcript();
    for await (const entry of store.read(sessionId)) transcript.apply(entry);
    const open = new Set(waitingQuestions(transcript).map(({ id }) => id));
    if (requests.some(({ id }) => open.has(id))) return true;
  }
  return false;
}
