import { checkOptions, FUNCTION, type OptionTable, PATH, required } from "../../../json/check-options.js";
import { longPattern, patternWith } from "../../long-pattern.js";
import type { AnalyzedCommand, CommandAnalysis, Destruction, DestructionOptions, Effect } from "../analysis.js";
import { analyzeCommand } from "../analyze-command.js";
import { maySpawn, stringsInCode } from "../invocation/code-strings.js";
import { DESTROYS, SAID } from "../programs/destructive-words.js";
import { baseName, findProgram } from "../programs/table.js";
import { type AddDestruction, assessDownloads, CODE_OPTIONS, INTERPRETERS } from "./downloads.js";
import { isBlockDevice, isRegenerable, isRegenerableName, whatGoesWith } from "./paths.js";

const FORMATS = longPattern`^(?:mkfs(?:\..*)?|mke2fs|mkswap|wipefs|blkdiscard|fdisk|sfdisk|gdisk|sgdisk|parted|hdparm|
  newfs|badblocks|cryptsetup|mdadm|nvme)$`;
const LISTS =
  /^(?:-l|--list|-h|--help|-V|--version|print|-I|-i|status|isLuks|luksDump|--detail|--examine|list|id-ctrl|smart-log)$/;
const DOWNLOADS = longPattern`urlopen|urlretrieve|requests\.|urllib|http\.client|https?\.get|fetch\(|Net::HTTP|LWP|
  open-uri|file_get_contents|curl|wget`;
const EVALUATES = /\b(?:exec|eval|system|Function|compile|spawn|popen|instance_eval)\b/;
const LOOPS_FORKING = /fork\s*(?:\(\s*\)\s*)?while|while\b[^;]*\bfork\b|for\s*\(\s*;\s*;\s*\)[^}]*fork/;
/** Strings that are read, each once, of all code handed to interpreters in one script. */
const MAX_TEXTS = 50;
const MAX_CODE_LENGTH = 4_000;

/** They start a program with names that they find or read. */
const HANDS_ON = /(?:^|\/)(?:find|xargs|fd|fdfind|parallel)$/;

type Write = Extract<Effect, { kind: "write" }>;

const OPTIONS = {
  root: required(PATH),
  home: PATH,
  isRegenerable: FUNCTION,
} satisfies OptionTable<DestructionOptions>;

/**
 * The commands of a script that destroy, by what they do and not by how they look: `echo "rm -rf /"` and
 * `rm -rf ./node_modules` are not. At most one answer for each command, the worse one.
 */
export function assessDestruction(analysis: CommandAnalysis, options: DestructionOptions): readonly Destruction[] {
  checkOptions("assessDestruction()", options, OPTIONS);
  const found = new Map<number | null, Destruction>();
  const add = (tier: Destruction["tier"], command: number | null, reason: string) => {
    if (found.get(command)?.tier !== "catastrophic") {
      if (tier === "catastrophic" || !found.has(command)) found.set(command, { tier, reason, command });
    }
  };
  if (analysis.forkBomb) add("catastrophic", null, "A function calls itself endlessly");
  for (const effect of analysis.effects) {
    if (effect.kind === "write") assessWrite(analysis, effect, options, add);
  }
  const read = new Map<string, Destruction | undefined>();
  for (const [index, command] of analysis.commands.entries()) {
    assessCommand(analysis, command, index, options, add, read);
  }
  assessDownloads(analysis, add);
  return [...found.values()];
}

