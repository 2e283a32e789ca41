// Reads awk programs whole: one only prints when every token of it is known, and none starts or writes anything.

/** Words after which `/` begins a regular expression, and is not a division. */
const KEYWORDS = new Set(
  `BEGIN END BEGINFILE ENDFILE if else while for do break continue next nextfile exit return function func in delete
    print printf`.split(" "),
);
const FUNCTIONS = new Set(
  `length substr index split sub gsub match sprintf tolower toupper sin cos atan2 exp log sqrt int rand srand strftime
    systime mktime gensub asort asorti patsplit and or xor lshift rshift compl strtonum typeof isarray`.split(/\s+/),
);
/** They start programs, choose files, or reach every other name. */
const REACHING = new Set("system getline close fflush ARGV ARGC ARGIND SYMTAB FUNCTAB PROCINFO extension".split(" "));

const TOKENS = new RegExp(
  [
    String.raw`(?<space>[ \t\r]+|\\\n|#[^\n]*)`,
    String.raw`(?<newline>\n)`,
    String.raw`(?<text>"(?:[^"\\\n]|\\[^\n])*")`,
    String.raw`(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)`,
    String.raw`(?<name>[A-Za-z_]\w*)`,
    String.raw`(?<operator>\+\+|--|&&|\|\||[-+*%^=!<>]=|\*\*=?|!~|[-+*%^=<>!~?:,;$(){}[\]])`,
    "(?<slash>/)",
  ].join("|"),
  "y",
);
/** A slash in brackets ends a pattern in some versions of awk, and not in others: there is not one in these. */
const PATTERN = /\/(?:[^/\\\n[]|\\[^\n]|\[(?:\^?\]|(?!\^?\]))(?:\[:\w+:\]|[^\]\\/\n[]|\\[^\n])*\])*\//y;
/** After these a value ends, so that a slash divides, and a line end ends the statement. */
const ENDS_VALUE = /^(?:value|\)|\]|\+\+|--)$/;

/** Whether an awk program plainly does no more than read its input and print. */
export function isPlainAwkProgram(program: string): boolean {
  const reader = new AwkReader(program);
  while (!reader.isAtEnd) if (!reader.readToken()) return false;
  return reader.callsOnlyKnown();
}

class AwkReader {
  readonly #program: string;
  #at = 0;
  /** The last token that is not space. */
  #last = "";
  /** For each open parenthesis, whether it belongs to `if`, `while` or `for`. */
  readonly #open: boolean[] = [];
  #closedCondition = false;
  /** The number of parentheses open where a `print` began; `null` outside of one. */
  #printing: number | null = null;
  readonly #called = new Set<string>();
  readonly #defined = new Set<string>();

  constructor(program: string) {
    this.#program = program;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#program.length;
  }

  callsOnlyKnown(): boolean {
    return [...this.#called].every((name) => FUNCTIONS.has(name) || this.#defined.has(name));
  }

  /** Whether the next token is one that plain programs have. */
  readToken(): boolean {
    TOKENS.lastIndex = this.#at;
    const found = TOKENS.exec(this.#program)?.groups;
    if (!found) return false;
    const { space, newline, text, number, name, operator, slash } = found;
    if (slash !== undefined) return this.#slash();
    this.#at = TOKENS.lastIndex;
    if (space !== undefined) return true;
    if (newline !== undefined) return this.#newLine();
    if (name !== undefined) return this.#name(name);
    if (operator !== undefined) return this.#operator(operator);
    return this.#take((text ?? number) ? "value" : "");
  }

  #take(token: string): true {
    this.#last = token;
    this.#closedCondition = false;
    return true;
  }

  #slash(): boolean {
    // A slash after a condition, or after `++`, may be either.
    if (this.#closedCondition || /^(?:\+\+|--)$/.test(this.#last)) return false;
    if (ENDS_VALUE.test(this.#last)) {
      this.#at++;
      return this.#take("/");
    }
    PATTERN.lastIndex = this.#at;
    if (!PATTERN.test(this.#program)) return false;
    this.#at = PATTERN.lastIndex;
    return this.#take("value");
  }

  #newLine(): true {
    if (ENDS_VALUE.test(this.#last) || this.#last === "print") {
      this.#printing = null;
      this.#take(";");
    }
    return true;
  }

  #name(name: string): boolean {
    if (REACHING.has(name)) return false;
    if (/^(?:print|printf)$/.test(name)) {
      this.#printing = this.#open.length;
      return this.#take("print");
    }
    if (/^func(?:tion)?$/.test(this.#last)) this.#defined.add(name);
    else if (!KEYWORDS.has(name) && this.#program[this.#at] === "(") this.#called.add(name);
    return this.#take(KEYWORDS.has(name) ? name : "value");
  }

  #operator(operator: string): boolean {
    const depth = this.#open.length;
    if (operator === ">" && this.#printing === depth) return false;
    if (operator === "(") this.#open.push(/^(?:if|while|for)$/.test(this.#last));
    if (operator === ";" || operator === "}") this.#printing = null;
    const isCondition = operator === ")" && this.#open.pop() === true;
    if (this.#printing !== null && this.#open.length < this.#printing) this.#printing = null;
    this.#take(operator);
    this.#closedCondition = isCondition;
    return true;
  }
}
