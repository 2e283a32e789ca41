import { onceForEach } from "../../once-for-each.js";
import type { CommandRow, OperandRole, ProgramRow } from "../programs/program-row.js";
import { isStandardInput } from "../words/paths.js";
import { edited, literalWord, mayBeOption, type ShellWord, textOfWords, unknownWord } from "../words/shell-word.js";
import { reportCodeFile, reportCodeInput, reportEscapes } from "./escapes.js";
import { hostInUrl } from "./hosts.js";
import { mentionFiles } from "./mentions.js";
import { optionsOf, type ParsedOption, type ParsedOptions, parseOptions } from "./options.js";
import type { ProgramCall, ReadHow } from "./program-call.js";
import { reportStarts } from "./report-starts.js";
import { reportTransfer } from "./report-transfers.js";

/** Reports what an invocation does, as its program's row describes. */
export function reportInvocation(row: ProgramRow, started: ProgramCall): void {
  const spelt = row.spelt ? { ...started, args: row.spelt(started.args) } : started;
  const call = row.steeredBy ? steered(spelt, row.steeredBy.split(/\s+/)) : spelt;
  if (onlyInforms(row, call)) {
    call.onlyReads();
    return;
  }
  const command = row.commands ? findCommand(row, call.args) : null;
  const table = command ? optionsOf(command.row, row) : optionsOf(row);
  const endsAfter = command?.row.endsAfter;
  const parsed = parseOptions(row, call.args, table, endsAfter && command!.length + endsAfter);
  if (onlyReads(row, call, command, parsed)) call.onlyReads();
  // Code in its words is not known with them.
  call.knowsWords(!parsed.uncertain && !parsed.open && !row.escapes && !row.takesCode);
  // With this option a program explains itself, whatever its other options are.
  const unknown = parsed.unknown.find((option) => option !== "--help");
  if (unknown !== undefined && !row.anyOptions) {
    call.doubt("option", `"${unknown}" is not a known option of "${call.program}"`);
  }
  if (parsed.uncertain && table.hasHazards) {
    call.doubt("option", `a word of "${call.program}" may become an option that changes what it does`);
  }
  // It may be an option with a file glued to it, as in `grep -f/etc/passwd`.
  if (parsed.uncertain && table.namesFiles) call.read(unknownWord(""));
  if (table.namesFiles) for (const names of parsed.lists) call.lists(names);
  for (const option of parsed.options) reportOption(row, call, option);
  if (row.responseFiles && call.args.some(mayBeResponseFile)) call.read(unknownWord("@"));
  if (row.escapes) reportEscapes(call, row.escapes);
  if (row.takesCode) reportCodeInput(call, row.takesCode, row.escapes);
  if (row.takesAll?.test(textOfWords(call.args))) call.mayRead(literalWord("."), WHOLE);
  if (readsByItsWords(row, call)) {
    call.onlyReads();
    return;
  }
  reportNature(row, call, parsed);
  if (row.analyze) row.analyze(call, parsed);
  else reportOperands(row, call, parsed);
}

function steered(call: ProgramCall, files: readonly string[]): ProgramCall {
  return { ...call, onlyReads: () => call.onlyReadsWithout(files) };
}

const WHOLE = { recursive: true } as const;

function mayBeResponseFile({ value, prefix }: ShellWord): boolean {
  return prefix.startsWith("@") || (value === null && prefix === "");
}

/** `--version` and the like, alone, or `run --help`. */
function onlyInforms({ informs, helps }: ProgramRow, { args }: ProgramCall): boolean {
  const all = args.map(({ value }) => value ?? "?");
  const words = all[0] === "--version" && all[1] === "--verbose" ? [all[0], ...all.slice(2)] : all;
  if (words.length === 1) return informs?.split(/\s+/).includes(words[0]!) ?? false;
  return words.at(-1) === "--help" && (helps?.test(words.slice(0, -1).join(" ")) ?? false);
}

interface FoundCommand {
  readonly row: CommandRow;
  /** The number of its words. */
  readonly length: number;
}

/** The command whose name is the longest among the first operands. */
function findCommand(row: ProgramRow, args: readonly ShellWord[]): FoundCommand | null {
  const dashes = args.findIndex(({ value }) => value === "--");
  const names = parseOptions(row, dashes === -1 ? args : args.slice(0, dashes))
    .operands.slice(0, MAX_COMMAND_WORDS)
    .map(({ value }) => value ?? "");
  for (let length = names.length; length > 0; length--) {
    const name = names.slice(0, length).join(" ");
    const found = commandsOf(row).get(name);
    if (found) return { row: found, length };
  }
  return null;
}

const MAX_COMMAND_WORDS = 3;