function assessWrite(analysis: CommandAnalysis, effect: Write, options: DestructionOptions, add: AddDestruction): void {
  const { command: index, path, how, recursive, pattern = false } = effect;
  const command = analysis.commands[index]!;
  if (path === null) {
    if (how !== "delete" || namesRegenerable(analysis, command)) return;
    const starter = command.startedBy === null ? undefined : analysis.commands[command.startedBy]!.program;
    if (recursive) add("recoverable", index, "It deletes a directory that is known only at run time");
    else if (HANDS_ON.test(starter ?? "")) add("recoverable", index, "It deletes whatever it is given");
    return;
  }
  if (isBlockDevice(path)) {
    add("catastrophic", index, `It writes to the device "${path}"`);
    return;
  }
  // All that `find` lists below a directory is the directory.
  const all = pattern && effect.listing?.whole ? /^(.*)\/\*\*(?:\/\*)?$/s.exec(path)?.[1] : undefined;
  const lost =
    all !== undefined && how === "delete"
      ? whatGoesWith(all || "/", false, options)
      : recursive
        ? whatGoesWith(path, pattern, options)
        : null;
  if (how === "delete" && lost !== null) {
    // File by file, git or an editor may still have what is in the workspace.
    const isFileByFile = all !== undefined && !recursive && lost === "the workspace itself";
    add(isFileByFile ? "recoverable" : "catastrophic", index, `It removes ${lost}`);
    return;
  }
  if (how === "modify" && lost !== null && changesAccess(command)) {
    const tier = lost === "the workspace itself" ? "recoverable" : "catastrophic";
    add(tier, index, `It changes who may use ${lost}`);
    return;
  }
  if (how === "modify" && recursive && changesOwner(command) && !isRegenerable(path, options)) {
    add("recoverable", index, `It changes who owns "${path}" and everything in it`);
    return;
  }
  if (how === "delete" && recursive && command.program !== "mv") {
    if (isRegenerable(path, options) || namesRegenerable(analysis, command)) return;
    add("recoverable", index, `It deletes "${path}" and everything in it`);
    return;
  }
  if (how === "delete" && effect.listing && !isRegenerable(path, options) && !namesRegenerable(analysis, command)) {
    add("recoverable", index, "It deletes what a search or a pattern finds");
    return;
  }
  if (how === "delete" && pattern && /\/\*$/.test(path) && !isRegenerable(path, options)) {
    add("recoverable", index, `It deletes every file in "${path.slice(0, -2) || "/"}"`);
  }
}

function changesAccess(command: AnalyzedCommand): boolean {
  return /^(?:.*\/)?(?:chmod|chown|chgrp|setfacl)$/.test(command.program ?? "");
}

function changesOwner(command: AnalyzedCommand): boolean {
  return /^(?:.*\/)?(?:chown|chgrp)$/.test(command.program ?? "");
}

/** `find . -name node_modules -exec rm -rf {} +`: the filter says what is deleted. */
function namesRegenerable(analysis: CommandAnalysis, command: AnalyzedCommand): boolean {
  const finder = command.startedBy === null ? command : analysis.commands[command.startedBy]!;
  const at = finder.words.findIndex((word) => /^-i?name$/.test(word ?? ""));
  if (!/(?:^|\/)find$/.test(finder.program ?? "") || at === -1 || finder.words.includes("-o")) return false;
  return isRegenerableName(finder.words[at + 1] ?? "");
}

function assessCommand(
  analysis: CommandAnalysis,
  command: AnalyzedCommand,
  index: number,
  options: DestructionOptions,
  add: AddDestruction,
  read: Map<string, Destruction | undefined>,
): void {
  const name = baseName(command.program ?? "");
  const args = command.words.slice(1);
  if (FORMATS.test(name) && args.length > 0 && !args.some((word) => LISTS.test(word ?? ""))) {
    add("catastrophic", index, `"${name}" overwrites a file system`);
    return;
  }
  if (name === "kill" && args.indexOf("-1", 1) > 0) {
    add("catastrophic", index, "It kills every process");
    return;
  }
  if (name === "rm" && isRecursive(args) && args.some((word) => /^(?:\/|\/\*|~|~\/|~\/\*)$/.test(word ?? ""))) {
    add("catastrophic", index, "It removes the whole machine, or a home directory");
    return;
  }
  if (INTERPRETERS.test(name)) assessCode(command, index, options, add, read);
  const isHere = analysis.effects.some((effect) => effect.command === index && effect.kind === "write");
  const what = destructionByWords(command, isHere);
  if (what !== null) add("recoverable", index, `It ${what}`);
  if (isDatabaseClient(command) && databaseTexts(analysis, command, index).some(deletesData)) {
    add("recoverable", index, "It deletes data of a database");
  }
}

/** A client's texts: its words, its input, and the same of the commands piped into it. */
function databaseTexts(analysis: CommandAnalysis, command: AnalyzedCommand, index: number): readonly string[] {
  const piped = analysis.pipes
    .filter(({ first, end }) => first < index && index < end)
    .flatMap(({ first }) => analysis.commands.slice(first, index));
  const words = [...command.words, command.input, ...piped.flatMap((other) => [...other.words, other.input])];
  return words.filter((word) => word !== null);
}

