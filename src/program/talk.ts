import { UsageError } from "./exit-codes.js";

/** The conversation at a terminal. Resolves with the exit code. */
export async function talk(_about: object): Promise<number> {
  throw new UsageError("This build has no terminal. Run one prompt with -p.");
}
