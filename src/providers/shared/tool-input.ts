import type { JsonValue } from "../../contracts/json.js";
import { canonicalJson } from "../../json/copy.js";
import { parseJson } from "../../json/parse-json.js";

/** The arguments of a tool call as read in the end. */
export interface ReadInput {
  readonly arguments: JsonValue;
  /** The raw text, when it was not JSON. */
  readonly malformed?: string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The arguments of one tool call while they arrive in pieces.
 *
 * Pieces are kept apart until the end, and each is looked at once at most, so the cost is linear however small they are.
 */
export class ToolInput {
  readonly #pieces: string[] = [];
  #chars = 0;
  #scanned = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #opened = false;
  #ended = false;
  #isGrowing = false;
  /** The canonical text of what there is so far, once it was asked for. */
  #canonical: string | undefined;

  add(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.#chars += piece.length;
    this.#canonical = undefined;
  }

  /** The new part of a piece: some servers send all of the arguments so far with each. The second piece shows it. */
  newIn(piece: string): string {
    this.#isGrowing ||= this.#pieces.length === 1 && piece.startsWith(this.#pieces[0]!) && /^\s*\{/.test(piece);
    if (!this.#isGrowing) return piece;
    const { text } = this;
    return piece.startsWith(text) ? piece.slice(text.length) : piece;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  get text(): string {
    return this.#pieces.join("");
  }

  /** Whether this text is all there is so far. */
  is(text: string): boolean {
    return text.length === this.#chars && text === this.text;
  }

  /** Whether this text says the same as all there is so far: some servers write the same arguments again, in other words. */
  holds(text: string): boolean {
    if (this.is(text)) return true;
    if (!/[}\]]\s*$/.test(text)) return false;
    this.#canonical ??= canonicalText(this.text);
    return this.#canonical !== undefined && this.#canonical === canonicalText(text);
  }

  /** Whether what there is so far is a whole JSON object or array: brackets and quotes closed. */
  get isWhole(): boolean {
    this.#scanAll();
    return this.#ended;
  }

  /** Whether what there is so far ends inside a JSON string, which any text goes on with. */
  get isInString(): boolean {
    this.#scanAll();
    return this.#inString;
  }

  /** Reads the arguments. No text at all means none were needed, unless `wasCut` says that they never came. */
  read(wasCut = false): ReadInput {
    const { text } = this;
    if (text.trim() === "") return wasCut ? { arguments: {}, malformed: text } : { arguments: {} };
    const value = parseJson(text) as JsonValue | undefined;
    return value === undefined ? { arguments: {}, malformed: text } : { arguments: value };
  }

  #scanAll(): void {
    while (this.#scanned < this.#pieces.length) this.#scan(this.#pieces[this.#scanned++]!);
  }

  #scan(piece: string): void {
    for (let i = 0; i < piece.length; i++) {
      const char = piece.charCodeAt(i);
      if (this.#escaped) this.#escaped = false;
      else if (this.#inString) {
        if (char === BACKSLASH) this.#escaped = true;
        else if (char === QUOTE) this.#inString = false;
      } else if (char === QUOTE) this.#inString = true;
      else if (char === 0x7b || char === 0x5b) {
        this.#opened = true;
        this.#ended = false;
        this.#depth++;
      } else if (char === 0x7d || char === 0x5d) {
        this.#depth--;
        this.#ended = this.#opened && this.#depth === 0;
      }
    }
  }
}

/** JSON whose spaces and order of fields are always the same; `undefined` for what is not JSON. */
function canonicalText(text: string): string | undefined {
  const value = parseJson(text);
  return value === undefined ? undefined : canonicalJson(value);
}

/** Arguments that came in one piece. Some servers write the object as a string, or an empty one as a list. */
export function wholeArguments(said: unknown): ReadInput {
  if (Array.isArray(said) && said.length === 0) return { arguments: {} };
  if (typeof said !== "string") return { arguments: (said ?? {}) as JsonValue };
  const input = new ToolInput();
  input.add(said);
  return input.read();
}
