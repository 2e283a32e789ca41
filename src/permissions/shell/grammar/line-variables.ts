import type { PlainOutput } from "../words/plain-output.js";
import { isPlainProgram } from "./program-names.js";
import { OutsideGrammar } from "./text-cursor.js";

/** Values that stay one word without quotes. */
const ONE_WORD = /^[\w.,:+/@%=^-][\w.,:+/@%=^~-]*$/;
/** Values that evaluate to nothing but themselves. */
const DIGITS = /^\d+$/;
/** The shell's own, which are one word wherever people work. */
const PLACES = /^(?:HOME|PWD)$/;

/** What a line puts into variables, and what it needs them to hold: wherever it sets them, before or after. */
export class LineVariables {
  readonly #values = new Map<string, (string | null)[]>();
  /** Variables that also hold names of files, which wildcards of the line match or its commands list. */
  readonly #matched = new Set<string>();
  readonly #needed = new Map<string, RegExp>();
  readonly #neededAsWords = new Set<string>();
  readonly #programs = new Set<string>();

  /** `null`: a value that the line does not show. */
  give(name: string, value: string | null): void {
    const values = this.#values.get(name);
    if (values) values.push(value);
    else this.#values.set(name, [value]);
  }

  /** The names that wildcards match or commands list, as in `for f in src/*.ts` and `for f in $(ls src)`. */
  giveMatched(name: string): void {
    this.#matched.add(name);
  }

  /** They stand without quotes. */
  needOneWord(names: readonly string[]): void {
    for (const name of names) if (!this.#needed.has(name)) this.#needed.set(name, ONE_WORD);
  }

  /** They stand without quotes, as whole words of a program: names of files are looked up there. */
  needWords(names: readonly string[]): void {
    for (const name of names) this.#neededAsWords.add(name);
  }

  /** They are the names of programs. */
  needProgram(name: string): void {
    this.#programs.add(name);
  }

  /** They stand where the shell evaluates them. */
  needNumbers(names: readonly string[]): void {
    for (const name of names) this.#needed.set(name, DIGITS);
  }

  /** @throws OutsideGrammar when a variable may hold something else than it needs to */
  check(): void {
    for (const [name, shape] of this.#needed) {
      if (this.#matched.has(name) || !this.#isShown(name, shape)) throw notShown(name);
    }
    for (const name of this.#programs) {
      const values = this.#matched.has(name) ? [] : (this.#values.get(name) ?? []);
      if (values.length === 0 || !values.every((value) => value !== null && isPlainProgram(value)))
        throw notShown(name);
    }
    for (const name of this.#neededAsWords) {
      const holdsNamesAlone = this.#matched.has(name) && !this.#values.has(name);
      if (!holdsNamesAlone && !this.#isShown(name, ONE_WORD)) throw notShown(name);
    }
  }

  #isShown(name: string, shape: RegExp): boolean {
    const values = this.#values.get(name) ?? (shape === ONE_WORD && PLACES.test(name) ? ["/"] : []);
    return values.length > 0 && values.every((value) => value !== null && shape.test(value));
  }
}

function notShown(name: string): OutsideGrammar {
  return new OutsideGrammar(`the line does not show every value of "${name}"`);
}

/** A value with the shape of all that are put in. */
export function shownValue(output: PlainOutput | null): string | null {
  return output && (output.kind === "number" ? "0" : "x");
}
