// Builtins that take names of variables: an index in one is evaluated, and what is set may change what follows.

import { isTuning } from "../words/environment.js";
import { literalWord, mayBeOption, type ShellWord } from "../words/shell-word.js";
import { type BuiltinCall, isPlainFormat, opaque, prints } from "./builtin-call.js";

/** `printf`, which sets variables with `-v`, and with `%n` in its format. */
export function printsFormatted(call: BuiltinCall): undefined {
  const isData = call.args[0]?.value === "--";
  const [first, name, ...more] = isData ? call.args.slice(1) : call.args;
  const text = first?.value ?? "";
  if ((isData || !text.startsWith("-")) && !isPlainFormat(text)) setsNames(call, name ? [name, ...more] : []);
  else if (isData) prints(call);
  else if (first && mayBeOption(first)) opaque(call, "may set a variable");
  else if (!text.startsWith("-v")) prints(call);
  else {
    const target = text === "-v" ? name : literalWord(text.slice(2));
    setsNames(call, target ? [target] : []);
  }
  return undefined;
}

/** `test` and `[`, which evaluate the names of variables. */
export function tests(call: BuiltinCall): undefined {
  const draft = call.open();
  draft.reads = true;
  for (const [index, word] of call.args.entries()) {
    const next = call.args[index + 1];
    if (/^-[vR]$/.test(word.value ?? "") && next) call.script.expansions.variableName(next);
  }
  return undefined;
}

/** `let`: each word is arithmetic. */
export function evaluates(call: BuiltinCall): undefined {
  call.open().reads = true;
  for (const word of call.args) {
    if (word.value !== null && call.script.isPlain(word.value)) continue;
    call.script.findings.opaque('"let" evaluates text that is known only at run time');
  }
  return undefined;
}

/** Builtins that set the variables their words name. */
export function names(
  call: BuiltinCall,
  pick: (words: readonly ShellWord[]) => readonly ShellWord[],
  only?: RegExp,
): undefined {
  if (only && !call.args.some(({ value }) => value === null || only.test(value))) return prints(call);
  return setsNames(call, pick(call.args));
}

function setsNames(call: BuiltinCall, words: readonly ShellWord[]): undefined {
  call.open().reads = true;
  for (const word of words) {
    call.script.expansions.variableName(word);
    call.script.findings.setsVariable(word.value ?? "", null);
  }
  return undefined;
}

/** The variables that `read` sets. */
export function readNames(words: readonly ShellWord[]): readonly ShellWord[] {
  const found: ShellWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const text = word.value;
    if (found.length === 0 && text !== null && /^-./.test(text)) {
      const option = /^-[ers]*([adinNptu])(.*)$/.exec(text);
      const value = option && option[2] === "" ? words[++at] : option ? literalWord(option[2]!) : undefined;
      if (option?.[1] === "a" && value) found.push(value);
    } else found.push(word);
  }
  return found;
}

/** `mapfile`, which may run code for the lines it reads. */
export function maps(call: BuiltinCall): undefined {
  if (call.args.some((word) => mayBeOption(word) || /^-[a-z]*C/.test(word.value ?? "")))
    return opaque(call, "runs code for the lines it reads");
  return setsNames(
    call,
    call.args.slice(-1).filter(({ prefix }) => !prefix.startsWith("-")),
  );
}

/** `declare` and its kin. */
export function declares(call: BuiltinCall): undefined {
  const draft = call.open();
  draft.reads = true;
  for (const word of call.args) {
    const text = word.value ?? word.prefix;
    if (/^[-+]/.test(text) && (word.value === null || !/^[-+][aAfFgIlprtux]+$/.test(text))) {
      call.script.findings.doubt(draft, "opaque", `"${text}" makes the shell evaluate values`);
      continue;
    }
    if (/^[-+]/.test(text)) {
      if (text.includes("f") && call.invocation.words[0]!.value === "export") {
        call.script.findings.doubt(draft, "opaque", "A function is exported to the shells that this one starts");
      }
      continue;
    }
    if (word.value === null && !/^[A-Za-z_]\w*\+?=/.test(word.prefix)) {
      call.script.findings.doubt(draft, "opaque", "The name of a variable is known only at run time");
      continue;
    }
    call.script.expansions.variableName(literalWord(text));
    const [, name = "", sign = "", given = null] = /^([A-Za-z_]\w*)(?:(\+?=)(.*))?$/s.exec(text) ?? [];
    const value = word.value === null || sign === "+=" ? null : given;
    const isExported = exportsThem(call.invocation);
    call.script.findings.exports ||= isExported && !isTuning(name, value);
    // A variable that has a value already may have had it before.
    const values = sign === "" && isExported ? call.script.variables.valuesOf(name) : [value];
    if (sign !== "" || isExported)
      for (const each of values.length === 0 ? [null] : values)
        call.script.findings.setsVariable(name, each, isExported);
  }
  return undefined;
}

/** True when programs get the variables it sets. */
function exportsThem({ words: [head, ...words] }: BuiltinCall["invocation"]): boolean {
  return head!.value === "export" || words.some(({ value }) => /^-[a-zA-Z]*x/.test(value ?? ""));
}
