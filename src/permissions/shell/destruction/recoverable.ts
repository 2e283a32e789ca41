import { longPattern, patternWith } from "../../long-pattern.js";
import type { AnalyzedCommand } from "../analysis.js";
import { LOSES, SAID } from "../programs/losses.js";
import { baseName, findProgram } from "../programs/table.js";
import { isBlockDevice } from "./paths.js";

const SQL_CLIENTS = longPattern`^(?:psql|mysql|mariadb|sqlite3?|sqlcmd|duckdb|clickhouse(?:-client)?|cockroach|bq|
  mongo(?:sh)?|pgcli|mycli|usql|snowsql|cqlsh|sqlplus|trino|wrangler|turso|redis-cli|valkey-cli|keydb-cli|nc|ncat|
  telnet|rails|beeline|hive|impala-shell|spark-sql|presto|influx|cypher-shell|db2|isql|osql)$`;
const SQL = patternWith("is")`\b(?:drop\s+\w+\s+\S|truncate\b\s*(?:table\s+)?\S|purge\s+binary|reset\s+(?:master|slave|
  replica)|revoke\s+.*\bfrom\b|reassign\s+owned|detach\s+delete)|\balter\s+table\s+[^;]*\b(?:drop|delete)\b|
  ^\s*(?:shutdown|kill\s+\d|flush_?all|flushdb)\b|\bpg_(?:terminate_backend|drop_replication_slot)\b|\.(?:drop\w*|
  shutdownServer)\s*\(|\b(?:dropDatabase|shutdown)\s*[:(]|\b(?:deleteMany|remove)\s*\(\s*\{\s*\}|\.(?:delete|
  destroy)_all\b`;
const SQL_WHOLE = /\b(?:delete\s+(?:\w+\s+)?from\s|update\s+\S+\s+set\s)/i;
/** It says which rows, and not all of them. */
const SOME_ROWS = /\bwhere\s+(?!(?:true|1(?:\s*=\s*1)?)\s*$)/i;
const MAX_STATEMENTS = 1_000;
const MAX_STATEMENT_LENGTH = 2_000;
const MAX_FORM_LENGTH = 2_000;

/** Programs whose names say the same: `vgremove`, `nwipe`. */
const NAMED_FOR_IT =
  /(?:remove|reduce|delete|destroy|wipe|erase|scrub|nuke|purge|trash-empty|uninstall|killall|rmtrash)(?:\.sh)?$|^srm$/;

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
  return args.some((word) => /^(?:-[a-qs-zA-QS-Z]*[rR][a-zA-Z]*|--recursive)$/.test(word ?? ""));
}

/**
 * The loss by a command's words of things somebody may still have or make again; `null` when there is nothing to lose.
 * @param isHere it changes files of this machine
 */
export function findLoss(command: AnalyzedCommand, isHere: boolean): string | null {
  const name = command.program === null ? undefined : baseName(command.program);
  if (name === undefined || command.readOnly || isTrial(name, command)) return null;
  const device = command.words.find((word) => word !== null && isBlockDevice(word.replace(/^\w+=/, "")));
  if (device) return `may change what is on "${device}"`;
  const args = command.words.slice(1);
  if (name === "rm" && !isHere && isRecursive(args) && args.some((word) => !word?.startsWith("-")))
    return "deletes a directory on another machine";
  const row = findProgram(name);
  if (!row && !command.known && NAMED_FOR_IT.test(name)) return "destroys something, as its name says";
  const losses = row ? row.losses : command.known ? undefined : LOSES;
  if (losses === undefined) return null;
  for (const form of command.variants) {
    const blank = form.indexOf(" ");
    if (form.slice(0, blank === -1 ? undefined : blank) !== name) continue;
    const words = blank === -1 ? "" : form.slice(blank + 1, MAX_FORM_LENGTH);
    for (const [pattern, what] of losses) {
      const found = pattern.exec(words);
      if (found) return what.replace(SAID, found.groups?.loss ?? "");
    }
  }
  return null;
}

/** The command speaks to a database. */
export function isDatabaseClient(command: AnalyzedCommand): boolean {
  return SQL_CLIENTS.test(baseName(command.program ?? ""));
}

/** A text that, as statements of a database, deletes without saying which rows. */
export function deletesData(text: string): boolean {
  return text
    .replace(/^--?[\w-]+=/, "")
    .split(";", MAX_STATEMENTS)
    .some((part) => {
      const statement = part.slice(0, MAX_STATEMENT_LENGTH).replace(/--[^\n]*|\/\*.*?\*\//gs, " ");
      return SQL.test(statement) || (SQL_WHOLE.test(statement) && !SOME_ROWS.test(statement));
    });
}
