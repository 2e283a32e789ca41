// Escapes and classes of a search pattern: which characters they represent.
import { CLASSES, complement, LINE_BREAKS, NEWLINE, type Range, spell, subtract } from "./character-class.js";
import type { PatternCursor } from "./pattern-cursor.js";

const CONTROL: Record<string, string> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v" };
const CATEGORIES = /^(?:L[ulmto]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cf]?)$/;

/** Reads what represents characters, at the cursor of the pattern's reader. What is wrong is thrown, `PATTERN_INVALID`. */
export class PatternCharacters {
  constructor(
    private readonly cursor: PatternCursor,
    private readonly multiline: boolean,
  ) {}

  /** `\d`, `\W`, `\p{L}` and so on, as members of a class. */
  escapedClass(letter: string, start: number): string | undefined {
    if (letter === "p" || letter === "P") return this.#category(letter, start);
    if (!/[dwsDWS]/.test(letter)) return;
    const members = CLASSES[letter.toLowerCase()]!;
    return spell(this.#onLine(/[DWS]/.test(letter) ? complement(members) : members));
  }

  #category(letter: string, start: number): string {
    const [text, name = ""] = /^\{(\w+)\}|^\w/.exec(this.cursor.rest) ?? [""];
    const category = name || text;
    if (letter === "P") this.cursor.refuse(start, `"\\P" would match line breaks; write [^\\p{…}]`);
    if (!CATEGORIES.test(category)) {
      this.cursor.refuse(start, "only general categories such as \\p{L}, \\p{Lu} and \\p{N} mean the same everywhere");
    }
    this.cursor.at += text.length;
    return `\\p{${category}}`;
  }

  escapedCharacter(letter: string, start: number): string {
    if (letter === "") this.cursor.refuse(start, `it ends in a single "\\"; write "\\\\" for the character`);
    if (letter === "x" || letter === "u") return this.#hexadecimal(letter, start);
    if (letter in CONTROL) return CONTROL[letter]!;
    if (/[1-9k]/.test(letter))
      this.cursor.refuse(start, "backreferences are not supported; search for the text itself");
    if (letter === "<" || letter === ">")
      this.cursor.refuse(start, `write "\\b" for a word boundary, "${letter}" for the character`);
    if (/[A-Za-z0]/.test(letter)) this.cursor.refuse(start, `"\\${letter}" does not mean the same everywhere`);
    return letter;
  }

  #hexadecimal(letter: string, start: number): string {
    const digits = letter === "x" ? "[0-9A-Fa-f]{2}" : "[0-9A-Fa-f]{4}";
    const match = new RegExp(`^(?:\\{([0-9A-Fa-f]{1,6})\\}|(${digits}))`).exec(this.cursor.rest);
    const value = Number.parseInt(match?.[1] ?? match?.[2] ?? "", 16);
    const isCharacter = value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
    if (!match || !isCharacter) this.cursor.refuse(start, `"\\${letter}" needs the hexadecimal number of a character`);
    this.cursor.at += match[0].length;
    return String.fromCodePoint(value);
  }

  /** A class after its `[`, spelled for both engines. */
  readClass(start: number): string {
    const negated = this.cursor.skip("^");
    const ranges: Range[] = [];
    let named = "";
    for (let first = true; first || !this.cursor.skip("]"); first = false) {
      if (this.cursor.at >= this.cursor.pattern.length)
        this.cursor.refuse(start, `"[" is never closed; write "\\[" for the character`);
      this.#refuseSetOperator();
      const member = this.#readMember();
      if (typeof member === "string") named += member;
      else ranges.push(member);
    }
    if (negated) return `[^${named}${spell(this.multiline ? ranges : [...ranges, ...LINE_BREAKS])}]`;
    const members = named + spell(this.multiline ? ranges : subtract(ranges, [NEWLINE]));
    if (members === "") this.cursor.refuse(start, "a line holds no line break; set multiline to search across lines");
    return `[${members}]`;
  }

  /** One member of a class: a set, already spelled, or a range. */
  #readMember(): string | Range {
    const start = this.cursor.at;
    const posix = /^\[:(\^?)(\w+):\]/.exec(this.cursor.pattern.slice(start));
    if (posix) {
      const [text, isNegated, name] = posix;
      this.cursor.at += text.length;
      const members = Object.hasOwn(CLASSES, name!)
        ? CLASSES[name!]!
        : this.cursor.refuse(start, `"${text}" is not a known class`);
      return spell(this.#onLine(isNegated ? complement(members) : members));
    }
    if (this.cursor.pattern[start] === "[") {
      this.cursor.refuse(start, `"[" in a class begins another one in one engine only; write "\\[" for the character`);
    }
    const first = this.#readClassCharacter();
    if (typeof first === "string") return first;
    const isRange =
      this.cursor.pattern[this.cursor.at] === "-" &&
      ![undefined, "]"].includes(this.cursor.pattern[this.cursor.at + 1]);
    this.#refuseSetOperator();
    if (!isRange) return [first, first];
    this.cursor.at++;
    const last = this.#readClassCharacter();
    if (typeof last === "string") this.cursor.refuse(start, "a range needs a character at both ends");
    if (last < first)
      this.cursor.refuse(
        start,
        `the range "${this.cursor.pattern.slice(start, this.cursor.at)}" ends before it begins`,
      );
    return [first, last];
  }

  #refuseSetOperator(): void {
    const [operator] = /^(?:&&|--|~~)/.exec(this.cursor.rest) ?? [];
    if (operator === undefined) return;
    const escaped = `\\${operator[0]}`;
    this.cursor.refuse(
      this.cursor.at,
      `"${operator}" in a class works on sets in one engine only; write "${escaped}" for the character`,
    );
  }

  #readClassCharacter(): string | number {
    const start = this.cursor.at;
    const character = this.cursor.next();
    if (character !== "\\") return validCharacter(this.cursor, character, start);
    const letter = this.cursor.next();
    const members = this.escapedClass(letter, start);
    return members ?? validCharacter(this.cursor, this.escapedCharacter(letter, start), start);
  }

  #onLine(members: readonly Range[]): readonly Range[] {
    return this.multiline ? members : subtract(members, LINE_BREAKS);
  }
}

/** The number of a character. @throws ToolError `PATTERN_INVALID` for half a surrogate pair */
export function validCharacter(cursor: PatternCursor, character: string, start: number): number {
  const value = character.codePointAt(0)!;
  if (value >= 0xd800 && value <= 0xdfff) cursor.refuse(start, "it holds half a surrogate pair");
  return value;
}
