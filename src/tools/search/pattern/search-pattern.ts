import { codePoint, LINE_BREAKS, spell } from "./character-class.js";
import { PatternCharacters, validCharacter } from "./pattern-characters.js";
import { PatternCursor } from "./pattern-cursor.js";

/** A search pattern, spelled for both engines. */
export interface SearchPattern {
  /** For `new RegExp(source, "u")`, without the flags `m` and `s`, on a string or on one of its lines. */
  readonly javascript: string;
  /** For ripgrep, which looks line by line unless the search is multiline. */
  readonly ripgrep: string;
}

const MAX_LENGTH = 5_000;
/** Counted repetitions multiply when nested, and an engine unrolls them. */
const MAX_REPETITIONS = 1_000;
/** Bytes that are no UTF-8: JavaScript reads up to three of them as one U+FFFD, ripgrep matches them only by name. */
const DAMAGED = "(?-u:[\\x80-\\xff]{1,3})";

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
  /** The start of the group, for the message when it never ends. */
  readonly start: number;
  repetitions: number;
}

class PatternReader {
  readonly #cursor: PatternCursor;
  readonly #characters: PatternCharacters;
  #javascript = "";
  #ripgrep = "";
  #levels: Level[] = [{ start: 0, repetitions: 1 }];
  /** The copies of the last piece; 0 when there is nothing to repeat. */
  #repetitions = 0;

  constructor(
    private readonly pattern: string,
    private readonly multiline: boolean,
  ) {
    this.#cursor = new PatternCursor(pattern);
    this.#characters = new PatternCharacters(this.#cursor, multiline);
  }

  read(): SearchPattern {
    if (this.pattern.length > MAX_LENGTH) this.#cursor.refuse(0, `it is longer than ${MAX_LENGTH} characters`);
    while (this.#cursor.at < this.pattern.length) this.#readPiece();
    const open = this.#levels.at(-1)!;
    if (this.#levels.length > 1) this.#cursor.refuse(open.start, `"(" is never closed; write "\\(" for the character`);
    const javascript = quickToCompile(this.#javascript, this.pattern);
    return { javascript, ripgrep: this.#ripgrep };
  }

  #readPiece(): void {
    const start = this.#cursor.at;
    const character = this.#cursor.next();
    if (character === "\\") this.#readEscape(start);
    else if (character === "[") this.#piece(this.#characters.readClass(start));
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
    const letter = this.#cursor.next();
    const isBoundary = letter === "b" || letter === "B";
    const members = this.#characters.escapedClass(letter, start);
    if (isBoundary) this.#assertion(`\\${letter}`, `(?-u:\\${letter})`);
    else if (members) this.#piece(`[${members}]`);
    else this.#character(this.#characters.escapedCharacter(letter, start), start);
  }

  #openGroup(start: number): void {
    if (this.#cursor.skip("?")) {
      const name = /^(?::|P?<[A-Za-z_]\w*>)/.exec(this.#cursor.rest);
      if (!name) this.#cursor.refuse(start, this.#groupProblem());
      this.#cursor.at += name[0].length;
    }
    this.#levels.push({ start, repetitions: 1 });
    this.#write("(?:");
    this.#repetitions = 0;
  }

  #groupProblem(): string {
    const rest = this.#cursor.rest;
    if (/^<?[=!]/.test(rest)) return "lookaround is not supported; search for more and read the results";
    if (/^[a-zA-Z-]+[:)]/.test(rest)) return `inline flags are not supported; use "-i" or "multiline"`;
    return "this kind of group is not supported; write (?:…)";
  }

  #closeGroup(start: number): void {
    if (this.#levels.length === 1) this.#cursor.refuse(start, `")" closes nothing; write "\\)" for the character`);
    const { repetitions } = this.#levels.pop()!;
    this.#write(")");
    this.#done(repetitions);
  }

  #readCount(start: number): void {
    const match = /^(\d+)(,?)(\d*)\}/.exec(this.#cursor.rest);
    if (!match) {
      this.#character("{");
      return;
    }
    this.#cursor.at += match[0].length;
    const [text, least, comma, most] = match;
    const times = Math.max(Number(least), Number(most || 0), 1);
    if (comma && most && Number(most) < Number(least)) this.#cursor.refuse(start, `"{${text}" counts backwards`);
    this.#quantify(start, `{${text}`, times);
  }

  #quantify(start: number, quantifier: string, times: number): void {
    if (this.#repetitions === 0) {
      this.#cursor.refuse(
        start,
        `there is nothing "${quantifier}" could repeat; write "\\${quantifier}" for the character`,
      );
    }
    const repetitions = this.#repetitions * times;
    if (repetitions > MAX_REPETITIONS) this.#cursor.refuse(start, `it repeats more than ${MAX_REPETITIONS} times`);
    this.#write(quantifier + (this.#cursor.skip("?") ? "?" : ""));
    this.#done(repetitions);
    this.#repetitions = 0;
  }

  #character(character: string, start = this.#cursor.at - character.length): void {
    if (character === "\n" && !this.multiline) {
      this.#cursor.refuse(start, "a line holds no line break; set multiline to search across lines");
    }
    this.#piece(codePoint(validCharacter(this.#cursor, character, start)));
  }

  #piece(javascript: string, ripgrep = javascript): void {
    const matchesDamage = new RegExp(`^${javascript}$`, "u").test("\ufffd");
    this.#write(javascript, matchesDamage ? `(?:${ripgrep}|${DAMAGED})` : ripgrep);
    this.#done(1);
  }

  /** Matches a position, so there is nothing to repeat. */
  #assertion(javascript: string, ripgrep: string): void {
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
}

/*
 * When V8 compiles an expression it looks ahead along every way through its optional parts. With some dozens of them in
 * a row that takes minutes, which nothing can interrupt: the time budget of a search would not hold. Sources of more
 * than 20 KB are compiled without (`kRegExpTooLargeToOptimize`, https://github.com/v8/v8/blob/main/src/regexp/regexp.h),
 * and match somewhat slower.
 */
const MEANS_NOTHING = "(?:)".repeat(5_200);
const MANY = 16;
/** Also where it is only a character: then the search is somewhat slower, and no different. */
const OPTIONAL_PART = /[*?}]|[(|][|)]/g;

/** The source of an expression so that it is compiled at once, however many parts of `pattern` may be missing. */
function quickToCompile(source: string, pattern: string): string {
  const count = pattern.match(OPTIONAL_PART)?.length ?? 0;
  return count > MANY ? MEANS_NOTHING + source : source;
}
