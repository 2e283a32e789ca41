// Commands that print nothing but numbers, commits, or names of branches and tags: words that are surely not options.
// By the words of each command of a pipe, so that the grammar and the analysis ask the same table.
import { longPattern } from "../../long-pattern.js";

/** The kind of each word of an output. */
export type PlainKind = "number" | "commit" | "ref";

export interface PlainOutput {
  readonly kind: PlainKind;
  /** It is one word, or none. */
  readonly isOne: boolean;
}

/** The words of a simple command, `null` for one that is not plain text. */
export type CommandWords = readonly (string | null)[];

interface Printer {
  /** The command, its words separated by spaces. */
  readonly command: RegExp;
  readonly kind: PlainKind;
  readonly isOne?: true;
}

/** A commit, a branch, a range, a pattern or a path. */
const OPERAND = String.raw`(?!-)\S+`;
const CHOICE = longPattern`-\d+|-n \d+|-n\d+|--(?:max-count|skip)=\d+|
  --(?:since|until|after|before|author|grep)=\S+|--(?:all|reverse|no-merges|
  merges|first-parent|branches|tags|remotes|follow)|
  --`.source;
const CHOSEN = `(?: (?:${CHOICE}|${OPERAND}))*`;
const SORTED = String.raw`(?: (?:-a|-r|-l|--all|--remotes|--list|--merged|--no-merged|--sort=\S+|--count=\d+))*`;
const REF_NAME = String.raw`--format=%\((?:refname|objectname)(?::short)?\)`;

