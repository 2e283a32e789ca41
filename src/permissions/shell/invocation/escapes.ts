// Parts of a program's words, or of its input, that do more than its name says: languages of databases and editors,
// settings of `make`, code of interpreters.
import { clip } from "../../../text/cut.js";
import type { CodeInput, Escapes } from "../programs/program-row.js";
import { isStandardInput } from "../words/paths.js";
import { literalWord, type ShellWord } from "../words/shell-word.js";
import { maySpawn, stringsInCode } from "./code-strings.js";
import { mentionFile } from "./mentions.js";
import type { ProgramCall } from "./program-call.js";
import { staysInDatabase } from "./sql-text.js";

/** Any text behind this is not looked at. Unit: characters. */
const MAX_TEXT = 16_000;
/** Options whose value is the next word. */
const TAKES_NEXT = /^(?:-[rWXIl]|--(?:require|import|loader))$/;

/** Reports what the words of a program reach beyond its name. */
export function reportEscapes(call: ProgramCall, escapes: Escapes): void {
  if (escapes.isCode) {
    startsFromCode(
      call,
      call.args.map(({ value }) => value),
    );
  }
  const line = call.args.map(({ value, prefix }) => value ?? prefix).join(" ");
  if (escapes.line?.test(line.slice(0, MAX_TEXT))) more(call, line);
  for (const [index, word] of call.args.entries()) {
    const text = word.value ?? word.prefix;
    if ((escapes.end ?? /^--$/).test(text)) break;
    reportText(call, escapes, text);
    const before = call.args[index - 1]?.prefix ?? "-";
    const mayBeStatement =
      STATEMENT.test(text) || (text === "" && /^(?!-)|^-[ce]$|^--(?:command|execute)$/.test(before));
    if (escapes.statements && word.value === null && mayBeStatement) more(call, word.raw, "code");
  }
  if (call.input.kind === "text") reportText(call, escapes, call.input.text, true);
}

/** Reports code in a file, as if it stood in the line. */
export function reportCodeFile(call: ProgramCall, escapes: Escapes = {}, file: ShellWord): void {
  const text = isStandardInput(file.value ?? "") ? call.codeInInput() : call.codeIn(file);
  if (escapes.own?.test(file.value ?? "")) return;
  const code = text === null || isStandardInput(file.value ?? "") ? null : (escapes.codeOf?.(text) ?? null);
  if (text !== null && (escapes.text || escapes.code || escapes.statements) && !escapes.codeOf)
    reportText(call, escapes, text, true);
  else if (code === null || !call.mayRun(code))
    call.doubt("code", `"${call.program}" takes code from ${file.raw}, which is not known to be harmless`);
}

/** The words of a client that are no name, option or address. */
const STATEMENT = /^(?!\w+=\S*(?: \w+=\S*)*$)(?:[.\\]|[^\s(;]*[\s(;])/;

function reportText(
  call: ProgramCall,
  { text: reaches, code, statements }: Escapes,
  whole: string,
  isCode = false,
): void {
  const given = whole.replace(/^(?:-[ce]|--(?:command|execute)=)(?=.)/, "");
  if (statements && (isCode || STATEMENT.test(given)) && !staysInDatabase(given, statements)) more(call, given, "code");
  const text = whole.slice(0, MAX_TEXT);
  if (whole.length > MAX_TEXT && (reaches ?? code)) {
    call.doubt("option", `"${call.program}" is given more than ${MAX_TEXT} characters, which are too many to be read`);
  }
  const found = code?.exec(text);
  if (!found && !reaches?.test(text)) return;
  more(call, text);
  const { code: named, replaced } = found?.groups ?? {};
  const command = named ?? replaced ?? found?.slice(1).find((group) => group !== undefined && group.trim() !== "");
  if (command) call.script(literalWord(command), { impliedByParent: true });
}

function more(call: ProgramCall, text: string, kind: "option" | "code" = "option"): void {
  call.doubt(kind, `"${clip(text, 60)}" makes "${call.program}" do more than its name says`);
}

/** Code of another language: what stands in quotes may name files, or be commands; it counts for rules that deny. */
function startsFromCode(call: ProgramCall, codes: readonly (string | null)[]): void {
  for (const each of codes) {
    if (!each) continue;
    const texts = stringsInCode(each);
    for (const text of texts) {
      if (!/^[^\s"'`]{1,200}$/.test(text)) continue;
      mentionFile(call, text, true);
      if (text !== "/") call.mayReach(literalWord(text));
    }
    if (maySpawn(each)) for (const text of texts) call.mayRun(text);
  }
}

/** Reports a program in its input. One that is not known asks under every rule; a compiler's may take in any file. */
export function reportCodeInput(call: ProgramCall, reader: CodeInput, escapes: Escapes | undefined): void {
  const { input } = call;
  if (reader.isScript) reportScript(call, reader);
  if (input.kind === "none" || (input.kind === "unknown" && reader.reaches && call.program === "bc")) return;
  const takesInput = isFromInput(call, reader);
  const text = input.kind === "text" || takesInput ? call.codeInInput() : null;
  if (text !== null && reader.reaches && !reader.reaches.test(text)) return;
  // Input that is only data is looked at, too: the place of the program may have been misread.
  if (text !== null) {
    startsFromCode(call, [text]);
    const command = reader.code?.exec(text.slice(0, MAX_TEXT))?.[1];
    if (command) call.mayRun(command);
    if (input.kind === "unknown" && escapes) reportText(call, escapes, text, true);
  }
  if (!takesInput || (reader.compiles && text === "")) return;
  const isUnknown = text === null || reader.compiles;
  call.doubt(isUnknown ? "code" : "script", `"${call.program}" runs what it reads from its input`);
  call.acts();
}

/** The file that an interpreter runs is known only at run time. */
function reportScript({ args, ...call }: ProgramCall, { brings }: CodeInput): void {
  const first = args.find(
    ({ prefix, value }) => (!prefix.startsWith("-") && value !== "run") || brings.test(value ?? ""),
  );
  if (!first || first.value !== null || first.prefix.startsWith("-") || first.pattern || first.listed || first.complete)
    return;
  call.doubt("code", `"${call.program}" runs ${first.raw}, which is known only at run time`);
}

function isFromInput({ args }: ProgramCall, { brings, operands: most = 1 }: CodeInput): boolean {
  let operands = 0;
  for (const [index, { value, prefix }] of args.entries()) {
    const text = value ?? prefix;
    if (isStandardInput(text)) return true;
    if (text === "--") continue;
    if (/^-./.test(text)) {
      if (operands === 0 && brings.test(text)) return false;
    } else if (!TAKES_NEXT.test(args[index - 1]?.value ?? "")) operands++;
  }
  return operands < most;
}
