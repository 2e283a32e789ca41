// The id of a server-sent event: "runId:seq". A browser sends the last one it has as Last-Event-ID.
import { optionError } from "../json/check-options.js";

/** The place to go on from: the number or the id (`runId:seq`) of the last event the client has. */
export type EventPosition = number | string;

/** A number at least as high as any event's, for a client that has all there is of a run that is not known any more. */
export const HIGHEST_SEQ = 999_999_999_999_999;

export function eventId(runId: string, seq: number): string {
  return `${runId}:${seq}`;
}

/**
 * The number of the last event the client has; 0 for the beginning. An id of another run counts as the beginning, since
 * the client has nothing of this one.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function positionIn(runId: string | undefined, from: EventPosition | undefined, owner: string): number {
  if (from === undefined || from === "") return 0;
  if (typeof from === "number" && Number.isSafeInteger(from) && from >= 0) return from;
  const match = typeof from === "string" ? /^(?:(.{1,512}):)?(\d{1,15})$/s.exec(from) : null;
  if (!match) throw optionError(owner, "from", from, 'the number of an event, or its id as "runId:seq"');
  const isOfAnother = match[1] !== undefined && runId !== undefined && match[1] !== runId;
  return isOfAnother ? 0 : Number(match[2]);
}
