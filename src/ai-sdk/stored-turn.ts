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
  /** The usage of the model calls since the prompt, and their number. */
  readonly usage: Usage;
  readonly turns: number;
}

export async function readTurn(store: SessionStore, sessionId: string): Promise<StoredTurn> {
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(sessionId)) entries.push(entry);
  const transcript = new Transcript();
  const branch = branchOf(entries);
  for (const entry of branch) transcript.apply(entry);
  const { open, unfinished, lastStatus, lastAssistant } = transcript;
  return {
    isEmpty: entries.length === 0,
    isUnfinished: unfinished || open !== null || lastStatus === "needs-approval" || lastStatus === "aborted",
    questions: waitingQuestions(transcript),
    step: open && lastAssistant ? { finishReason: lastAssistant.finishReason, usage: lastAssistant.usage } : undefined,
    ...usedSince(branch.slice(branch.findLastIndex((one) => one.type === "message" && isPrompt(one.message)) + 1)),
  };
}

/** Runs say at their end what they have used, with their sub-agents. Of one that was killed, its messages do. */
function usedSince(entries: readonly SessionEntry[]): Pick<StoredTurn, "usage" | "turns"> {
  let usage = NO_USAGE;
  let unreported = NO_USAGE;
  let turns = 0;
  for (const entry of entries) {
    if (entry.type === "run-end") {
      usage = addUsage(usage, entry.usage);
      unreported = NO_USAGE;
    } else if (entry.type === "message" && entry.message.role === "assistant") {
      turns++;
      unreported = addUsage(unreported, entry.message.usage ?? NO_USAGE);
    }
  }
  return { usage: addUsage(usage, unreported), turns };
}
