import type { PendingRequest } from "../../contracts/approval.js";
import type { RunSource } from "../run-source.js";

/** The questions a suspended run leaves: those of its result, or those its events reported. */
export async function unansweredQuestions(
  run: RunSource,
  asked: ReadonlyMap<string, PendingRequest>,
): Promise<readonly PendingRequest[]> {
  try {
    return (await run.result)?.pending ?? [...asked.values()];
  } catch {
    return [...asked.values()];
  }
}
