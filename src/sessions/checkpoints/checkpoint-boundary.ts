import { ConfigurationError } from "../../contracts/errors.js";
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import { noSession } from "../session-tree.js";
import type { PlacedRecord } from "./checkpoint-plan.js";
import type { CheckpointRecord } from "./checkpoint-record.js";

/** The place of a call's results among a session's entries. */
interface Answered {
  readonly index: number;
  readonly runId: string;
  readonly at: number;
  readonly isSuccess: boolean;
}

interface Moment {
  /** The records of what had happened by then, and of what happened after; both in order. */
  readonly earlier: readonly PlacedRecord[];
  readonly later: readonly PlacedRecord[];
  /** The moment. Milliseconds since the epoch. */
  readonly at: number;
  /** The session's newest entry. */
  readonly newest: SessionEntry;
}

/**
 * Parts the records of a session at one of its entries: what had happened when the entry was recorded, and what had not.
 *
 * Entries are in the order in which things happened, whatever branch they are on. A change has happened once its call is
 * answered. Where no answer is, the clock decides: a sub-agent's calls are answered elsewhere, and an older session of the
 * same id had entries of its own. Memory: the answers of the calls that changed something.
 *
 * @throws SessionError `SESSION_NOT_FOUND`; @throws ConfigurationError `OPTION_INVALID` for an unknown entry
 */
export async function momentOf(
  sessions: SessionStore,
  sessionId: string,
  entryId: string,
  records: readonly CheckpointRecord[],
): Promise<Moment> {
  const answers = new Map<string, Answered[]>();
  const places = new Map<string, number>();
  for (const record of records) {
    if (record.kind === "rewind") places.set(record.afterEntry ?? "", -1);
    else if (record.toolCallId !== null) answers.set(record.toolCallId, []);
  }
  let target: { readonly index: number; readonly at: number } | undefined;
  let newest: SessionEntry | undefined;
  let index = 0;
  for await (const entry of sessions.read(sessionId)) {
    newest = entry;
    if (entry.id === entryId) target = { index, at: entry.at };
    if (places.has(entry.id)) places.set(entry.id, index);
    if (entry.type === "tool-result") {
      const { runId, at, result } = entry;
      answers.get(result.toolCallId)?.push({ index, runId, at, isSuccess: !result.isError });
    }
    index++;
  }
  if (!newest) throw noSession(sessionId);
  if (!target) throw noEntry(sessionId, entryId);
  const { index: targetIndex, at: targetAt } = target;

  const placed = records.map((record) => {
    const isBefore = record.at < targetAt;
    if (record.kind === "rewind") {
      const place = places.get(record.afterEntry ?? "") ?? -1;
      return { record, isCertain: true, isPast: place >= 0 ? place < targetIndex : isBefore };
    }
    const answer = record.isMainAgent ? answerOf(record, answers.get(record.toolCallId ?? "") ?? []) : undefined;
    const isPast = answer ? answer.index <= targetIndex : isBefore;
    return { record, isCertain: answer?.isSuccess ?? false, isPast };
  });
  const earlier = placed.filter(({ isPast }) => isPast);
  return { earlier, later: placed.filter(({ isPast }) => !isPast), newest, at: targetAt };
}

/** Ids of calls may come again on another branch. A call that was cut off is answered by the run that resumes it. */
function answerOf({ runId, at }: CheckpointRecord, answers: readonly Answered[]): Answered | undefined {
  return answers.find((answer) => answer.runId === runId) ?? answers.find((answer) => answer.at >= at);
}

function noEntry(sessionId: string, entryId: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `rewindFiles got the entry "${entryId}", which session "${sessionId}" does not have. Pass the id of one of its entries.`,
  });
}
