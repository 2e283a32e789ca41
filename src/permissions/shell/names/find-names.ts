// The names that `find` reaches, as far as its tests say.
import { type ListedNames, literalWord, type ShellWord } from "../words/shell-word.js";
import { namesBelow } from "./found-names.js";

const PLAIN_TESTS = new Set("-empty -xdev -mount -depth".split(" "));
const PLAIN_VALUES = new Set(
  `-name -iname -path -ipath -wholename -type -maxdepth -mindepth -size -mtime -mmin -ctime -cmin -newer -perm
    -user`.split(/\s+/),
);
const FOLLOWS = /^-(?:[LHf]|follow|files0-from)$/;
const ENTERS_PRUNED = /^-(?:d|depth|delete|mindepth)$/;
const LEFT_OUT = /^\*\/([\w.@-]+)\/\*$|^(\.\/[\w.@-]+)\/\*$/;
const PLAIN_NAME = /^(?:\.\/)?[\w.@-]+$/;

/** Facts about each name that an expression is true of. */
interface Facts {
  /** It fits one of these, or is the directory `./x`. */
  readonly names: readonly string[] | null;
  /** It does not lie in these directories. */
  readonly skips: readonly string[];
  /** These directories are not entered where the expression is false. */
  readonly pruned: readonly string[] | null;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  /** Nothing else is asked of a file. */
  readonly isAll: boolean;
}

const ANY: Facts = { names: null, skips: [], pruned: null, isFile: false, isDirectory: false, isAll: true };
const SOME: Facts = { ...ANY, isAll: false };

function both(left: Facts, right: Facts): Facts {
  return {
    names: left.names ?? right.names,
    skips: [...left.skips, ...right.skips],
    pruned: null,
    isFile: left.isFile || right.isFile,
    isDirectory: left.isDirectory || right.isDirectory,
    isAll: left.isAll && right.isAll && !(left.names && right.names),
  };
}

function either(left: Facts, right: Facts): Facts {
  if (left.pruned) return { ...right, skips: [...right.skips, ...left.pruned] };
  const names = left.names && right.names && [...left.names, ...right.names];
  return { ...SOME, names, isFile: left.isFile && right.isFile, isDirectory: left.isDirectory && right.isDirectory };
}

/** Facts from tests that do nothing but choose; `null` for others. `isHere`: `./x` lies in its only start. */
function factsOf(texts: readonly string[], isHere: boolean): Facts | null {
  // Without an action `find` prints the directories it does not enter; contents first, it enters them.
  const prunes = texts.some((text) => /^-print0?$/.test(text)) && !texts.some((text) => ENTERS_PRUNED.test(text));
  let at = 0;
  const alternatives = (): Facts | null => {
    const facts = all();
    if (!facts || !/^-or?$/.test(texts[at] ?? "")) return facts;
    at++;
    const others = alternatives();
    return others && either(facts, others);
  };
  const all = (): Facts | null => {
    let facts = one();
    while (facts && at < texts.length && !/^(?:-or?|\))$/.test(texts[at]!)) {
      if (texts[at] === "-prune") {
        const named = prunes && facts.names?.every((name) => PLAIN_NAME.test(name)) ? facts.names : null;
        facts = { ...facts, isAll: false, pruned: named };
        at++;
        continue;
      }
      if (/^-a(?:nd)?$/.test(texts[at]!)) at++;
      const next = one();
      facts = next && both(facts, next);
    }
    return facts;
  };
  const one = (): Facts | null => {
    const text = texts[at++] ?? "";
    if (/^(?:!|-not)$/.test(text)) {
      const [, anywhere, atStart] = (texts[at] === "-path" && LEFT_OUT.exec(texts[at + 1] ?? "")) || [];
      const facts = one();
      const skip = anywhere ?? (isHere ? atStart : undefined);
      return facts && (skip === undefined ? SOME : { ...ANY, skips: [skip] });
    }
    if (text === "(") {
      const facts = alternatives();
      return texts[at++] === ")" ? facts : null;
    }
    // A test behind it would not narrow the output.
    if (/^-print0?$/.test(text)) return at < texts.length ? null : ANY;
    if (!PLAIN_VALUES.has(text)) return PLAIN_TESTS.has(text) ? SOME : null;
    const value = texts[at++] ?? "";
    // A value that looks like a test to a reader of words alone.
    if (/^[-!()]/.test(value) && !/^-\d/.test(value) && text !== "-perm") return null;
    if (text === "-type") return { ...ANY, isFile: value === "f", isDirectory: value === "d", isAll: value === "f" };
    if (text === "-path" && isHere && value.startsWith("./")) return { ...SOME, names: [value] };
    return /^-i?name$/.test(text) ? { ...ANY, names: [value], isAll: text === "-name" } : SOME;
  };
  const facts = texts.length === 0 ? ANY : alternatives();
  return at < texts.length ? null : facts;
}

/** More names are not looked for each. */
const MAX_NAMES = 3;

/** The names that `find` with these arguments prints, and perhaps more; `null` when it may print anything else. */
export function namesFromFind(words: readonly ShellWord[]): ListedNames | null {
  const texts = textsOf(words);
  const first = texts.findIndex((text) => text === "" || /^[-!(]/.test(text));
  const starts = first === -1 ? texts : texts.slice(0, first);
  const tests = first === -1 ? [] : texts.slice(first);
  const isHere = starts.every((start) => start === ".");
  const facts = factsOf(tests, isHere);
  if (!facts) return null;
  const { names, skips, isFile, isDirectory, isAll } = facts;
  const isNamed = names && names.length <= MAX_NAMES && !names.some((name) => name.includes("/"));
  const depth = depthAsked(tests);
  return namesBelow(starts, isNamed ? names.map((name) => `**/${name}`) : ["**"], {
    nul: tests.includes("-print0"),
    from: "disk",
    skips,
    ...(isAll && { whole: true }),
    ...(isFile && { filesOnly: true }),
    ...(isDirectory && { directoriesOnly: true }),
    ...(depth && { depth }),
  });
}

/** Whether a word counts for all that `find` does, though it is behind an action. */
export function isForAll({ value }: ShellWord): boolean {
  return value === null || FOLLOWS.test(value) || ENTERS_PRUNED.test(value);
}

/** The value of `-maxdepth`, wherever it stands. */
function depthAsked(tests: readonly string[]): number | undefined {
  const [at = -1, ...others] = tests.flatMap((text, index) => (text === "-maxdepth" ? index : []));
  const asked = tests[at + 1] ?? "";
  return at !== -1 && others.length === 0 && /^[1-9]$/.test(asked) ? Number(asked) : undefined;
}

/** The names that `find` hands to its `-exec`, and perhaps more; `null` when those may lie elsewhere. */
export function namesFound(starts: readonly ShellWord[], tests: readonly ShellWord[]): ListedNames | null {
  if ([...starts, ...tests].some(({ value }) => value === null || FOLLOWS.test(value))) return null;
  return (
    namesFromFind([...starts, ...tests, literalWord("-print")]) ??
    namesBelow(textsOf(starts), ["**"], { nul: true, from: "disk", skips: [] })
  );
}

function textsOf(words: readonly ShellWord[]): string[] {
  return words.map(({ value }) => value ?? "");
}
