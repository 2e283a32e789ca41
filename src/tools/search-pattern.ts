import { ToolError } from "../contracts/errors.js";
import { CLASSES, codePoint, complement, type Range, spell, subtract } from "./character-class.js";
import { quickToCompile } from "./optional-parts.js";
import { RequiredText } from "./required-text.js";

/** A search pattern, spelled for both engines. */
export interface SearchPattern {
  /** For `new RegExp(source, "u")`, without the flags `m` and `s`, on a text or on one of its lines. */
  readonly javascript: string;
  /** For ripgrep, which looks line by line unless the search is multiline. */
  readonly ripgrep: string;
  /** A text every match holds: files without its bytes need not be decoded. */
  readonly literal: string | null;
}

const MAX_LENGTH = 5_000;
/** Counted repetitions multiply when nested, and an engine unrolls them. */
const MAX_REPETITIONS = 1_000;
const CONTROL: Record<string, string> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v" };
/** Bytes that are no UTF-8: JavaScript reads up to three of them as one U+FFFD, ripgrep matches them only by name. */
const DAMAGED = "(?-u:[\\x80-\\xff]{1,3})";
const NEWLINE: Range = [10, 10];
const LINE_BREAKS: readonly Range[] = [NEWLINE, [13, 13]];
const CATEGORIES = /^(?:L[ulmto]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cf]?)$/;

/**
 * Reads a pattern in the dialect JavaScript and ripgrep share, and spells it so that both match the same text.
 *
 * `\w`, `\d` and `\b` mean ASCII. Unless `multiline`, nothing matches a line break, and with it `.` does. `$` also
 * stands before `\r\n`. A `{`, `}` or `]` that means nothing special is a character.
 *
 * @throws ToolError `PATTERN_INVALID` for what only one engine knows (lookaround, backreferences, inline flags, possessive
 * quantifiers, …) and for syntax errors, with the reason and the position
 */
export function readSearchPattern(pattern: string, multiline: boolean): SearchPattern {
  return new PatternReader(pattern, multiline).read();
}

interface Level {
  /** Where the group began, for the message when it never ends. */
  readonly start: number;
  repetitions: number;
}

class PatternReader {
  #at = 0;
  #javascript = "";
  #ripgrep = "";
  readonly #required = new RequiredText();
  #levels: Level[] = [{ start: 0, repetitions: 1 }];
  /** How often the last piece is unrolled; 0 when there is nothing to repeat. */
  #repetitions = 0;

  constructor(
    private readonly pattern: string,
    private readonly multiline: boolean,
  ) {}

