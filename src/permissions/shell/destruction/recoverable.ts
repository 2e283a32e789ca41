import type { AnalyzedCommand } from "../analysis.js";
import type { Losses } from "../programs/program-row.js";
import { baseName, findProgram } from "../programs/table.js";
import { isBlockDevice } from "./paths.js";

const SQL_CLIENTS =
  /^(?:psql|mysql|mariadb|sqlite3?|sqlcmd|duckdb|clickhouse(?:-client)?|cockroach|bq|mongo(?:sh)?|pgcli|mycli|usql|snowsql|cqlsh|sqlplus|trino|wrangler|turso)$/;
const SQL =
  /\b(?:drop\s+(?:table|database|schema|view|index|user|role|owned|collection|column|keyspace|function|type|sequence)|truncate\b(?:\s+table)?\s+\S)|\balter\s+table\s+[^;]*\bdrop\b|\bdropDatabase\s*\(|\.drop\s*\(\s*\)|\b(?:deleteMany|remove)\s*\(\s*\{\s*\}/i;
const SQL_WHOLE = /\b(?:delete\s+from\s|update\s+\S+\s+set\s)/i;
const MAX_STATEMENTS = 1_000;
const MAX_STATEMENT_LENGTH = 2_000;
const MAX_FORM_LENGTH = 2_000;

/** What programs in no table call it: `tool delete x`, `tool db:drop`. */
const DELETES: Losses = [
  [
    /^(?:--?[\w-]+(?:=\S+)? )*(?:[a-zA-Z][\w.:-]* ){0,2}(?:[\w-]+[:.])*(?:delete|destroy|drop|purge|nuke|wipe|erase|terminate|reset|flush(?:all|db)?|unregister|undefine|(?:db|database|migrate|ecto)[:.](?:fresh|refresh))(?:[-_:][\w-]+|[A-Z]\w*)*(?= |$)/,
    "deletes what its words name",
  ],
];

/** Programs whose names say the same: `vgremove`, `nwipe`. */
const NAMED_FOR_IT = /(?:remove|reduce|delete|destroy|wipe|erase|scrub)$|^srm$/;

/** It only says what it would do. */
function isTrial(name: string, { words }: AnalyzedCommand): boolean {
  const end = words.indexOf("--");
  const options = words.slice(0, end === -1 ? undefined : end);
  if (options.some((word) => /^--dry-?run(?:=(?!none|false).*)?$/.test(word ?? ""))) return true;
  const isGit = name === "git" && words.some((word) => /^(?:clean|push|rm)$/.test(word ?? ""));
  return isGit && options.some((word) => GIT_TRIAL.test(word ?? ""));
}

/** `-n` among short options; behind `-e` and `-o` stands a value. */
const GIT_TRIAL = /^-[a-df-mp-zA-Z]*n[a-zA-Z]*$/;

/** The options of `rm` for directories. */
export function isRecursive(args: readonly (string | null)[]): boolean {
  return args.some((word) => /^(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)$/.test(word ?? ""));
}

/**
 * What the words of a command lose that somebody may still have or make again; `null` when it is nothing.
 * @param isHere it changes files of this machine
 */
export function findLoss(command: AnalyzedCommand, isHere: boolean): string | null {
  const name = command.program === null ? undefined : baseName(command.program);
  if (name === undefined || isTrial(name, command)) return null;
  const device = command.readOnly ? undefined : command.words.find((word) => word !== null && isBlockDevice(word));
  if (device) return `may change what is on "${device}"`;
  const args = command.words.slice(1);
  if (name === "rm" && !isHere && isRecursive(args) && args.some((word) => !word?.startsWith("-")))
    return "deletes a directory on another machine";
  const row = findProgram(name);
  if (!row && !command.known && NAMED_FOR_IT.test(name)) return "destroys something, as its name says";
  const losses = row ? row.losses : command.known ? undefined : DELETES;
  if (losses === undefined) return null;
  for (const form of command.variants) {
    const blank = form.indexOf(" ");
    if (form.slice(0, blank === -1 ? undefined : blank) !== name) continue;
    const words = blank === -1 ? "" : form.slice(blank + 1, MAX_FORM_LENGTH);
    const found = losses.find(([pattern]) => pattern.test(words));
    if (found) return found[1];
  }
  return null;
}

/** The command speaks to a database. */
export function isDatabaseClient(command: AnalyzedCommand): boolean {
  return SQL_CLIENTS.test(baseName(command.program ?? ""));
}

/** A text that, as statements of a database, deletes without saying which rows. */
export function deletesData(text: string): boolean {
  return text.split(";", MAX_STATEMENTS).some((part) => {
    const statement = part.slice(0, MAX_STATEMENT_LENGTH).replace(/--[^\n]*|\/\*.*?\*\//gs, " ");
    return SQL.test(statement) || (SQL_WHOLE.test(statement) && !/\bwhere\b/i.test(statement));
  });
}
