// The names that `find` reaches, as far as its tests say.
import { literalWord, type ShellWord } from "../words/shell-word.js";
import { below, type ListedNames, namesBelow } from "./found-names.js";

const PLAIN_TESTS = new Set("-print -print0 -empty -not ! -o -or -a -and ( ) -xdev -mount -depth -prune".split(" "));
const PLAIN_VALUES = new Set(
  "-name -iname -path -ipath -wholename -type -maxdepth -mindepth -size -mtime -mmin -ctime -cmin -newer -perm -user".split(
    " ",
  ),
);
const FOLLOWS = /^-(?:[LHf]|follow|files0-from)$/;
const ENTERS_PRUNED = /^-(?:d|depth|delete|mindepth)$/;
const IS_NEGATION = /^(?:!|-not)$/;
const IS_OR = /^-or?$/;
const LEFT_OUT = /^\*\/([\w.@-]+)\/\*$|^(\.\/[\w.@-]+)\/\*$/;
/** Tests by which no file is left out but for its name. */
const WHOLE = /^(?:-name \S+ ?)?(?:-type f ?)?(?:-print0? ?)?$/;

/** What `find` with these arguments prints, and perhaps more; `null` when it may print anything else. */
export function namesFromFind(words: readonly ShellWord[]): ListedNames | null {
  const first = words.findIndex(({ value }) => /^[-!(]/.test(value ?? "-"));
  const starts = textsOf(first === -1 ? words : words.slice(0, first));
  const isHere = starts.every((start) => start === ".");
  const pruned = withoutPruned(first === -1 ? [] : words.slice(first), isHere);
  const { skips, expression } = withoutLeftOut(pruned.expression, pruned.skips, isHere);
  const tests = textsOf(expression);
  const kept: ShellWord[] = [];
  const isOneAfterAnother = !tests.some((text) => IS_OR.test(text) || text === "(" || text === ")");
  let nul = false;
  let isWhole = true;
  let negations = 0;
  for (let at = 0; at < tests.length; at++) {
    const text = tests[at]!;
    // What stands behind it would not narrow what is printed.
    if (text.startsWith("-print") && at < tests.length - 1) return null;
    nul ||= text === "-print0";
    if (!PLAIN_VALUES.has(text)) {
      if (!PLAIN_TESTS.has(text)) return null;
      negations = IS_NEGATION.test(text) ? negations + 1 : 0;
      kept.push(expression[at]!);
      continue;
    }
    const value = tests[++at] ?? "";
    // What would be taken for a test by those who look at words alone.
    if (/^[-!()]/.test(value) && !/^-\d/.test(value) && text !== "-perm") return null;
    // What is left out narrows what the other tests find, if all tests have to hold.
    if (isOneAfterAnother && negations === 1 && /^-(?:i?name|path|wholename)$/.test(text)) {
      const [, anywhere, atStart] = (text === "-path" && LEFT_OUT.exec(value)) || [];
      if (anywhere) skips.push(anywhere);
      else if (atStart && isHere) skips.push(atStart);
      else isWhole = false;
      kept.pop();
    } else kept.push(...expression.slice(at - 1, at + 1));
    negations = 0;
  }
  const names = alternatives(textsOf(kept)) ?? [kept.some(({ value }) => value === "(") ? "**" : below(kept)];
  const whole = isWhole && WHOLE.test(textsOf(kept).join(" "));
  const depth = depthAsked(tests);
  const isFor = (kind: "f" | "d") =>
    isOneAfterAnother &&
    tests.some((text, at) => text === "-type" && tests[at + 1] === kind && !IS_NEGATION.test(tests[at - 1] ?? ""));
  const more = {
    ...(whole && { whole }),
    ...(isFor("f") && { filesOnly: true }),
    ...(isFor("d") && { directoriesOnly: true }),
    ...(depth && { depth }),
  };
  return namesBelow(starts, names, { nul, from: "disk", skips, ...more });
}

/** More of them are not looked for each. */
const MAX_ALTERNATIVES = 3;

/** `-type f ( -name a -o -name b )`: the names, when nothing else is asked. */
function alternatives(texts: readonly string[]): readonly string[] | null {
  const asked = texts.filter(
    (text, at) => !/^-print0?$/.test(text) && !(text === "-type" || texts[at - 1] === "-type"),
  );
  const inner = asked[0] === "(" && asked.at(-1) === ")" ? asked.slice(1, -1) : asked;
  const names = inner.filter((_, at) => at % 3 === 1);
  const isPlain = inner.every((text, at) =>
    at % 3 === 0 ? /^-i?name$/.test(text) : at % 3 === 2 ? IS_OR.test(text) : !/[/()]/.test(text),
  );
  return isPlain && inner.length % 3 === 2 && names.length <= MAX_ALTERNATIVES
    ? names.map((name) => `**/${name}`)
    : null;
}

/** What counts for all that `find` does, though it stands behind an action. */
export function isForAll({ value }: ShellWord): boolean {
  return value === null || FOLLOWS.test(value) || ENTERS_PRUNED.test(value);
}

/** What `-maxdepth` says, wherever it stands. */
function depthAsked(tests: readonly string[]): number | undefined {
  const [at = -1, ...others] = tests.flatMap((text, index) => (text === "-maxdepth" ? index : []));
  const asked = tests[at + 1] ?? "";
  return at !== -1 && others.length === 0 && /^[1-9]$/.test(asked) ? Number(asked) : undefined;
}

/** What `find` hands to its `-exec`, and perhaps more; `null` when that may lie elsewhere. `tests`: with those behind it. */
export function namesFound(starts: readonly ShellWord[], tests: readonly ShellWord[]): ListedNames | null {
  if ([...starts, ...tests].some(({ value }) => value === null || FOLLOWS.test(value))) return null;
  return (
    namesFromFind([...starts, ...tests, literalWord("-print")]) ??
    namesBelow(textsOf(starts), ["**"], { nul: true, from: "disk", skips: [] })
  );
}

/** Takes `-path ./node_modules -prune -o` off the front: the directories that are not entered, and what is asked of the others. */
function withoutPruned(tests: readonly ShellWord[], isHere: boolean) {
  const texts = textsOf(tests);
  const skips: string[] = [];
  // Without an action behind it, `find` prints the directories it does not enter; contents first, or untested, it enters them.
  const isPlain = texts.some((text) => /^-print0?$/.test(text)) && !texts.some((text) => ENTERS_PRUNED.test(text));
  let from = 0;
  for (let at = 0; isPlain && at < texts.length; ) {
    if (texts[at] === "-type" && texts[at + 1] === "d") at += 2;
    const end = texts[at] === "(" ? texts.indexOf(")", at) : at + 1;
    const names = texts[at] === "(" ? texts.slice(at + 1, end) : texts.slice(at, at + 2);
    const found = prunedNames(names, isHere);
    if (found === null || texts[end + 1] !== "-prune" || !IS_OR.test(texts[end + 2] ?? "")) break;
    skips.push(...found);
    at = end + 3;
    from = at;
  }
  return { skips, expression: tests.slice(from) };
}

/** Takes `-not -path './node_modules/*'` from beside a group in brackets, when all tests have to hold. */
function withoutLeftOut(expression: readonly ShellWord[], skips: string[], isHere: boolean) {
  const texts = textsOf(expression);
  const [open, close] = [texts.indexOf("("), texts.indexOf(")")];
  const outside = texts.filter((_, at) => at < open || at > close);
  const isPlain = open !== -1 && !outside.some((text) => IS_OR.test(text) || text === "(" || text === ")");
  const kept = [...expression];
  for (let at = texts.length - 3; isPlain && at >= 0; at--) {
    const isNegated =
      IS_NEGATION.test(texts[at]!) && !IS_NEGATION.test(texts[at - 1] ?? "") && texts[at + 1] === "-path";
    const [, anywhere, atStart] = (isNegated && LEFT_OUT.exec(texts[at + 2]!)) || [];
    if ((at > open && at < close) || (!anywhere && !(atStart && isHere))) continue;
    skips.push(anywhere ?? atStart!);
    kept.splice(at, 3);
  }
  return { skips, expression: kept };
}

/** `-name a -o -path ./b`: the directories meant, by their names; `null` for other tests. */
function prunedNames(texts: readonly string[], isHere: boolean): string[] | null {
  const names: string[] = [];
  for (let at = 0; at < texts.length; at += 3) {
    const [test, name = "", or] = texts.slice(at, at + 3);
    const isName = test === "-name" && /^[\w.@-]+$/.test(name);
    const isPath = test === "-path" && isHere && /^\.\/[\w.@-]+$/.test(name);
    if ((!isName && !isPath) || (or !== undefined && !IS_OR.test(or))) return null;
    names.push(name);
  }
  return names.length > 0 ? names : null;
}

function textsOf(words: readonly ShellWord[]): string[] {
  return words.map(({ value }) => value ?? "");
}
