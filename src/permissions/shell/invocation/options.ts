import { edited, literalWord, mayBeOption, type ShellWord } from "../words/shell-word.js";
import type { LineShape, OptionLists } from "./option-lists.js";

/** The use of an option's value to the program; `hazard`: the option does more than the program's name says. */
type OptionRole = "plain" | "reads" | "loads" | "codes" | "writes" | "empties" | "runs" | "hazard";

interface OptionKind {
  readonly takes: "nothing" | "word" | "attached";
  readonly role: OptionRole;
}

const LISTS = [
  ["flags", "nothing", "plain"],
  ["hazards", "nothing", "hazard"],
  ["attached", "attached", "plain"],
  ["values", "word", "plain"],
  ["reads", "word", "reads"],
  ["loads", "word", "loads"],
  ["codes", "word", "codes"],
  ["writes", "word", "writes"],
  ["empties", "word", "empties"],
  ["runs", "word", "runs"],
  ["hazardValues", "word", "hazard"],
] as const satisfies readonly (readonly [keyof OptionLists, OptionKind["takes"], OptionRole])[];

type Shape = LineShape & {
  /** So many operands end the options. */
  readonly mostOperands?: number | undefined;
};

/** All options of a row, or of a command and its program. */
export class ProgramOptions {
  readonly #kinds = new Map<string, OptionKind>();
  readonly #harmless: readonly RegExp[];
  /** Whether any option does more than the program's name says. */
  readonly hasHazards: boolean;
  /** Whether the value of any option is a file. */
  readonly namesFiles: boolean;

