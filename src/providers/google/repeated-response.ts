import { isRecord } from "../shared/is-record.js";

type Fields = { readonly [field: string]: unknown };

/** How many chunks from the beginning are remembered. */
const MAX_REMEMBERED = 16;

/** So much text that comes again from the beginning, cut in the same places, is no coincidence. Unit: characters. */
const MIN_CERTAIN_CHARS = 64;

/**
 * Notices a response that begins a second time: a proxy has lost the first, and asked again or plays it back. What is not
 * certain is not said: models repeat themselves, and some gateways give each chunk an id of its own or count nothing.
 */
export class RepeatedResponse {
  #id: unknown;
  #isOneId = false;
  #hasOtherId = false;
  readonly #remembered: Fields[] = [];
  /** How many of the remembered chunks have just come again, and how much text. */
  #repeated = 0;
  #chars = 0;
  /** The largest count of output so far. */
  #count = 0;
  /** The count of a chunk that has come twice: once counts grow, the second was not a later one. */
  #suspected = Number.POSITIVE_INFINITY;

  /** Takes the next chunk. `isBehindEnd`: the response was whole before it. */
  isIn(chunk: Fields, isBehindEnd: boolean): boolean {
    return this.#isOther(chunk.responseId) || this.#isAgain(chunk, isBehindEnd);
  }

  /** An id that stays the same is that of a response; two of them are two responses. */
  #isOther(id: unknown): boolean {
    if (typeof id !== "string" || id === "") return false;
    if (id === this.#id) this.#isOneId = true;
    else if (this.#id !== undefined) this.#hasOtherId = true;
    this.#id = id;
    return this.#isOneId && this.#hasOtherId;
  }

  #isAgain(chunk: Fields, isBehindEnd: boolean): boolean {
    const text = textIn(chunk);
    const count = outputCount(chunk);
    // The last count of some gateways is the only one.
    const hasGrown = count > this.#suspected && !saysEnd(chunk);
    const comesAgain = text !== "" && this.#compare(chunk, text, count);
    const hasShrunk = comesAgain && count > 0 && count < this.#count;
    const isWhole = comesAgain && isBehindEnd && !saysEnd(chunk);
    this.#count = Math.max(this.#count, count);
    return hasGrown || hasShrunk || isWhole || this.#chars >= MIN_CERTAIN_CHARS;
  }

  /** Whether this chunk comes again as the next one from the beginning. */
  #compare(chunk: Fields, text: string, count: number): boolean {
    const expected = this.#remembered[this.#repeated];
    const isSame = expected && textIn(expected) === text && JSON.stringify(expected) === JSON.stringify(chunk);
    this.#repeated = isSame ? this.#repeated + 1 : 0;
    this.#chars = isSame ? this.#chars + text.length : 0;
    if (isSame && count > 0) this.#suspected = Math.min(this.#suspected, count);
    if (this.#remembered.length < MAX_REMEMBERED) this.#remembered.push(chunk);
    return Boolean(isSame);
  }
}

function candidateIn({ candidates }: Fields): Fields {
  const [first] = Array.isArray(candidates) ? (candidates as unknown[]) : [];
  return isRecord(first) ? first : {};
}

function saysEnd(chunk: Fields): boolean {
  return Boolean(candidateIn(chunk).finishReason);
}

/** The text of a chunk, also of thoughts. */
function textIn(chunk: Fields): string {
  const { content } = candidateIn(chunk);
  const parts = isRecord(content) && Array.isArray(content.parts) ? content.parts : [];
  return parts.map((part) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}

/** Tokens of thoughts and answer so far; 0 where they are not counted. */
function outputCount({ usageMetadata }: Fields): number {
  if (!isRecord(usageMetadata)) return 0;
  return (Number(usageMetadata.candidatesTokenCount) || 0) + (Number(usageMetadata.thoughtsTokenCount) || 0);
}