/** One entry for each name: `list|ls` is two. */
const commandsOf = onceForEach(({ commands = {} }: ProgramRow): ReadonlyMap<string, CommandRow> => {
  const all = Object.entries(commands).flatMap(([names, command]) =>
    names.split(/\|\s*/).map((name) => [name, { ...command }] as const),
  );
  return new Map(all);
});

function onlyReads(row: ProgramRow, call: ProgramCall, command: FoundCommand | null, parsed: ParsedOptions): boolean {
  if (parsed.unknown.length > 0) return false;
  if (!command?.row.kind) return row.kind === "reads";
  // Only its own options: the program has others that do more.
  const isKnown = call.args.every(({ value }) => value !== null);
  return isKnown && parseOptions(row, call.args, ownOptions(command.row)).unknown.length === 0;
}

const ownOptions = onceForEach((command: CommandRow) => optionsOf({ ...command }));

function reportOption(row: ProgramRow, call: ProgramCall, { name, value, role }: ParsedOption): void {
  switch (role) {
    case "plain":
      return;
    case "reads":
      if (value && value.value !== "-" && !row.noFiles?.values?.test(value.value ?? "\n")) call.read(value);
      return;
    case "loads":
      if (isStandardInput(value?.value ?? "") || /^<\(/.test(value?.raw ?? ""))
        call.doubt("option", `"${value!.raw}" makes "${call.program}" run what it reads from its input`);
      else if (value) call.loads(value);
      return;
    case "codes":
      if (value) reportCodeFile(call, row.escapes, value);
      return;
    case "writes":
      call.acts();
      if (row.kind === "reads") call.doubt("option", `"${name}" makes "${call.program}" write a file`);
      if (value && value.value !== "-") call.write(value, "create");
      return;
    case "empties":
      call.doubt("option", `"${name}" makes "${call.program}" delete what is in a directory`);
      if (value) call.write(value, "delete", true);
      return;
    case "runs":
      call.acts();
      call.doubt("option", `"${name}" makes "${call.program}" run another program`);
      if (value) call.script(value);
      return;
    case "hazard":
      call.acts();
      call.doubt("option", `"${name}" makes "${call.program}" do more than its name says`);
      if (value?.value) call.mayRun(value.value);
  }
}

// ── the effects of a program's operands, as its row says ─────────────────────────────────────────────────────────────

/** Reports what the operands of an invocation are to the program. */
export function reportOperands(usual: ProgramRow, call: ProgramCall, parsed: ParsedOptions): void {
  const row = { ...usual, ...usual.instead?.find((other) => has(parsed, other.with)) };
  for (const [start, role] of Object.entries(row.assigned ?? {})) {
    for (const word of call.args.filter(({ prefix }) => prefix.startsWith(start))) {
      const file = edited(word, (text) => text.slice(start.length));
      if (role === "read") call.read(file);
      else call.write(file, "modify");
    }
  }
  const how = howRead(row, parsed);
  const { file = "", unless } = row.readsBesides ?? {};
  if (file && !unless) call.read(literalWord(file), how);
  else if (file && !call.args.some(({ value }) => unless!.test(value ?? ""))) call.mayRead(literalWord(file));
  const looks = row.looks && has(parsed, row.looks.with) && !has(parsed, row.looks.unless);
  if (looks && isKnown(parsed)) call.onlyReads();
  if (looks) for (const operand of parsed.operands) if (operand.value !== "-") call.read(operand, how);
  if (row.transfers) reportTransfer(row.transfers, call, parsed);
  else if (!looks || row.operands === "mention") reportFiles(row, call, parsed, how);
  if (row.starts) reportStarts(row.starts, call, parsed);
}

/** Whether a row whose options are not listed still says what its words are. */
export function saysWhatWordsAre({ analyze, starts, assigned, host, each, readsWords, checks }: ProgramRow): boolean {
  return [analyze, starts, assigned, host, each, readsWords, checks].some((said) => said !== undefined);
}

/** With these words it only reads, and none of them names a file. */
function readsByItsWords({ readsWords }: ProgramRow, { args }: ProgramCall): boolean {
  return readsWords?.test(joined(args)) ?? false;
}

/** Reports whether a program only reads with these words, and where it connects. */
function reportNature(row: ProgramRow, call: ProgramCall, parsed: ParsedOptions): void {
  const { operands } = parsed;
  const [word, file, ...others] = call.args;
  if (row.checks?.test(word?.value ?? "") && file && others.length === 0 && !mayBeOption(file)) {
    call.onlyReads();
    call.read(file);
  }
  if (row.shows) {
    const isShown = row.shows.test(joined(operands));
    if (row.kind === "reads" && !isShown) call.acts();
    if (row.kind !== "reads" && isShown && isKnown(parsed) && parsed.options.every(({ role }) => role === "plain"))
      call.onlyReads();
  }
  const other = operands.find(({ value, prefix }) => row.each?.test(value ?? `${prefix}\n`) === false);
  const isAny = row.most === undefined || has(parsed, row.anyWith);
  const isLess = operands.length > 0 && operands.length < (row.least ?? 0);
  const found = other ?? (isLess ? operands[0] : isAny ? undefined : operands[row.most!]);
  if (found) call.acts();
  if (found && row.sets) call.doubt("option", `"${found.raw}" makes "${call.program}" ${row.sets}`);
  if (has(parsed, row.acts) || (row.needs !== undefined && !has(parsed, row.needs))) call.acts();
  if (has(parsed, row.namesFiles)) call.read(unknownWord(row.namesFiles!));
  if (row.host) call.network(hostOf(row, row.host, call, parsed));
}

function reportFiles(row: ProgramRow, call: ProgramCall, parsed: ParsedOptions, how: ReadHow): void {
  const { operands: roles = "text" } = row;
  if (typeof roles !== "string") {
    const isFiles = parsed.unknown.length > 0 || has(parsed, row.filesFirst);
    const places = isFiles && row.filesFirst !== undefined ? roles.slice(1) : roles;
    for (const [index, operand] of parsed.operands.entries()) {
      const role = places[index] ?? places.at(-1)!;
      if (role !== "create" || operand.value !== "-") reportAs(role, call, operand, how);
    }
    // Its value may be more than one word, and then shifts the file that is written.
    const before = parsed.operands[places.indexOf("output") - 1];
    if (before?.splits || before?.pattern) call.doubt("option", `a second file of "${call.program}" is written`);
    return;
  }
  const bringsPattern =
    parsed.has("--files") || parsed.all("-e", "-f", "--regexp", "--file").some(({ value }) => value);
  const texts = roles === "pattern" && !bringsPattern ? 1 : 0;
  const makes = roles === "create" || roles === "delete";
  const isFile = ({ value }: ShellWord) => (makes || value !== "-") && !row.noFiles?.operands?.test(value ?? "");
  const operands = parsed.operands.slice(texts).filter(isFile);
  // A file may be the value of an option that is not known.
  if (roles === "mention" || (row.anyOptions && roles !== "text")) mentionFiles(call);
  if (roles !== "mention") for (const operand of operands) reportAs(roles, call, operand, how);
  // A list of names may be empty.
  const mayBeNone = operands.every(({ listed, splits, vanishes }) => (listed && splits) || vanishes);
  const takesDirectory = roles === "directory" || (how.recursive && /^(?:read|pattern)$/.test(roles));
  if (takesDirectory && mayBeNone) call.readDirectory(how);
}

function reportAs(role: OperandRole, call: ProgramCall, operand: ShellWord, how: ReadHow): void {
  switch (role) {
    case "read":
    case "directory":
    case "pattern":
      if (operand.value !== "-") call.read(operand, how);
      return;
    case "write":
      call.write(operand, "modify", how.recursive);
      return;
    case "edit":
      call.read(operand, how);
      call.write(operand, "modify", how.recursive);
      return;
    case "delete":
      call.write(operand, "delete", how.recursive);
      return;
    case "create":
      call.write(operand, "create");
      return;
    case "output":
      call.acts();
      call.doubt("option", `the second file of "${call.program}" is written`);
      call.write(operand, "create");
      return;
    default:
  }
}

function howRead({ recursive, only }: ProgramRow, parsed: ParsedOptions): ReadHow {
  const isOptional = typeof recursive === "string";
  const isRecursive = isOptional ? has(parsed, recursive) : recursive;
  // With the option a directory is opened, too.
  const isOpened = isOptional && isRecursive && only === "files";
  return { ...(isRecursive && { recursive: true }), ...(only && !isOpened && { only }) };
}

function hostOf(
  { anyOptions }: ProgramRow,
  { is, option }: NonNullable<ProgramRow["host"]>,
  call: ProgramCall,
  parsed: ParsedOptions,
): string | null {
  const named = option === undefined ? undefined : parsed.all(...option.split(/\s+/))[0]?.value?.value;
  if (is !== undefined) return named ?? is;
  const words = anyOptions
    ? call.args.filter(({ value }) => value !== null && !value.startsWith("-"))
    : parsed.operands;
  const found = words[0]?.value;
  return found ? (hostInUrl(found) ?? found) : null;
}

function isKnown({ unknown, uncertain }: ParsedOptions): boolean {
  return unknown.length === 0 && !uncertain;
}

function has(parsed: ParsedOptions, options: string | undefined): boolean {
  return options !== undefined && parsed.has(...options.split(/\s+/));
}

/** The words as one text; a line end represents one that is not known. */
function joined(words: readonly ShellWord[]): string {
  return words.map(({ value }) => value ?? "\n").join(" ");
}