/** Code handed to an interpreter in a word: the strings in it that it would run as commands, and what it loads. */
function assessCode(
  command: AnalyzedCommand,
  index: number,
  options: DestructionOptions,
  add: AddDestruction,
  read: Map<string, Destruction | undefined>,
): void {
  const at = command.words.findIndex((word, position) => position > 0 && CODE_OPTIONS.test(word ?? ""));
  const code = (at === -1 ? command.input : command.words[at + 1])?.slice(0, MAX_CODE_LENGTH);
  if (!code) return;
  if (DOWNLOADS.test(code) && EVALUATES.test(code)) {
    add("catastrophic", index, "It runs code from the network");
    return;
  }
  if (LOOPS_FORKING.test(code)) {
    add("catastrophic", index, "It starts itself endlessly");
    return;
  }
  const removed =
    /(?:rmtree|rmSync|rm|rmdirSync|remove_entry_secure|rm_rf|removeSync|rimraf)\s*(?:\(\s*)?(["'])(.*?)\1/.exec(
      code,
    )?.[2];
  const lost = removed === undefined ? null : whatGoesWith(removed, false, options);
  if (lost !== null) {
    add("catastrophic", index, `It removes ${lost}`);
    return;
  }
  if (removed !== undefined && !isRegenerableName(baseName(removed.replace(/\/+$/, ""))))
    add("recoverable", index, `It deletes "${removed}" and everything in it`);
  if (/\bkill\w*(?:\s*\(\s*|\s+)(?:-?[01]|["']\w+["']\s*,\s*-?[01])\s*[,)]/.test(code))
    add("recoverable", index, "It stops the machine, or every process");
  if (!maySpawn(code)) return;
  for (const text of stringsInCode(code)) {
    if (!read.has(text)) {
      if (read.size >= MAX_TEXTS) return;
      const inner = analyzeCommand(text, { cwd: options.root, home: options.home });
      read.set(
        text,
        assessDestruction(inner, options).find(({ tier }) => tier === "catastrophic"),
      );
    }
    const worst = read.get(text);
    if (worst) {
      add("catastrophic", index, worst.reason);
      return;
    }
  }
}

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
 * The destruction by a command's words of things that somebody may still have or make again; `null` for none.
 * @param isHere it changes files of this machine
 */
function destructionByWords(command: AnalyzedCommand, isHere: boolean): string | null {
  const name = command.program === null ? undefined : baseName(command.program);
  if (name === undefined || command.readOnly || isTrial(name, command)) return null;
  const device = command.words.find((word) => word !== null && isBlockDevice(word.replace(/^\w+=/, "")));
  if (device) return `may change what is on "${device}"`;
  const args = command.words.slice(1);
  if (name === "rm" && !isHere && isRecursive(args) && args.some((word) => !word?.startsWith("-")))
    return "deletes a directory on another machine";
  const row = findProgram(name);
  if (!row && !command.known && NAMED_FOR_IT.test(name)) return "destroys something, as its name says";
  const patterns = row ? row.destroys : command.known ? undefined : DESTROYS;
  if (patterns === undefined) return null;
  for (const form of command.variants) {
    const blank = form.indexOf(" ");
    if (form.slice(0, blank === -1 ? undefined : blank) !== name) continue;
    const words = blank === -1 ? "" : form.slice(blank + 1, MAX_FORM_LENGTH);
    for (const [pattern, what] of patterns) {
      const found = pattern.exec(words);
      if (found) return what.replace(SAID, found.groups?.word ?? "");
    }
  }
  return null;
}

/** The command speaks to a database. */
function isDatabaseClient(command: AnalyzedCommand): boolean {
  return SQL_CLIENTS.test(baseName(command.program ?? ""));
}

/** A text that, as statements of a database, deletes without saying which rows. */
function deletesData(text: string): boolean {
  return text
    .replace(/^--?[\w-]+=/, "")
    .split(";", MAX_STATEMENTS)
    .some((part) => {
      const statement = part.slice(0, MAX_STATEMENT_LENGTH).replace(/--[^\n]*|\/\*.*?\*\//gs, " ");
      return SQL.test(statement) || (SQL_WHOLE.test(statement) && !SOME_ROWS.test(statement));
    });
}
