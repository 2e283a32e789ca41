import { ToolError } from "../../../contracts/errors.js";

/** Not about one file: an answer that left out what could not be opened just now would be wrong. */
const TROUBLE: Readonly<Record<string, string>> = {
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENOMEM: "the memory is used up",
  ERR_WORKER_INIT_FAILED: "no thread could be started for it",
};

export const TROUBLE_CODES: readonly string[] = Object.keys(TROUBLE);

/** Returns for a file or directory that is gone or may not be read. @throws ToolError `TOOL_FAILED` for trouble of the machine */
export function assertOnlyUnreadable(error: unknown): void {
  const trouble = troubleOf(error);
  if (trouble) throw trouble;
}

/** The report when the machine is in trouble; `null` for any other error. */
export function troubleOf(cause: unknown): ToolError | null {
  const { code = "" } = cause as NodeJS.ErrnoException;
  const trouble = TROUBLE[code];
  if (trouble === undefined) return null;
  const message = `The search could not be finished: ${trouble}. Try again, with fewer calls at the same time.`;
  return new ToolError("TOOL_FAILED", { message, retryable: true, details: { reason: code }, cause });
}
