// Which names, and which words of builtins, are in the grammar of lines that run without a rule.
import { isPlainFormat } from "../builtins/plain-format.js";
import { isHazardous } from "../words/environment.js";
import { BUILTIN_NAMES, KEYWORDS, PROGRAM } from "./program-names.js";
import { OutsideGrammar } from "./text-cursor.js";
import type { GrammarWord } from "./word-reader.js";

/** Builtins whose words are only data, whatever they are. */
const PLAIN_BUILTINS = new Set(
  ": true false echo pwd cd pushd popd dirs type times help kill break continue exit".split(" "),
);

const UNARY = /^-[efdrwxshzLnpSbcgkutGON]$/;
const BINARY = /^(?:=|==|!=|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;
/** `[[` evaluates both sides of a comparison of numbers. */
const BINARY_OF_TEXT = /^(?:=|==|=~|!=|-nt|-ot|-ef)$/;
const NAME = /^[A-Za-z_]\w*$/;

/** The shell does itself what this names. */
export function isBuiltin(name: string | null): boolean {
  return name === null || BUILTIN_NAMES.has(name);
}

/** The variables that a simple command sets. @throws OutsideGrammar for one that is not in the grammar */
export function checkSimpleCommand(words: readonly GrammarWord[], isFirst = true): readonly string[] {
  const [head, ...args] = words;
  const name = head?.literal ?? null;
  if (name === null || !PROGRAM.test(name)) throw new OutsideGrammar("the name of a program is not a plain word");
  if (isFirst && KEYWORDS.has(name)) throw new OutsideGrammar(`"${name}" changes how the line is read`);
  if (!BUILTIN_NAMES.has(name) || PLAIN_BUILTINS.has(name)) return [];
  switch (name) {
    case "test":
      checkTest(args);
      return [];
    case "[":
      if (args.at(-1)?.literal !== "]") throw unknownWords("test");
      checkTest(args.slice(0, -1));
      return [];
    case "printf":
      if (!isPlainFormatWord(args[0], args[1])) throw unknownWords(name);
      return [];
    case "command": {
      if (args[0]?.literal === name) throw unknownWords(name);
      const at = args.findIndex(({ literal }) => literal === null || !/^-[pvV]+$/.test(literal));
      const asks = args.slice(0, Math.max(at, 0)).some(({ literal }) => /[vV]/.test(literal!));
      return asks || at === -1 ? [] : checkSimpleCommand(args.slice(at), false);
    }
    case "hash":
      // It forgets where programs are, or looks for them where it always does.
      if (!args.every(({ literal }) => literal === "-r" || /^[\w.+]/.test(literal ?? ""))) throw unknownWords(name);
      return [];
    case "alias":
    case "umask":
      // It shows what is set.
      if (args.length > 0) throw unknownWords(name);
      return [];
    case "ulimit":
      if (!args.every(({ literal }) => /^-[HSa-z]+$/.test(literal ?? ""))) throw unknownWords(name);
      return [];
    case "jobs":
      // With `-x`, in a cluster too, it runs what follows.
      if (!args.every(({ literal }) => /^(?:-[lnprs]+|%\S+|\d+)$/.test(literal ?? ""))) throw unknownWords(name);
      return [];
    case "wait":
      if (args.some(({ literal }) => literal?.startsWith("-"))) throw unknownWords(name);
      return [];
    case "read":
      return namesRead(args);
    case "set":
      checkSettings(args);
      return [];
    case "export":
      return namesExported(args);
    default:
      throw new OutsideGrammar(`"${name}" changes how the rest of the line is read`);
  }
}

/** A variable that the line sets; `null` for a value that is not plain. @throws OutsideGrammar when programs read it as a setting */
export function checkAssignment(name: string, value: string | null): void {
  // Every program is given the last, and keeps files there.
  if (isHazardous(name, value) || name === "TMPDIR") throw new OutsideGrammar(`"${name}" can change what programs do`);
}

/** The words in `test`, `[` and `[[`: operators are literal, and none of them evaluates a word. */
export function checkTest(all: readonly GrammarWord[], isDouble = false): void {
  const binary = isDouble ? BINARY_OF_TEXT : BINARY;
  let at = 0;
  const is = (index: number, operator: RegExp) => operator.test(all[index]?.literal ?? "");
  for (;;) {
    while (is(at, /^!$/) && all.length - at > 1) at++;
    if (is(at + 1, binary) && all.length - at >= 3) at += 3;
    else if (is(at, UNARY) && all.length - at >= 2) at += 2;
    else at += 1;
    if (at >= all.length) return;
    if (isDouble || !is(at, /^-[ao]$/)) throw new OutsideGrammar("a test has an operator that is not known");
    at++;
  }
}

/** `read -r name`: what it reads is only data. */
function namesRead(args: readonly GrammarWord[]): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const text = args[at]!.literal;
    if (text === null) throw unknownWords("read");
    if (names.length === 0 && /^-[ers]*$/.test(text)) continue;
    if (names.length === 0 && /^-[ers]*[dntp]$/.test(text)) at++;
    else if (NAME.test(text)) names.push(text);
    else throw unknownWords("read");
  }
  for (const name of names) checkAssignment(name, null);
  return names;
}

/** `set -euo pipefail` */
function checkSettings(args: readonly GrammarWord[]): void {
  const text = args.map(({ literal }) => literal ?? "?").join(" ");
  if (!/^(?:(?:[-+][eux]+|[-+][eux]*o pipefail)(?: |$))+$/.test(text)) throw unknownWords("set");
}

/** `export NAME=plain` */
function namesExported(args: readonly GrammarWord[]): readonly string[] {
  return args.map(({ literal }) => {
    const [, name, value] = /^([A-Za-z_]\w*)=([\w.,:+-]*)$/.exec(literal ?? "") ?? [];
    if (name === undefined || value === undefined) throw unknownWords("export");
    checkAssignment(name, value);
    return name;
  });
}

/** `printf` does nothing but print: behind `--` every word is data. */
function isPlainFormatWord(first: GrammarWord | undefined, second: GrammarWord | undefined): boolean {
  const isData = first?.literal === "--";
  const format = isData ? second : first;
  if (!format) return true;
  return format.literal !== null && (isData || !format.literal.startsWith("-")) && isPlainFormat(format.literal);
}

function unknownWords(builtin: string): OutsideGrammar {
  return new OutsideGrammar(`the words of "${builtin}" are not plain`);
}
