import { ARCHIVE_PROGRAMS } from "./archives.js";
import { EDITOR_PROGRAMS } from "./editors.js";
import { ELSEWHERE_PROGRAMS } from "./elsewhere.js";
import { FILE_PROGRAMS } from "./files.js";
import { GIT_PROGRAMS } from "./git.js";
import { NETWORK_PROGRAMS } from "./network.js";
import type { ProgramEntry } from "./program.js";
import { RUNNER_PROGRAMS } from "./runners.js";
import { SEARCH_PROGRAMS } from "./search.js";
import { SYSTEM_PROGRAMS } from "./system.js";
import { TEXT_PROGRAMS } from "./text.js";
import { TOOL_PROGRAMS } from "./tools.js";
import { WRAPPER_PROGRAMS } from "./wrappers.js";

const PROGRAMS: ReadonlyMap<string, ProgramEntry> = new Map(
  [
    TEXT_PROGRAMS,
    SEARCH_PROGRAMS,
    FILE_PROGRAMS,
    ARCHIVE_PROGRAMS,
    EDITOR_PROGRAMS,
    SYSTEM_PROGRAMS,
    NETWORK_PROGRAMS,
    GIT_PROGRAMS,
    WRAPPER_PROGRAMS,
    RUNNER_PROGRAMS,
    ELSEWHERE_PROGRAMS,
    TOOL_PROGRAMS,
  ].flatMap((family) => Object.entries(family)),
);

/** What is known about a program, by its base name; `undefined` when nothing is. */
export function findProgram(name: string): ProgramEntry | undefined {
  return PROGRAMS.get(name);
}
