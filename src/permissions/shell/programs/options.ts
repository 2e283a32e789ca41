import { literalWord, mayBeOption, type ShellWord } from "../shell-word.js";
import type { ParsedOption, ParsedOptions, ProgramEntry } from "./program.js";

type Kind = "flag" | "value" | "attached";

const compiled = new WeakMap<ProgramEntry, ReadonlyMap<string, Kind>>();

/** Reads a command line the way the program's option parser does, as described by its entry. */
export function parseOptions(entry: ProgramEntry, args: readonly ShellWord[]): ParsedOptions {
  const parser = new OptionParser(entry, args);
  parser.run();
  return parser;
}

/** Whether any option of the entry does more than the program's name says. */
export function hasHazards(entry: ProgramEntry): boolean {
  return (entry.writes ?? entry.runs ?? entry.hazards ?? entry.hazardValues) !== undefined;
}

function isHazard({ writes, runs, hazards, hazardValues }: ProgramEntry, name: string): boolean {
  return [writes, runs, hazards, hazardValues].some((list) => listed(list, name));
}

export function listed(list: string | undefined, option: string): boolean {
  return list !== undefined && ` ${list} `.replace(/\s+/g, " ").includes(` ${option} `);
}

class OptionParser implements ParsedOptions {
  readonly options: ParsedOption[] = [];
  readonly operands: ShellWord[] = [];
  readonly unknown: string[] = [];
  uncertain = false;
  readonly lists: ShellWord[] = [];
  readonly #entry: ProgramEntry;
  readonly #kinds: ReadonlyMap<string, Kind>;
  readonly #args: readonly ShellWord[];
  #at = 0;

  constructor(entry: ProgramEntry, args: readonly ShellWord[]) {
    this.#entry = entry;
    this.#kinds = kindsOf(entry);
    this.#args = args;
  }

  all(...names: string[]): readonly ParsedOption[] {
    return this.options.filter(({ name }) => names.includes(name));
  }

  has(...names: string[]): boolean {
    return this.options.some(({ name }) => names.includes(name));
  }

  run(): void {
    while (this.#at < this.#args.length) {
      const word = this.#args[this.#at++]!;
      if (word.value === "--") {
        this.#rest();
        return;
      }
      // The value of an option that is spelt out is not another option, unless it splits.
      if (isNames(word)) this.lists.push(word);
      else if (mayBeOption(word) && (word.splits || !/^--[\w-]+=/.test(word.prefix))) this.uncertain = true;
      const text = word.value ?? (word.prefix.startsWith("--") && word.prefix.includes("=") ? word.prefix : null);
      if (text === null || !/^-./.test(text)) {
        this.operands.push(word);
        if (this.#entry.posix) {
          this.#rest();
          return;
        }
      } else this.#option(text, word);
    }
  }

  #rest(): void {
    this.operands.push(...this.#args.slice(this.#at));
  }

  #option(text: string, word: ShellWord): void {
    if (text.startsWith("--")) {
      this.#long(text, word);
      return;
    }
    if (this.#entry.digits && /^-\d+$/.test(text)) return;
    if (this.#entry.singleDash) {
      this.#long(text, word);
      return;
    }
    this.#cluster(text);
  }

  #long(text: string, word: ShellWord): void {
    const equals = text.indexOf("=");
    const written = equals === -1 ? text : text.slice(0, equals);
    const name = this.#resolve(written);
    const kind = name === undefined ? undefined : this.#kinds.get(name);
    if (name === undefined || kind === undefined) {
      this.unknown.push(written);
      return;
    }
    if (equals !== -1) {
      const value = word.value === null ? rest(word, equals + 1) : literalWord(text.slice(equals + 1));
      this.options.push({ name, value });
    } else this.options.push({ name, value: kind === "value" ? this.#next() : null });
  }

  /** Most parsers take an abbreviation that fits one option only. */
  #resolve(written: string): string | undefined {
    if (this.#kinds.has(written) || this.#entry.singleDash) return written;
    const fitting = [...this.#kinds.keys()].filter((name) => name.startsWith("--") && name.startsWith(written));
    // Where several fit, one version of the program may know only the one that does harm.
    return fitting.find((name) => isHazard(this.#entry, name)) ?? (fitting.length === 1 ? fitting[0] : undefined);
  }

  #cluster(text: string): void {
    for (let index = 1; index < text.length; index++) {
      const name = `-${text[index]}`;
      const kind = this.#kinds.get(name);
      if (kind === undefined) {
        this.unknown.push(name);
        continue;
      }
      if (kind === "flag") {
        this.options.push({ name, value: null });
        continue;
      }
      const glued = text.slice(index + 1);
      const value = glued !== "" ? literalWord(glued) : kind === "value" ? this.#next() : null;
      this.options.push({ name, value });
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
    return next;
  }
}

/** A list, or wildcards at the start of a word. */
function isNames({ listed, pattern, known, splits, prefix }: ShellWord): boolean {
  return prefix === "" && (listed !== undefined || (pattern && known !== null && !splits));
}

function rest(word: ShellWord, from: number): ShellWord {
  const cut = (text: string | null) => (text === null ? null : text.slice(from));
  return {
    ...word,
    known: cut(word.known),
    prefix: word.prefix.slice(from),
    guesses: word.guesses.map((guess) => guess.slice(from)),
  };
}

function kindsOf(entry: ProgramEntry): ReadonlyMap<string, Kind> {
  const known = compiled.get(entry);
  if (known) return known;
  const kinds = new Map<string, Kind>();
  const add = (list: string | undefined, kind: Kind) => {
    for (const option of list?.split(/\s+/) ?? []) if (option !== "") kinds.set(option, kind);
  };
  add(entry.flags, "flag");
  add(entry.hazards, "flag");
  add(entry.attached, "attached");
  for (const list of [entry.values, entry.reads, entry.writes, entry.runs, entry.hazardValues]) add(list, "value");
  compiled.set(entry, kinds);
  return kinds;
}