const PRINTERS: readonly Printer[] = [
  { command: /^nproc(?: --all)?$/, kind: "number", isOne: true },
  { command: /^getconf _NPROCESSORS_ONLN$/, kind: "number", isOne: true },
  { command: /^sysctl -n hw\.n?(?:logical)?cpu$/, kind: "number", isOne: true },
  { command: /^wc -[clmwL]$/, kind: "number", isOne: true },
  { command: /^[ef]?grep -[ivwxEF]*c[ivwxEF]*(?: (?!-)\S+){1,2}$/, kind: "number", isOne: true },
  { command: /^awk \/[^/"]*\/_?\{_?print_NR_?(?:;_?exit_?)?\}(?: (?!-)\S+)?$/, kind: "number" },
  { command: /^date (?:-u )?\+(?:%[sYmdHMSj])+$/, kind: "number", isOne: true },
  { command: /^id -[ug]$/, kind: "number", isOne: true },
  { command: /^pgrep(?: -(?:[fivx]*[no]|d,|u \S+))+(?: (?!-)\S+)?$/, kind: "number", isOne: true },
  { command: /^pgrep(?: -(?:[fivx]+|u \S+))*(?: (?!-)\S+)?$|^pidof(?: (?!-)\S+)+$/, kind: "number" },
  { command: /^lsof -(?:ti|t -i) ?(?:tcp)?:\d+$/, kind: "number" },
  {
    command: longPattern`^docker (?:ps|images|container ls|image ls)(?: -[alnqs]*| --(?:all|filter=\S+)| (?:-f|
      --filter) (?!-)\S+)* (?:-[alns]*q[alns]*|--quiet)(?: -[alnqs]*| --(?:all|filter=\S+)| (?:-f|
      --filter) (?!-)\S+)*$`,
    kind: "commit",
  },
  { command: /^seq(?: \d+){1,2}$|^seq \d+ -?\d+ \d+$/, kind: "number" },
  { command: new RegExp(`^git rev-list --count${CHOSEN}$`), kind: "number", isOne: true },
  { command: new RegExp(`^git rev-list${CHOSEN}$`), kind: "commit" },
  { command: new RegExp(`^git log${CHOSEN} --(?:format|pretty)=(?:t?format:)?%[hH]${CHOSEN}$`), kind: "commit" },
  { command: new RegExp(`^git merge-base(?: --fork-point)?(?: ${OPERAND}){1,2}$`), kind: "commit", isOne: true },
  // It prints a word that is not a commit as it is.
  { command: new RegExp(`^git rev-parse(?: --short(?:=\\d+)?| --verify)* ${OPERAND}$`), kind: "commit", isOne: true },
  {
    command: new RegExp(`^git rev-parse --abbrev-ref(?: --symbolic-full-name)? ${OPERAND}$`),
    kind: "ref",
    isOne: true,
  },
  {
    command: new RegExp(
      `^git describe(?: --(?:tags|all|always|long|dirty|exact-match|abbrev=\\d+|match=\\S+))*(?: ${OPERAND})?$`,
    ),
    kind: "ref",
    isOne: true,
  },
  { command: /^git branch --show-current$/, kind: "ref", isOne: true },
  { command: new RegExp(`^git branch${SORTED} ${REF_NAME}${SORTED}(?: ${OPERAND})*$`), kind: "ref" },
  { command: new RegExp(`^git tag${SORTED}(?: ${OPERAND})*$`), kind: "ref" },
  {
    command: new RegExp(`^git for-each-ref${SORTED} ${REF_NAME}${SORTED}(?: refs/(?:heads|tags|remotes)\\S*)+$`),
    kind: "ref",
  },
];

/** Lines of one file, each behind its number, and what leaves only that of them. */
const NUMBERED = /^[ef]?grep (?:-[ivwxEFP]* )?-[ivwxEFPm\d]*n[ivwxEFPm\d]*(?: (?!-)\S+){2}$/;
const TAKES_NUMBER = /^(?:cut (?:-d: ?-f ?1|-f ?1 -d:)|awk -F: \{_?print_\$1_?\})$/;

/** They pass on some of the lines they read. */
const PASSES =
  /^(?:(?:head|tail)(?: -\d+| -n ?\d+)?|sed -n \d+p|sort(?: -[runV]+)*|uniq|[ef]?grep(?: -[ivwxEF]+)* (?!-)\S+)$/;
const PASSES_ONE = /^(?:head|tail) (?:-1|-n ?1)$|^sed -n \d+p$/;

/** Longer pipes, and longer commands, print what is not known. */
const MAX_COMMANDS = 10;
const MAX_WORDS = 30;
const MAX_CHARACTERS = 2_000;

/** The output of a pipe's commands; `null` when it may be anything else. */
export function plainOutput(pipe: readonly CommandWords[]): PlainOutput | null {
  if (pipe.length > MAX_COMMANDS || pipe.some((words) => words.length > MAX_WORDS)) return null;
  let output: PipedOutput | null = null;
  for (const words of pipe) {
    const line = lineOf(words);
    if (line.length > MAX_CHARACTERS) return null;
    const printer = PRINTERS.find(({ command }) => command.test(line));
    if (printer) output = { kind: printer.kind, isOne: printer.isOne ?? asksForOne(line) };
    else if (NUMBERED.test(line)) output = { kind: "number", isOne: /m ?1(?!\d)/.test(line), isNumbered: true };
    else if (output?.isNumbered && TAKES_NUMBER.test(line)) output = { kind: "number", isOne: output.isOne };
    else if (!output || !PASSES.test(line)) output = null;
    else if (PASSES_ONE.test(line)) output = oneOf(output);
  }
  return output?.isNumbered ? null : output;
}

/** `git log -1`, with no other limit. */
function asksForOne(line: string): boolean {
  const [limit, ...others] = /^git (?:log|rev-list) /.test(line) ? (line.split(" -- ")[0]!.match(LIMIT) ?? []) : [];
  return others.length === 0 && limit !== undefined && /\D1$/.test(limit);
}

/** An option that limits the number of commits. */
const LIMIT = / (?:-\d+|-n ?\d+|--max-count=\d+)(?= |$)/g;

interface PipedOutput extends PlainOutput {
  /** There is text behind each. */
  readonly isNumbered?: boolean;
}

function oneOf(output: PipedOutput): PipedOutput {
  return { ...output, isOne: true };
}

/** A word with a space in it is still one word. */
function lineOf(words: CommandWords): string {
  return words.map((word) => (word ? word.replace(/\s/g, "_") : "\n")).join(" ");
}
