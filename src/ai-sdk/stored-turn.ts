// An unfinished turn as its session has it: what a process goes on with that has not begun it.
import type { PendingRequest } from "../contracts/approval.js";
import type { SessionEntry, SessionStore } from "../contracts/session.js";
import type { Usage } from "../contracts/usage.js";
import { addUsage, NO_USAGE } from "../engine/run/usage-meter.js";
import { branchOf } from "../engine/transcript/branch.js";
import { isPrompt } from "../engine/transcript/message-shape.js";
import { Transcript, waitingQuestions } from "../engine/transcript/transcript.js";
import type { OpenStep } from "./turn-parts.js";

export interface StoredTurn {
  readonly isEmpty: boolean;
  /** Whether the last run has not come to an end of its own: it waits, was aborted, or its process was killed. */
  readonly isUnfinished: boolean;
  readonly questions: readonly PendingRequest[];
  /** The step whose calls are open. */
  readonly step: OpenStep | undefined;
  /** Of the model calls since the prompt. */
  readonly usage: Usage;
}

export async function readTurn(store: SessionStore, sessionId: string): Promise<StoredTurn> {
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(sessionId)) entries.push(entry);
  const transcript = new Transcript();
  for (const entry of branchOf(entries)) transcript.apply(entry);
  const { messages, open, unfinished, lastStatus, lastAssistant } = transcript;
  const since = messages.slice(messages.findLastIndex(isPrompt) + 1);
  return {
    isEmpty: entries.length === 0,
    isUnfinished: unfinished || open !== null || lastStatus === "needs-approval" || lastStatus === "aborted",
    questions: waitingQuestions(transcript),
    step: open && lastAssistant ? { finishReason: lastAssistant.finishReason, usage: lastAssistant.usage } : undefined,
    usage: since.reduce((sum, one) => addUsage(sum, (one.role === "assistant" && one.usage) || NO_USAGE), NO_USAGE),
  };
}
