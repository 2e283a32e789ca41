// All rows. The documentation's table of programs is made from this one.

import { ARCHIVE_PROGRAMS } from "./files/archives.js";
import { BINARY_PROGRAMS } from "./files/binaries.js";
import { EDITOR_PROGRAMS } from "./files/editors.js";
import { FILE_PROGRAMS } from "./files/files.js";
import { SEARCH_PROGRAMS } from "./files/search.js";
import { TABLE_PROGRAMS } from "./files/tables.js";
import { TEXT_PROGRAMS } from "./files/text.js";
import { GIT_PROGRAMS, isGitCommand } from "./git/git.js";
import { COMPILER_PROGRAMS } from "./languages/compilers.js";
import { DATABASE_PROGRAMS } from "./languages/databases.js";
import { INTERPRETER_PROGRAMS } from "./languages/interpreters.js";
import { JAVASCRIPT_PROGRAMS } from "./languages/javascript.js";
import { JAVASCRIPT_TOOLS } from "./languages/javascript-tools.js";
import { PYTHON_PROGRAMS } from "./languages/python.js";
import { RUNNER_PROGRAMS } from "./languages/runners.js";
import { RUST_PROGRAMS } from "./languages/rust.js";
import { ADMINISTRATION_PROGRAMS } from "./machine/administration.js";
import { SERVICE_PROGRAMS } from "./machine/services.js";
import { SETTING_PROGRAMS } from "./machine/settings.js";
import { SYSTEM_PROGRAMS } from "./machine/system.js";
import { WRAPPER_PROGRAMS } from "./machine/wrappers.js";
import type { ProgramRow } from "./program-row.js";
import { CLOUD_PROGRAMS } from "./remote/cloud.js";
import { KEY_PROGRAMS } from "./remote/keys.js";
import { NETWORK_PROGRAMS } from "./remote/network.js";
import { SERVER_PROGRAMS } from "./remote/servers.js";

type Rows = Readonly<Record<string, ProgramRow>>;

/** The rows of each family. One may be for several programs: their names have spaces between them. */
const ROWS: Readonly<Record<string, Rows>> = {
  Text: TEXT_PROGRAMS,
  Search: SEARCH_PROGRAMS,
  "Tables of data": TABLE_PROGRAMS,
  Files: FILE_PROGRAMS,
  Archives: ARCHIVE_PROGRAMS,
  Editors: EDITOR_PROGRAMS,
  System: SYSTEM_PROGRAMS,
  "State of the machine": SERVICE_PROGRAMS,
  "Settings of the machine": SETTING_PROGRAMS,
  Administration: ADMINISTRATION_PROGRAMS,
  "Binaries, documents and sources": BINARY_PROGRAMS,
  Network: NETWORK_PROGRAMS,
  "File servers": SERVER_PROGRAMS,
  Git: GIT_PROGRAMS,
  JavaScript: JAVASCRIPT_PROGRAMS,
  "Tools for JavaScript": JAVASCRIPT_TOOLS,
  Python: PYTHON_PROGRAMS,
  "Compilers and builds": COMPILER_PROGRAMS,
  Rust: RUST_PROGRAMS,
  "Other languages": INTERPRETER_PROGRAMS,
  Databases: DATABASE_PROGRAMS,
  "Containers and clouds": CLOUD_PROGRAMS,
  Keys: KEY_PROGRAMS,
  Wrappers: WRAPPER_PROGRAMS,
  Runners: RUNNER_PROGRAMS,
};

/** The same by the name of each program. */
export const FAMILIES: Readonly<Record<string, Rows>> = Object.fromEntries(
  Object.entries(ROWS).map(([family, rows]) => [family, byName(rows)]),
);

function byName(rows: Rows): Rows {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([names, row]) => names.split(/\s+/).map((name) => [name, row])),
  );
}

const PROGRAMS: ReadonlyMap<string, ProgramRow> = new Map(
  Object.values(FAMILIES).flatMap((family) => Object.entries(family)),
);
/** Versions of a program: `python3.12`, `lua5.4`, `gcc-12`. */
const VERSION = /-?\d[\d.]*$/;
const MAX_NAME = 100;

/** The row of a program, by its base name; `undefined` when nothing is known about it. */
export function findProgram(name: string): ProgramRow | undefined {
  const found = PROGRAMS.get(name);
  if (found || name.length > MAX_NAME || !VERSION.test(name)) return found;
  const row = PROGRAMS.get(name.replace(VERSION, ""));
  const runsCode = row?.takesCode !== undefined || row?.operands === "mention";
  return row?.kind !== "reads" && runsCode && !row.commands ? row : undefined;
}

/**
 * The first words of a program that the table knows by another name: `git-push` is `git push`, `npm@9` is `npm`,
 * `gem3.1` is `gem`; `undefined` for any other.
 */
export function usualWords(name: string): readonly string[] | undefined {
  if (PROGRAMS.has(name) || name.length > MAX_NAME) return undefined;
  const command = /^git-(.+)/.exec(name)?.[1];
  if (command !== undefined && isGitCommand(command)) return ["git", command];
  const usual = name.replace(/(?<=.)(?:@|==).*|[-.]?\d+$/, "");
  if (usual === name) return undefined;
  return PROGRAMS.has(usual) ? [usual] : usualWords(usual);
}

/** The name of a program, without the directory it lies in. */
export function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}
