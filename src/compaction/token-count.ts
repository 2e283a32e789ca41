// The estimate all stages share. Idea: tokenizers cut text into words, digits in threes, runs of punctuation and of
// whitespace; text without words (base64, hashes) costs far more, and scripts outside Latin about a token for one or two
// characters. One pass over the characters, no tables.
import type { ContentPart } from "../contracts/content.js";
import type { View } from "../contracts/context.js";
import type { Message } from "../contracts/message.js";
import type { ToolDefinition } from "../contracts/tool-call.js";

/** Counts the tokens of a string: the estimate, or a real tokenizer's `countTokens`. */
export type TokenCounter = (text: string) => number;

/** The cost of a message beside its content: its role and borders. */
const MESSAGE_TOKENS = 4;
/** The cost of a call or a result beside its text: its id, name and borders. */
const CALL_TOKENS = 10;
/** An image of ordinary size, as the large vendors bill it. */
const IMAGE_TOKENS = 1_500;
/** Bytes of a file's base64 text to a token: documents are read as text and pictures of their pages. */
const FILE_CHARS_PER_TOKEN = 20;

const LETTER = 0;
const DIGIT = 1;
const SPACE = 2;
const MARK = 3;
const WIDE = 4;
const CYRILLIC = 5;
const OTHER = 6;

/** A rough count of a string's tokens: within a tenth on code, prose, JSON, base64 and Chinese, Japanese, Korean text. */
export const estimateTokens: TokenCounter = (text) => {
  let tokens = 0;
  let at = 0;
  while (at < text.length) {
    const kind = kindOf(text.charCodeAt(at));
    let end = at + 1;
    while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end++;
    if (kind === LETTER && isDigitAt(text, end)) {
      const mixed = endOfCode(text, at);
      if (mixed - at >= 20) {
        tokens += (mixed - at) / 1.55;
        at = mixed;
        continue;
      }
    }
    tokens += tokensOfRun(kind, end - at, text, at);
    at = end;
  }
  return Math.ceil(tokens);
};

function tokensOfRun(kind: number, length: number, text: string, at: number): number {
  switch (kind) {
    case LETTER:
      return wordTokens(text, at, length);
    case DIGIT:
      return Math.ceil(length / 3);
    case SPACE:
      return spaceTokens(text, at, length);
    case MARK:
      return markTokens(text, at, length);
    case WIDE:
      return length * 0.78;
    case CYRILLIC:
      return length * 0.26;
    default:
      return length * 0.45;
  }
}

/** A rule of one mark (`=====`) is cheap, a mix of them is not. */
function markTokens(text: string, at: number, length: number): number {
  if (length === 1) return 0.9;
  let same = 1;
  while (same < length && text.charCodeAt(at + same) === text.charCodeAt(at)) same++;
  if (same < 4) return Math.max(1, length / 2.2);
  return 1 + same / 40 + (length - same) / 2.2;
}

/** One token for a word and its space; long words and camelCase are cut. */
function wordTokens(text: string, at: number, length: number): number {
  let humps = 0;
  for (let i = at + 1; i < at + length; i++) {
    const unit = text.charCodeAt(i);
    const before = text.charCodeAt(i - 1);
    if (unit >= 65 && unit <= 90 && before >= 97) humps++;
  }
  if (humps * 3 > length) return length / 1.6;
  const plain = length <= 8 ? 1 : length / 6.4;
  return humps > 0 ? Math.max(plain, 0.45 + humps * 0.62) : plain;
}

/** A single space belongs to the word after it; indentation is one token, as is the end of a line. */
function spaceTokens(text: string, at: number, length: number): number {
  if (length === 1 && text.charCodeAt(at) === 32) return 0.02;
  return length <= 16 ? 0.9 : 0.9 + length / 60;
}

function kindOf(unit: number): number {
  if ((unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)) return LETTER;
  if (unit >= 48 && unit <= 57) return DIGIT;
  if (unit === 32 || (unit >= 9 && unit <= 13)) return SPACE;
  if (unit < 128) return MARK;
  if (unit > 0x2e7f) return WIDE;
  if (unit >= 0xc0 && unit <= 0x24f) return LETTER;
  return unit >= 0x370 && unit <= 0x52f ? CYRILLIC : OTHER;
}

function isDigitAt(text: string, at: number): boolean {
  return at < text.length && kindOf(text.charCodeAt(at)) === DIGIT;
}

/** The end of a run of letters, digits, `+` and `/`: base64, hashes, ids. */
function endOfCode(text: string, at: number): number {
  let end = at;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    const kind = kindOf(unit);
    if (kind !== LETTER && kind !== DIGIT && unit !== 43 && unit !== 47) break;
  }
  return end;
}

/** Tokens of one message, its borders included. */
export function countMessage(message: Message, count: TokenCounter): number {
  let tokens = MESSAGE_TOKENS;
  for (const part of message.content) {
    if (part.type === "tool-call")
      tokens += CALL_TOKENS + count(part.name) + count(part.malformed ?? JSON.stringify(part.arguments) ?? "");
    else if (part.type === "tool-result") tokens += CALL_TOKENS + countOutput(part.output, count);
    else tokens += countPart(part, count);
  }
  return tokens;
}

function countOutput(output: string | readonly ContentPart[], count: TokenCounter): number {
  if (typeof output === "string") return count(output);
  return output.reduce((sum, part) => sum + countPart(part, count), 0);
}

function countPart(part: ContentPart | { type: "reasoning"; text: string }, count: TokenCounter): number {
  if (part.type === "image") return IMAGE_TOKENS;
  if (part.type === "file") return Math.max(IMAGE_TOKENS, part.data.length / FILE_CHARS_PER_TOKEN);
  return count(part.text);
}

/** Tokens of the tools' definitions. */
export function countTools(tools: readonly ToolDefinition[], count: TokenCounter): number {
  return tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + CALL_TOKENS + count(name) + count(description) + count(JSON.stringify(inputSchema)),
    0,
  );
}

/** Counts each frozen message once in its life. `earlier`: what another counter has counted already. */
export function rememberingCounter(
  count: TokenCounter,
  earlier: (message: Message) => number = (message) => countMessage(message, count),
): (message: Message) => number {
  const known = new WeakMap<Message, number>();
  return (message) => {
    let tokens = known.get(message);
    if (tokens === undefined) {
      tokens = earlier(message);
      known.set(message, tokens);
    }
    return tokens;
  };
}

/** Tokens of what every request begins with. */
export function headTokens({ system, tools }: Pick<View, "system" | "tools">, count = estimateTokens): number {
  return system.reduce((sum, { text }) => sum + count(text), 0) + countTools(tools, count);
}
