// The reach of programs that do more than read, and other things that many rows share.
import type { CodeInput, ProgramRow, Reach } from "./program-row.js";

/** It changes the files its words name, and nothing else. */
export const CHANGES_FILES: Reach = { writes: "named", runs: "nothing", connects: "nothing" };
/** It builds, tests or installs: as the project's files say. */
export const BUILDS: Reach = { writes: "project", runs: "project", connects: "anything" };
/** It runs code, which may do anything. */
export const RUNS_CODE: Reach = { writes: "anything", runs: "anything", connects: "anything" };
/** It starts the program that its words name. */
export const STARTS: Reach = { writes: "nothing", runs: "named", connects: "nothing" };
/** It asks a service to do something. */
export const CALLS: Reach = { writes: "nothing", runs: "nothing", connects: "anything" };
/** It speaks to the host that its words name. */
export const CONNECTS: Reach = { writes: "named", runs: "nothing", connects: "named" };
/** It changes the machine: packages, services, accounts. */
export const ADMINISTERS: Reach = { writes: "anything", runs: "anything", connects: "anything" };
/** It signals or stops what runs, and writes nothing. */
export const SIGNALS: Reach = { writes: "nothing", runs: "nothing", connects: "nothing" };

/** The options by which most programs print facts about themselves. */
export const VERSION = "--version --help -V -h";

const INFORMS = "-V|--version|--help";
/** Interpreters take code from their input, unless their words bring it. */
export const TAKES_CODE: CodeInput = {
  isScript: true,
  brings: new RegExp(`^(?:-[a-zA-Z]*[ceEmp][^]*|--?(?:eval|print|execute)\\b.*|${INFORMS})$`),
};
/** Commands of its own, whatever its words bring. */
export const TAKES_COMMANDS: CodeInput = { brings: new RegExp(`^(?:${INFORMS})$`), operands: 99 };
/** Editors and old clients take their own commands from their input, some of which start a shell. */
export const COMMANDS_IN_INPUT: CodeInput = { ...TAKES_COMMANDS, code: /^[ \t]*(?:[\d,%.]*!|shell[ \t])(.*)/m };

/** A program that only reads and prints, unless an option says otherwise. */
export function reads(manual: string, row: Partial<ProgramRow> = {}): ProgramRow {
  return { manual, kind: "reads", ...row };
}

/** A program that does more, and how far it reaches. */
export function does(reach: Reach, manual: string, row: Partial<ProgramRow>): ProgramRow {
  return { manual, does: reach, ...row };
}

/** A program like others of its family. */
export function like(others: Partial<ProgramRow>, manual: string, row: Partial<ProgramRow>): ProgramRow {
  return { ...others, manual, ...row };
}