  read(): SearchPattern {
    if (this.pattern.length > MAX_LENGTH) this.#refuse(0, `it is longer than ${MAX_LENGTH} characters`);
    while (this.#at < this.pattern.length) this.#readPiece();
    const open = this.#levels.at(-1)!;
    if (this.#levels.length > 1) this.#refuse(open.start, `"(" is never closed; write "\\(" for the character`);
    const javascript = quickToCompile(this.#javascript, this.pattern);
    return { javascript, ripgrep: this.#ripgrep, literal: this.#required.text };
  }

  #readPiece(): void {
    const start = this.#at;
    const character = this.#next();
    if (character === "|" && this.#levels.length === 1) this.#required.alternate();
    if (character === "\\") this.#readEscape(start);
    else if (character === "[") this.#readClass(start);
    else if (character === "(") this.#openGroup(start);
    else if (character === ")") this.#closeGroup(start);
    else if (character === "|") this.#assertion("|", "|");
    else if (character === ".") this.#readDot();
    else if (character === "^") this.#assertion("(?<![^\\n])", "^");
    // Not (?![^\n]): V8 finds that, and the one above, between the two units of a character, too.
    else if (character === "$") this.#assertion("(?:\\r?(?=\\n|$))", "(?:\\r?$)");
    else if ("*+?".includes(character)) this.#quantify(start, character, 1);
    else if (character === "{") this.#readCount(start);
    else this.#character(character);
  }

  #readDot(): void {
    if (this.multiline) this.#piece("[^]", "(?s:.)");
    else this.#piece(`[^${spell(LINE_BREAKS)}]`);
  }

  #readEscape(start: number): void {
    const letter = this.#next();
    const isBoundary = letter === "b" || letter === "B";
    const members = this.#escapedClass(letter, start);
    if (isBoundary) this.#assertion(`\\${letter}`, `(?-u:\\${letter})`);
    else if (members) this.#piece(`[${members}]`);
    else this.#character(this.#escapedCharacter(letter, start), start);
  }

  /** `\d`, `\W`, `\p{L}` and so on, as members of a class. */
  #escapedClass(letter: string, start: number): string | undefined {
    if (letter === "p" || letter === "P") return this.#category(letter, start);
    if (!/[dwsDWS]/.test(letter)) return;
    const members = CLASSES[letter.toLowerCase()]!;
    return spell(this.#onLine(/[DWS]/.test(letter) ? complement(members) : members));
  }

  #category(letter: string, start: number): string {
    const [text, name = ""] = /^\{(\w+)\}|^\w/.exec(this.pattern.slice(this.#at)) ?? [""];
    const category = name || text;
    if (letter === "P") this.#refuse(start, `"\\P" would match line breaks; write [^\\p{…}]`);
    if (!CATEGORIES.test(category)) {
      this.#refuse(start, "only general categories such as \\p{L}, \\p{Lu} and \\p{N} mean the same everywhere");
    }
    this.#at += text.length;
    return `\\p{${category}}`;
  }

  #escapedCharacter(letter: string, start: number): string {
    if (letter === "") this.#refuse(start, `it ends in a single "\\"; write "\\\\" for the character`);
    if (letter === "x" || letter === "u") return this.#hexadecimal(letter, start);
    if (letter in CONTROL) return CONTROL[letter]!;
    if (/[1-9k]/.test(letter)) this.#refuse(start, "backreferences are not supported; search for the text itself");
    if (letter === "<" || letter === ">")
      this.#refuse(start, `write "\\b" for a word boundary, "${letter}" for the character`);
    if (/[A-Za-z0]/.test(letter)) this.#refuse(start, `"\\${letter}" does not mean the same everywhere`);
    return letter;
  }

  #hexadecimal(letter: string, start: number): string {
    const digits = letter === "x" ? "[0-9A-Fa-f]{2}" : "[0-9A-Fa-f]{4}";
    const match = new RegExp(`^(?:\\{([0-9A-Fa-f]{1,6})\\}|(${digits}))`).exec(this.pattern.slice(this.#at));
    const value = Number.parseInt(match?.[1] ?? match?.[2] ?? "", 16);
    const isCharacter = value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
    if (!match || !isCharacter) this.#refuse(start, `"\\${letter}" needs the hexadecimal number of a character`);
    this.#at += match[0].length;
    return String.fromCodePoint(value);
  }

  #readClass(start: number): void {
    const negated = this.#skip("^");
    const ranges: Range[] = [];
    let named = "";
    for (let first = true; first || !this.#skip("]"); first = false) {
      if (this.#at >= this.pattern.length) this.#refuse(start, `"[" is never closed; write "\\[" for the character`);
      this.#refuseSetOperator();
      const member = this.#readMember();
      if (typeof member === "string") named += member;
      else ranges.push(member);
    }
    if (negated) {
      this.#piece(`[^${named}${spell(this.multiline ? ranges : [...ranges, ...LINE_BREAKS])}]`);
      return;
    }
    const members = named + spell(this.multiline ? ranges : subtract(ranges, [NEWLINE]));
    if (members === "") this.#refuse(start, "a line holds no line break; set multiline to search across lines");
    this.#piece(`[${members}]`);
  }

  /** One member of a class: a set, already spelled, or a range. */
  #readMember(): string | Range {
    const start = this.#at;
    const posix = /^\[:(\^?)(\w+):\]/.exec(this.pattern.slice(start));
    if (posix) {
      const [text, isNegated, name] = posix;
      this.#at += text.length;
      const members = Object.hasOwn(CLASSES, name!)
        ? CLASSES[name!]!
        : this.#refuse(start, `"${text}" is not a known class`);
      return spell(this.#onLine(isNegated ? complement(members) : members));
    }
    if (this.pattern[start] === "[") {
      this.#refuse(start, `"[" in a class begins another one in one engine only; write "\\[" for the character`);
    }
    const first = this.#readClassCharacter();
    if (typeof first === "string") return first;
    const isRange = this.pattern[this.#at] === "-" && ![undefined, "]"].includes(this.pattern[this.#at + 1]);
    this.#refuseSetOperator();
    if (!isRange) return [first, first];
    this.#at++;
    const last = this.#readClassCharacter();
    if (typeof last === "string") this.#refuse(start, "a range needs a character at both ends");
    if (last < first) this.#refuse(start, `the range "${this.pattern.slice(start, this.#at)}" ends before it begins`);
    return [first, last];
  }

  #refuseSetOperator(): void {
    const [operator] = /^(?:&&|--|~~)/.exec(this.pattern.slice(this.#at)) ?? [];
    if (operator === undefined) return;
    const escaped = `\\${operator[0]}`;
    this.#refuse(
      this.#at,
      `"${operator}" in a class works on sets in one engine only; write "${escaped}" for the character`,
    );
  }

  #readClassCharacter(): string | number {
    const start = this.#at;
    const character = this.#next();
    if (character !== "\\") return this.#valid(character, start);
    const letter = this.#next();
    const members = this.#escapedClass(letter, start);
    return members ?? this.#valid(this.#escapedCharacter(letter, start), start);
  }

  #openGroup(start: number): void {
    if (this.#skip("?")) {
      const name = /^(?::|P?<[A-Za-z_]\w*>)/.exec(this.pattern.slice(this.#at));
      if (!name) this.#refuse(start, this.#groupProblem());
      this.#at += name[0].length;
    }
    this.#required.end();
    this.#levels.push({ start, repetitions: 1 });
    this.#write("(?:");
    this.#repetitions = 0;
  }

  #groupProblem(): string {
    const rest = this.pattern.slice(this.#at);
    if (/^<?[=!]/.test(rest)) return "lookaround is not supported; search for more and read the results";
    if (/^[a-zA-Z-]+[:)]/.test(rest)) return `inline flags are not supported; use "-i" or "multiline"`;
    return "this kind of group is not supported; write (?:…)";
  }

  #closeGroup(start: number): void {
    if (this.#levels.length === 1) this.#refuse(start, `")" closes nothing; write "\\)" for the character`);
    const { repetitions } = this.#levels.pop()!;
    this.#write(")");
    this.#done(repetitions);
  }

  #readCount(start: number): void {
    const match = /^(\d+)(,?)(\d*)\}/.exec(this.pattern.slice(this.#at));
    if (!match) {
      this.#character("{");
      return;
    }
    this.#at += match[0].length;
    const [text, least, comma, most] = match;
    const times = Math.max(Number(least), Number(most || 0), 1);
    if (comma && most && Number(most) < Number(least)) this.#refuse(start, `"{${text}" counts backwards`);
    this.#quantify(start, `{${text}`, times);
  }

  #quantify(start: number, quantifier: string, times: number): void {
    if (this.#repetitions === 0) {
      this.#refuse(start, `there is nothing "${quantifier}" could repeat; write "\\${quantifier}" for the character`);
    }
    const repetitions = this.#repetitions * times;
    if (repetitions > MAX_REPETITIONS) this.#refuse(start, `it repeats more than ${MAX_REPETITIONS} times`);
    this.#required.dropLast();
    this.#write(quantifier + (this.#skip("?") ? "?" : ""));
    this.#done(repetitions);
    this.#repetitions = 0;
  }

  #character(character: string, start = this.#at - character.length): void {
    if (character === "\n" && !this.multiline) {
      this.#refuse(start, "a line holds no line break; set multiline to search across lines");
    }
    // What is read as U+FFFD may be other bytes.
    if (this.#levels.length === 1 && character !== "\ufffd") this.#required.add(character);
    else this.#required.end();
    this.#put(codePoint(this.#valid(character, start)));
  }

  #valid(character: string, start: number): number {
    const value = character.codePointAt(0)!;
    if (value >= 0xd800 && value <= 0xdfff) this.#refuse(start, "it holds half a surrogate pair");
    return value;
  }

  #piece(javascript: string, ripgrep = javascript): void {
    this.#required.end();
    this.#put(javascript, ripgrep);
  }

