import { optionsOf } from "./invocation/options.js";
import { baseName, findProgram } from "./programs/table.js";
import type { CommandDraft } from "./script/findings.js";
import { shown } from "./script/findings.js";
import { quoted, type ShellWord } from "./words/shell-word.js";

const MAX_FORMS = 24;
/** Longer commands get fewer spellings: what a rule names stands near the start. */
const MANY_WORDS = 64;

/** Spellings of a command for rules that deny or ask; the first is its text. */
export function variantsOf(draft: CommandDraft): readonly string[] {
  const forms = new Set<string>([draft.words.map(shown).join(" ")]);
  addForms(forms, draft.words);
  for (const outer of draft.surroundings.outer) if (outer.length <= MANY_WORDS) addForms(forms, outer);
  return [...forms].filter((form) => form !== "").slice(0, MAX_FORMS);
}

function addForms(forms: Set<string>, words: readonly ShellWord[]): void {
  for (const texts of readings(words)) {
    const [program, ...args] = texts;
    if (program === undefined || program === "") continue;
    const name = baseName(program);
    for (const each of [program, name]) forms.add([each, ...args].join(" "));
    // Git's commands are programs of their own, too: `/usr/lib/git-core/git-push`.
    const [base, ...act] = name.startsWith("git-") ? (["git", name.slice(4)] as const) : ([name] as const);
    const own = withoutGlobals(base, [...act, ...args]);
    forms.add([base, ...own].join(" "));
    const flags = own.filter(isFlag);
    if (flags.length === 0) continue;
    const operands = own.filter((word) => !isFlag(word));
    const single = singleFlags(flags);
    forms.add([base, ...single, ...operands].join(" "));
    // `git push origin --force` for a rule about `git push --force`.
    const [subcommand, ...rest] = operands;
    if (subcommand !== undefined) {
      forms.add([base, subcommand, ...single, ...rest].join(" "));
      for (const flag of single.slice(0, MAX_FORMS)) forms.add([base, subcommand, flag, ...rest].join(" "));
    }
  }
}

export function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith("-");
}

/** The words as strings: as they stand, without quotes, and with the values that variables may have. */
function readings(words: readonly ShellWord[]): readonly string[][] {
  const plain = words.map((word) => word.value ?? word.raw);
  if (words.length > MANY_WORDS) return [plain];
  const literal = words.map((word) => (word.value === null ? word.raw : quoted(word.value)));
  const all = literal.every((text, at) => text === plain[at]) ? [plain] : [plain, literal];
  if (words.some(({ value, guesses }) => value === null && guesses.length > 0)) {
    all.push(words.map((word) => word.value ?? word.guesses[0] ?? word.raw));
    all.push(words.map((word) => word.value ?? word.guesses.at(-1) ?? word.raw));
  }
  return all;
}

function withoutGlobals(program: string, args: readonly string[]): readonly string[] {
  const row = findProgram(program);
  if (!row || (!row.commands && row.globals === undefined)) return args;
  const table = optionsOf(row);
  const globals = row.globals?.split(/\s+/) ?? [];
  let at = 0;
  while (at < args.length && args[at]!.startsWith("-")) {
    at += globals.includes(args[at]!) || table.kind(args[at]!)?.takes === "word" ? 2 : 1;
  }
  return args.slice(at);
}

/** `-rf` as `-f -r`, each once, in the order of the alphabet. */
function singleFlags(flags: readonly string[]): readonly string[] {
  const single = flags.flatMap((flag) =>
    /^-[A-Za-z]{2,}$/.test(flag) ? [...flag.slice(1)].map((letter) => `-${letter}`) : [flag],
  );
  return [...new Set(single)].sort();
}
