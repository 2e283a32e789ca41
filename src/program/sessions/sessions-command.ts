import { createFileSessionStore } from "../../sessions/file-session-store.js";
import type { CommandLine } from "../command-line.js";
import { EXIT } from "../exit-codes.js";
import type { ProgramIo } from "../program-io.js";
import { projectPlaceOf } from "../project/project-place.js";
import { safeText } from "../terminal/screen/safe-text.js";
import { readSessions, type SessionSummary } from "./session-list.js";
import { sessionNames } from "./session-names.js";

/** `loopwright sessions`: the project's sessions, the newest first. */
export async function printSessions(line: CommandLine, io: ProgramIo): Promise<number> {
  const { stdout } = io;
  const { sessions, names, root } = projectPlaceOf(line, io).state;
  const listed: SessionSummary[] = [];
  const store = createFileSessionStore({ dir: sessions });
  for await (const session of readSessions(store, await sessionNames(names).read())) listed.push(session);
  if (line.outputFormat === "json") stdout.write(`${JSON.stringify(listed)}\n`);
  else if (listed.length === 0) stdout.write(`There are no sessions of ${root} yet.\n`);
  else for (const session of listed) stdout.write(`${lineOf(session)}\n`);
  return EXIT.done;
}

function lineOf({ id, updatedAt, title }: SessionSummary): string {
  const at = new Date(updatedAt);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${id}  ${day} ${two(at.getHours())}:${two(at.getMinutes())}  ${safeText(title)}`;
}