  #put(javascript: string, ripgrep = javascript): void {
    const matchesDamage = new RegExp(`^${javascript}$`, "u").test("\ufffd");
    this.#write(javascript, matchesDamage ? `(?:${ripgrep}|${DAMAGED})` : ripgrep);
    this.#done(1);
  }

  /** Matches a position, so there is nothing to repeat. */
  #assertion(javascript: string, ripgrep: string): void {
    this.#required.end();
    this.#write(javascript, ripgrep);
    this.#repetitions = 0;
  }

  #done(repetitions: number): void {
    const level = this.#levels.at(-1)!;
    level.repetitions = Math.max(level.repetitions, repetitions);
    this.#repetitions = repetitions;
  }

  #write(javascript: string, ripgrep = javascript): void {
    this.#javascript += javascript;
    this.#ripgrep += ripgrep;
  }

  #onLine(members: readonly Range[]): readonly Range[] {
    return this.multiline ? members : subtract(members, LINE_BREAKS);
  }

  /** The next character, by code points; empty at the end. */
  #next(): string {
    const value = this.pattern.codePointAt(this.#at);
    const character = value === undefined ? "" : String.fromCodePoint(value);
    this.#at += character.length;
    return character;
  }

  #skip(character: string): boolean {
    if (this.pattern[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #refuse(position: number, reason: string): never {
    throw new ToolError("PATTERN_INVALID", {
      message: `The pattern "${this.pattern.slice(0, 200)}" cannot be searched for: at character ${position + 1}, ${reason}.`,
    });
  }
}
