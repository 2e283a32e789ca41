// Commands that print names of files and nothing else, for `xargs` behind them in a pipe: `find src -name '*.ts' | xargs wc -l`.
import type { ShellWord } from "../shell-word.js";
import { below } from "./found-names.js";

/** What names a command prints. */
export interface ListedNames {
  /** The paths they may be, with wildcards; relative to the folder the command runs in unless it starts with `/`. */
  readonly patterns: readonly string[];
  /** Each ends with a zero byte, so that nothing in it can end it. */
  readonly nul: boolean;
  /** The shell takes them for words, so it expands wildcards in them. */
  readonly expands?: boolean;
  /** Where the command takes them from. */
  readonly from: "disk" | "index";
  /** Names of folders it leaves out, wherever they are. */
  readonly skips: readonly string[];
}

const MAX_WORDS = 60;
/** A place to start from that a pattern can hold as it stands, and that no program takes for an option. */
const START = /^[\w.@/+][\w.@/+-]*$/;
const PARENT = /(?:^|\/)\.\.(?:\/|$)/;

/** The names that a program with these words prints; `null` when it may print anything else. */
export function namesListed(words: readonly ShellWord[]): ListedNames | null {
  const texts = words.map(({ value }) => value);
  if (texts.length > MAX_WORDS || !texts.every((text) => text !== null)) return null;
  const [program, ...args] = texts;
  switch (program) {
    case "find":
      return fromFind(args, words.slice(1));
    case "grep":
      return fromGrep(args);
    case "rg":
      return fromRipgrep(args);
    case "git":
      return args[0] === "ls-files" ? fromIndex(args.slice(1)) : null;
    default:
      return null;
  }
}

/** Whether a program with these words hands on some of the lines it reads, and nothing else. */
export function passesLines(words: readonly ShellWord[]): boolean {
  const line = words.map(({ value }) => (value === null ? "\n" : /^[^\s-]\S*$/.test(value) ? "x" : value)).join(" ");
  const program = words[0]?.value ?? "";
  return (
    (/^(?:head|tail)$/.test(program) && /^x(?: -\d+| -n(?: -?\d+| x))?$/.test(line) && words.slice(1).every(isCount)) ||
    (/^(?:sort|uniq)$/.test(program) && /^x(?: -[ufrVn]+)*$/.test(line)) ||
    (/^[ef]?grep$/.test(program) && /^x(?: -[viEFwx]+)* x$/.test(line))
  );
}

function isCount({ value }: ShellWord): boolean {
  return /^(?:-n|-?\d+)$/.test(value ?? "");
}

const PLAIN_TESTS = new Set("-print -print0 -empty -not ! -o -or -a -and ( ) -xdev -mount -depth -prune".split(" "));
const PLAIN_VALUES = new Set(
  "-name -iname -path -ipath -wholename -type -maxdepth -mindepth -size -mtime -mmin -ctime -cmin -newer -perm -user".split(
    " ",
  ),
);
const IS_NEGATION = /^(?:!|-not)$/;
const LEFT_OUT = /^\*\/([\w.@-]+)\/\*$|^\.\/([\w.@-]+)\/\*$/;

function fromFind(args: readonly string[], words: readonly ShellWord[]): ListedNames | null {
  const end = args.findIndex((text) => /^[-!(]/.test(text));
  const starts = end === -1 ? args : args.slice(0, end);
  const tests = end === -1 ? [] : args.slice(end);
  const kept: ShellWord[] = [];
  const skips: string[] = [];
  const isOneAfterAnother = !tests.some((text) => /^(?:-o|-or|\(|\))$/.test(text));
  const expression = words.slice(starts.length);
  let nul = false;
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
      else if (atStart && starts.every((start) => start === ".")) skips.push(`./${atStart}`);
      kept.pop();
    } else kept.push(...expression.slice(at - 1, at + 1));
    negations = 0;
  }
  const name = kept.some(({ value }) => value === "(") ? "**" : below(kept);
  return listed(starts.length === 0 ? ["."] : starts, name, { nul, from: "disk", skips });
}

function fromGrep(args: readonly string[]): ListedNames | null {
  const flags = args.filter((text) => text.startsWith("-"));
  const [pattern, ...starts] = args.filter((text) => !text.startsWith("-"));
  const isPlain = flags.every((text) =>
    /^-[rlnilwEFPsIx]+Z?$|^--(?:null|(?:in|ex)clude(?:-dir)?=[\w.*-]+)$/.test(text),
  );
  const clusters = flags.filter((text) => !text.startsWith("--")).join("");
  if (!isPlain || pattern === undefined || !clusters.includes("r") || !clusters.includes("l")) return null;
  const includes = flags.flatMap((text) => /^--include=(.*)/.exec(text)?.[1] ?? []);
  const nul = clusters.includes("Z") || flags.includes("--null");
  const name = includes.length === 1 ? `**/${includes[0]}` : "**";
  return listed(starts.length === 0 ? ["."] : starts, name, { nul, from: "disk", skips: [] });
}

function fromRipgrep(args: readonly string[]): ListedNames | null {
  const operands: string[] = [];
  const globs: string[] = [];
  let lists = false;
  let nul = false;
  const isFiles = args.includes("--files");
  for (let at = 0; at < args.length; at++) {
    const text = args[at]!;
    if (/^(?:-g|--glob)$/.test(text)) globs.push(args[++at] ?? "");
    else if (/^(?:-t|--type)$/.test(text)) at++;
    else if (/^--(?:null|files|files-with-matches|hidden|ignore-case|word-regexp|fixed-strings)$/.test(text)) {
      nul ||= text === "--null";
      lists ||= text === "--files" || text === "--files-with-matches";
    } else if (/^-[liFwSsPU0]+$/.test(text)) {
      nul ||= text.includes("0");
      lists ||= text.includes("l");
    } else if (text.startsWith("-")) return null;
    else operands.push(text);
  }
  if (!lists || (!isFiles && operands.length === 0)) return null;
  const starts = isFiles ? operands : operands.slice(1);
  const name = globs.length === 1 && /^[\w.*-]+$/.test(globs[0]!) ? `**/${globs[0]}` : "**";
  return listed(starts.length === 0 ? ["."] : starts, name, { nul, from: "disk", skips: [] });
}

function fromIndex(args: readonly string[]): ListedNames | null {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const isOption = (text: string) => text === "-z" || text === "-c" || text === "--cached";
  const specs = args.filter((text, at) => at > end || (at < end && !isOption(text)));
  if (specs.some((text) => !/^[\w.*/@+][\w.*/@+-]*$/.test(text))) return null;
  if (specs.some((text) => text.startsWith("/") || PARENT.test(text))) return null;
  const [only = "", ...more] = specs;
  // The wildcards of git cross folders, so only what stands behind the last slash says something of the name.
  const name = more.length === 0 && /^\*[\w.-]+$/.test(only) ? `**/${only}` : "**";
  return listed(["."], name, { nul: args.slice(0, end).includes("-z"), from: "index", skips: [] });
}

function listed(
  starts: readonly string[],
  name: string,
  { nul, from, skips }: Omit<ListedNames, "patterns">,
): ListedNames | null {
  if (!starts.every((start) => START.test(start) && !PARENT.test(start))) return null;
  const folders = starts.map((start) => (start === "/" ? "" : start.replace(/\/+$/, "")));
  return { patterns: folders.map((folder) => `${folder}/${name}`), nul, from, skips };
}
