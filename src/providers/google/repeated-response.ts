// Serves: proxies that lose the server behind them, and ask again or play the response back. Google's protocol shows it:
// a response has one `responseId`, its counts of tokens only grow, and no text follows its finish reason.
import { isRecord } from "../shared/is-record.js";

type Fields = { readonly [field: string]: unknown };

/** How many chunks from the beginning are remembered. */
const MAX_REMEMBERED = 16;

/** Notices a response that begins a second time. Text that only repeats itself is the model's. */
export class RepeatedResponse {
  #id: unknown;
  #isOneId = false;
  #hasOtherId = false;
  readonly #remembered: string[] = [];
  /** How many of the remembered chunks have just come again. */
  #repeated = 0;
  /** The largest count of output so far. */
  #count = 0;

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

  /** Whether this chunk comes again as the next one from the beginning, where none can: behind the end, or with fewer tokens. */
  #isAgain(chunk: Fields, isBehindEnd: boolean): boolean {
    const candidate = candidateIn(chunk);
    const json = hasText(candidate) ? JSON.stringify(chunk) : undefined;
    const comesAgain = json !== undefined && this.#remembered[this.#repeated] === json;
    this.#repeated = comesAgain ? this.#repeated + 1 : 0;
    if (this.#remembered.length < MAX_REMEMBERED) this.#remembered.push(json ?? "");
    const count = outputCount(chunk);
    const hasShrunk = count > 0 && count < this.#count;
    this.#count = Math.max(this.#count, count);
    return comesAgain && (hasShrunk || (isBehindEnd && !candidate.finishReason));
  }
}

function candidateIn({ candidates }: Fields): Fields {
  const [first] = Array.isArray(candidates) ? (candidates as unknown[]) : [];
  return isRecord(first) ? first : {};
}

/** Whether a candidate says anything, also in thoughts. */
function hasText({ content }: Fields): boolean {
  const parts = isRecord(content) && Array.isArray(content.parts) ? content.parts : [];
  return parts.some((part) => isRecord(part) && typeof part.text === "string" && part.text !== "");
}

/** Tokens of thoughts and answer so far; 0 where they are not counted. */
function outputCount({ usageMetadata }: Fields): number {
  if (!isRecord(usageMetadata)) return 0;
  return (Number(usageMetadata.candidatesTokenCount) || 0) + (Number(usageMetadata.thoughtsTokenCount) || 0);
}
