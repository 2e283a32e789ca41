// Words with which a builtin may stand in a line that runs without a rule: data to it, or each of them known.
import { isSetting } from "../words/environment.js";
import type { ShellWord } from "../words/shell-word.js";
import { isPlainFormat, setsPlainly } from "./builtin-call.js";
import { builtinNamed } from "./builtins.js";

type Words = readonly ShellWord[];

const UNARY = /^-[efdrwxshzLnpSbcgkutGON]$/;
const BINARY = /^(?:=|==|!=|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;
/** `[[` evaluates both sides of a comparison of numbers, which are then read as arithmetic. */
const BINARY_OF_TEXT = /^(?:=|==|=~|!=|-nt|-ot|-ef)$/;
const NAME = /^[A-Za-z_]\w*$/;

const PLAIN: Readonly<Record<string, (words: Words) => boolean>> = {
  ...Object.fromEntries(
    ": true false echo pwd cd pushd popd dirs type times help kill break continue exit"
      .split(" ")
      .map((name) => [name, () => true]),
  ),
  test: isPlainTest,
  "[": (words) => words.at(-1)?.value === "]" && isPlainTest(words.slice(0, -1)),
  printf: printsPlainly,
  // It forgets where programs are, or looks for them where it always does.
  hash: each(/^(?:-r$|[\w.+])/),
  // Without a value it prints what a name is short for.
  alias: each(/^\w[\w.-]*$/),
  umask: ({ length }) => length === 0,
  ulimit: each(/^-[HSa-z]+$/),
  // With `-x`, in a cluster too, it runs what follows.
  jobs: each(/^(?:-[lnprs]+|%\S+|\d+)$/),
  wait: (words) => !words.some(({ value }) => value?.startsWith("-")),
  read: readsPlainNames,
  command: (words) => {
    const at = words.findIndex(({ value }) => value === null || !/^-[pvV]+$/.test(value));
    const asks = words.slice(0, Math.max(at, 0)).some(({ value }) => /[vV]/.test(value!));
    return asks || at === -1 || whyNotPlain(words.slice(at)) === null;
  },
  set: setsPlainly,
  export: (words) => words.every(isPlainExport),
};

/** The reason why a command is outside of the grammar that is a builtin; `null` when it is not. */
export function whyNotPlain([head, ...words]: Words): string | null {
  const name = head?.value ?? null;
  if (name === null || !builtinNamed(name)) return null;
  if (!Object.hasOwn(PLAIN, name)) return changesReading(name);
  return PLAIN[name]!(words) ? null : `the words of "${name}" are not plain`;
}

function changesReading(name: string): string {
  return `"${name}" changes how the rest of the line is read`;
}

/** The reason why lines are outside that read another script into their shell. */
export const WHY_SOURCING: readonly string[] = ["source", "."].map(changesReading);

/** An operator of `[[` that evaluates none of its words. */
export function isPlainOperator(operator: string): boolean {
  return UNARY.test(operator) || BINARY_OF_TEXT.test(operator);
}

function each(pattern: RegExp): (words: Words) => boolean {
  return (words) => words.every(({ value }) => value !== null && pattern.test(value));
}

/** The words of `test` and `[`: operators are literal, and none of them evaluates a word. */
function isPlainTest(words: Words): boolean {
  const is = (at: number, operator: RegExp) => operator.test(words[at]?.value ?? "");
  for (let at = 0; ; at++) {
    while (is(at, /^!$/) && words.length - at > 1) at++;
    if (is(at + 1, BINARY) && words.length - at >= 3) at += 3;
    else if (is(at, UNARY) && words.length - at >= 2) at += 2;
    else at += 1;
    if (at >= words.length) return true;
    if (!is(at, /^-[ao]$/)) return false;
  }
}

/** `printf` does nothing but print: behind `--` every word is data. */
function printsPlainly([first, second]: Words): boolean {
  const isData = first?.value === "--";
  const format = isData ? second : first;
  if (!format) return true;
  return format.value !== null && (isData || !format.value.startsWith("-")) && isPlainFormat(format.value);
}

/** `read -r name`: what it reads is only data. */
function readsPlainNames(words: Words): boolean {
  let names = 0;
  for (let at = 0; at < words.length; at++) {
    const text = words[at]!.value;
    if (text === null) return false;
    if (names === 0 && /^-[ers]*$/.test(text)) continue;
    if (names === 0 && /^-[ers]*[dntp]$/.test(text)) at++;
    else if (NAME.test(text) && !isSetting(text, null)) names++;
    else return false;
  }
  return true;
}

/** `NAME=plain` */
function isPlainExport({ value }: ShellWord): boolean {
  const [, name, set] = /^([A-Za-z_]\w*)=([\w.,:+-]*)$/.exec(value ?? "") ?? [];
  return name !== undefined && !isSetting(name, set!);
}
