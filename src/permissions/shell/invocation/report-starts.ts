// The programs that a program starts, as its row says.
import type { StartRow } from "../programs/program-row.js";
import { joinedWords, literalWord } from "../words/shell-word.js";
import { mentionFiles } from "./mentions.js";
import type { ParsedOptions } from "./options.js";
import type { ProgramCall } from "./program-call.js";

/** The most first words that are looked up as programs. */
const MAX_STARTS = 8;

export function reportStarts(row: StartRow, call: ProgramCall, parsed: ParsedOptions): void {
  const { from, skip = 0, mayStandFirst, implied, keepsInput, elsewhere, opaque, unless, code } = row;
  const { operands } = parsed;
  if (unless?.test(call.args[0]?.value ?? "")) return;
  if (opaque) call.doubt("opaque", `which program "${call.program}" starts is not clear`);
  if (from === "any") startsAny(call);
  else if (from === "run") startsBehindRun(call);
  else if (operands.length > 0 && isCode(code, parsed)) call.script(joinedWords(operands));
  else call.start(operands.slice(skip), { impliedByParent: implied, keepsInput, elsewhere });
  if (mayStandFirst) call.start(operands, { impliedByParent: true, keepsInput, elsewhere });
}

function isCode(code: StartRow["code"], parsed: ParsedOptions): boolean {
  if (!code) return false;
  return code.unless === undefined ? parsed.has(...code.with!.split(/\s+/)) : !parsed.has(...code.unless.split(/\s+/));
}

/** Any of its words may be the program, or its command line in one text. */
function startsAny(call: ProgramCall): void {
  mentionFiles(call);
  // `parallel rm ::: a b`: each becomes the last word, as each line of the input may.
  const end = call.args.findIndex(({ value }) => /^:::?:?\+?$/.test(value ?? ""));
  const words = end === -1 ? call.args : call.args.slice(0, end);
  const lines = call.input.kind === "text" ? call.input.text.split("\n").filter(Boolean) : [];
  const last = [...(end === -1 ? [] : call.args.slice(end + 1)), ...lines.map(literalWord)].slice(0, MAX_STARTS);
  const command = words.slice(words.findIndex(({ prefix }) => !prefix.startsWith("-")));
  for (const word of last) call.start([...command, word], { impliedByParent: true });
  for (const { value } of last) if (value !== null) call.mayRun(value);
  for (const [index, { prefix, value }] of words.slice(0, MAX_STARTS).entries()) {
    const code = value?.replace(/^--?[\w-]+=/, "") ?? "";
    if (/\s/.test(code)) call.mayRun(code);
    else if (value !== null && !/^-|^[A-Za-z_]\w*=/.test(prefix))
      call.start(words.slice(index), { impliedByParent: true });
  }
}

/** Tools that set a project up start its programs behind one word. */
function startsBehindRun(call: ProgramCall): void {
  mentionFiles(call);
  const words = call.args.slice(call.args.findIndex(({ value }) => /^(?:run|exec)$/.test(value ?? "")) + 1);
  const first = words.findIndex(({ prefix }) => !prefix.startsWith("-"));
  if (words.length < call.args.length && first !== -1) call.start(words.slice(first), { impliedByParent: true });
}
