import type { SessionStore } from "../../contracts/session.js";
import type { CommandLine } from "../command-line.js";
import { UsageError } from "../exit-codes.js";
import { type ImportPlace, importFile, isSessionFile } from "./import-file.js";
import { findSessions, newestSession } from "./session-list.js";

/** The session that the command line goes on with; `undefined` for a new one. @throws UsageError when it is not there */
export async function chooseSession(
  { resume, continueLast }: Pick<CommandLine, "resume" | "continueLast">,
  store: SessionStore,
  place: ImportPlace & { readonly names?: ReadonlyMap<string, string> },
): Promise<string | undefined> {
  if (resume !== undefined && isSessionFile(resume)) return importFile(store, resume, place);
  if (resume !== undefined) return requireSession(store, resume, place.names);
  if (!continueLast) return undefined;
  const newest = await newestSession(store);
  if (newest !== undefined) return newest;
  throw new UsageError("There is no session of this project to go on with. Leave --continue out.");
}

/** @throws UsageError */
export async function requireSession(
  store: SessionStore,
  id: string,
  names?: ReadonlyMap<string, string>,
): Promise<string> {
  const found = await findSessions(store, id, names);
  if (found.length === 1) return found[0]!;
  const hint = found.length > 1 ? `it could be ${found.slice(0, 5).join(", ")}` : "see loopwright sessions";
  throw new UsageError(`There is no session "${id}" of this project; ${hint}.`);
}
