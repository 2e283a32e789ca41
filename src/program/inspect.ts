import type { CommandLine } from "./command-line.js";
import { UsageError } from "./exit-codes.js";
import type { ProgramIo } from "./program-io.js";

/** `loopwright inspect`: a session as a page. Resolves with the exit code. */
export async function inspectSession(_line: CommandLine, _io: ProgramIo): Promise<number> {
  throw new UsageError("inspect is not part of this build.");
}
