import { onceForEach } from "../../once-for-each.js";
import type { CommandRow, ProgramRow } from "../programs/program-row.js";
import { isStandardInput } from "../words/paths.js";
import { literalWord, type ShellWord, textOfWords, unknownWord } from "../words/shell-word.js";
import { reportCodeFile, reportCodeInput, reportEscapes } from "./escapes.js";
import type { ParsedOption, ParsedOptions } from "./options.js";
import { optionsOf, parseOptions } from "./options.js";
import type { ProgramCall } from "./program-call.js";
import { readsByItsWords, reportNature, reportOperands } from "./report-operands.js";

/** Reports what an invocation does, as its program's row describes. */
export function reportInvocation(row: ProgramRow, started: ProgramCall): void {
  const spelt = row.spelt ? { ...started, args: row.spelt(started.args) } : started;
  const call = row.steeredBy ? steered(spelt, row.steeredBy.split(" ")) : spelt;
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
  // Whatever its other options are, it explains itself with this one.
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
  if (words.length === 1) return informs?.split(" ").includes(words[0]!) ?? false;
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
    names.split("|").map((name) => [name, { ...command }] as const),
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