  /** The later of two lists that name an option counts. */
  constructor(lists: readonly OptionLists[]) {
    for (const each of lists) {
      for (const [list, takes, role] of LISTS) {
        for (const option of each[list]?.split(/\s+/) ?? [])
          if (option !== "") this.#kinds.set(option, { takes, role });
      }
    }
    this.#harmless = lists.flatMap(({ harmless }) => harmless ?? []);
    const roles = new Set([...this.#kinds.values()].map(({ role }) => role));
    this.hasHazards = roles.has("writes") || roles.has("runs") || roles.has("hazard");
    this.namesFiles = this.hasHazards || roles.has("reads") || roles.has("loads") || roles.has("codes");
  }

  kind(option: string): OptionKind | undefined {
    return this.#kinds.get(option);
  }

  isHarmless(text: string): boolean {
    return this.#harmless.some((pattern) => pattern.test(text));
  }

  /** Most parsers take an abbreviation that fits one option only. */
  abbreviated(written: string): string | undefined {
    const fitting = [...this.#kinds.keys()].filter((name) => name.startsWith("--") && name.startsWith(written));
    // Where several fit, one version of the program may know only the one that does harm.
    const harmful = fitting.find((name) => this.#kinds.get(name)!.role !== "plain");
    return harmful ?? (fitting.length === 1 ? fitting[0] : undefined);
  }
}

/** Values that some parsers let a flag be set to. */
const IS_SWITCH = /^=(?:true|false|yes|no|on|off|[01])$/;

const compiled = new WeakMap<OptionLists, ProgramOptions>();

/** The options of a row; with those of its program, if it is a command. */
export function optionsOf(row: OptionLists, program?: OptionLists): ProgramOptions {
  const known = compiled.get(row);
  if (known) return known;
  const table = new ProgramOptions(program ? [program, row] : [row]);
  compiled.set(row, table);
  return table;
}

/** Reads a command line the way the program's option parser does, as described by its row. */
export function parseOptions(
  row: OptionLists & LineShape,
  args: readonly ShellWord[],
  table = optionsOf(row),
  mostOperands?: number,
): ParsedOptions {
  return new ParsedOptions(mostOperands === undefined ? row : { ...row, mostOperands }, table, args);
}

export interface ParsedOption {
  readonly name: string;
  readonly value: ShellWord | null;
  readonly role: OptionRole;
}

/** A command line, taken apart. */
export class ParsedOptions {
  readonly options: ParsedOption[] = [];
  readonly operands: ShellWord[] = [];
  /** Options in no list, as written. */
  readonly unknown: string[] = [];
  /** A word known only at run time stands where an option may. */
  uncertain = false;
  /** A word that is not the value of an option is known only at run time, and no names of files, commits or numbers. */
  open = false;
  /** Words that become names of files, which are not options if none of them looks like one. */
  readonly lists: ShellWord[] = [];
  readonly #shape: Shape;
  readonly #table: ProgramOptions;
  readonly #args: readonly ShellWord[];
  #at = 0;

  constructor(shape: Shape, table: ProgramOptions, args: readonly ShellWord[]) {
    this.#shape = shape;
    this.#table = table;
    this.#args = args;
    this.#run();
  }

  /** The options with this name, in any of the spellings given. */
  all(...names: string[]): readonly ParsedOption[] {
    return this.options.filter(({ name }) => names.includes(name));
  }

  has(...names: string[]): boolean {
    return this.options.some(({ name }) => names.includes(name));
  }

  #run(): void {
    while (this.#at < this.#args.length) {
      const word = this.#args[this.#at++]!;
      if (word.value === "--") {
        this.#rest();
        return;
      }
      // The value of an option that is spelt out is not another option, unless it splits.
      if (this.#takesRest(word)) continue;
      if (isNames(word)) this.lists.push(word);
      else if (mayBeOption(word) && (word.splits || !/^--[\w-]+=/.test(word.prefix))) this.uncertain = true;
      const text = word.value ?? (word.prefix.startsWith("--") && word.prefix.includes("=") ? word.prefix : null);
      if (text === null || !/^-./.test(text)) {
        this.open ||= isOpen(word);
        this.operands.push(word);
        if (this.#shape.posix || this.operands.length >= (this.#shape.mostOperands ?? Infinity)) {
          this.#rest();
          return;
        }
      } else this.#option(text, word);
    }
  }

  /** `-j$(nproc)`: an option that is written out, with one word glued to it that is not known. */
  #takesRest(word: ShellWord): boolean {
    const name = word.prefix.slice(0, 2);
    const kind = word.value === null && !word.splits && /^-[A-Za-z]$/.test(name) ? this.#table.kind(name) : undefined;
    if (this.#shape.singleDash || kind === undefined || kind.takes === "nothing") return false;
    this.options.push({ name, value: rest(word, name.length), role: kind.role });
    return true;
  }

  #rest(): void {
    const others = this.#args.slice(this.#at);
    this.open ||= others.some(isOpen);
    this.operands.push(...others);
    this.#at = this.#args.length;
  }

  #option(text: string, word: ShellWord): void {
    if (this.#shape.digits && /^-\d+$/.test(text)) return;
    if (text.startsWith("--") || this.#shape.singleDash) this.#long(text, word);
    else this.#cluster(text);
  }

  #long(text: string, word: ShellWord): void {
    const equals = text.indexOf("=");
    const written = equals === -1 ? text : text.slice(0, equals);
    const name = this.#resolve(written);
    const kind = name === undefined ? undefined : this.#table.kind(name);
    if (name === undefined || kind === undefined) {
      if (!this.#table.isHarmless(text)) this.unknown.push(written);
      return;
    }
    // A flag with a value is an option of another version.
    if (equals !== -1 && kind.takes === "nothing" && !IS_SWITCH.test(text.slice(equals))) this.unknown.push(text);
    else if (equals !== -1) {
      const value = word.value === null ? rest(word, equals + 1) : literalWord(text.slice(equals + 1));
      this.options.push({ name, value, role: kind.role });
    } else this.options.push({ name, value: kind.takes === "word" ? this.#next() : null, role: kind.role });
    if (this.#isLast(name)) this.#rest();
  }

  /** The words that follow are for the program that this option starts. */
  #isLast(name: string): boolean {
    return this.#shape.lastOptions?.split(/\s+/).includes(name) ?? false;
  }

  #resolve(written: string): string | undefined {
    if (this.#table.kind(written)) return written;
    // Such programs take both: `-exec` and `--exec`.
    if (this.#shape.singleDash) return written.startsWith("--") ? written.slice(1) : written;
    return this.#table.abbreviated(written);
  }

  #cluster(text: string): void {
    for (let index = 1; index < text.length; index++) {
      const name = `-${text[index]}`;
      const kind = this.#table.kind(name);
      if (kind === undefined) {
        if (this.#table.isHarmless(text)) return;
        this.unknown.push(name);
        continue;
      }
      if (kind.takes === "nothing") {
        this.options.push({ name, value: null, role: kind.role });
        continue;
      }
      const glued = text.slice(index + 1);
      const value = glued !== "" ? literalWord(glued) : kind.takes === "word" ? this.#next() : null;
      this.options.push({ name, value, role: kind.role });
      if (this.#isLast(name)) this.#rest();
      return;
    }
  }

  #next(): ShellWord | null {
    const next = this.#args[this.#at];
    if (!next) return null;
    this.#at++;
    // A word that may vanish or split shifts all that follow.
    if (next.splits) this.uncertain = true;
    if (next.splits && next.listed) this.unknown.push(next.raw);
    // All but the first of the names that wildcards match are operands, or options.
    if (next.pattern) {
      this.operands.push(next);
      if (isNames(next)) this.lists.push(next);
    }
    return next;
  }
}

/** A list, perhaps behind its directory, or wildcards at the start of a word. */
function isNames({ listed, pattern, known, splits, prefix }: ShellWord): boolean {
  if (listed !== undefined) return !prefix.startsWith("-");
  return prefix === "" && pattern && known !== null && !splits;
}

/** It is not known, and no names of files, commits or numbers. */
function isOpen(word: ShellWord): boolean {
  return word.value === null && word.revision !== true && !isNames(word);
}

function rest(word: ShellWord, from: number): ShellWord {
  return { ...edited(word, (text) => text.slice(from)), raw: word.raw };
}

interface Taker {
  readonly command: RegExp;
  readonly message: RegExp;
  readonly flag: RegExp;
  /** Another option whose value is the next word. */
  readonly value?: RegExp;
}

const TAKERS: readonly Taker[] = [
  {
    command: /^git (?:(?:commit|merge|tag) |stash (?:push |-))/,
    message: /^(?:-[aepsnqvoiz]*m|--message)$/,
    flag: /^(?:-[aepsnqvoiz]+|--(?:all|allow-empty|amend|annotate|no-edit|no-ff|no-verify|quiet|signoff))$/,
  },
  {
    command: /^gh (?:issue|pr|release) /,
    message: /^(?:-[bt]|--(?:body|comment|notes|title))$/,
    flag: /^--(?:draft|fill|latest|prerelease)$/,
    value: /^(?:-[BHRalr]|--(?:assignee|base|head|label|milestone|repo|reviewer|target))$/,
  },
];

/**
 * Where the words of a command are such texts. An option or a word that is not known here ends the search, and so does
 * a text with a dash in front: for another subcommand, what is before it may take no text.
 */
export function messagesIn(words: readonly (string | null)[]): ReadonlySet<number> {
  const found = new Set<number>();
  const taker = TAKERS.find(({ command }) => command.test(`${words.slice(0, 3).join(" ")} `));
  for (let at = 2; taker && at < words.length; at++) {
    const word = words[at];
    if (word == null) break;
    const takesNext = taker.message.test(word) || taker.value?.test(word);
    if (takesNext && words[at + 1]?.startsWith("-")) break;
    if (taker.message.test(word)) found.add(++at);
    else if (takesNext) at++;
    else if (word.startsWith("-") && !taker.flag.test(word)) break;
  }
  return found;
}
