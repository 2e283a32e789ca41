/** The effect of a character, by its code; all others mean themselves. */
const [QUOTES, BREAKS, SEPARATES, MAY_BREAK] = [1, 2, 3, 4];
const KINDS = kindsOf({
  [QUOTES]: "\\\"'",
  [BREAKS]: ";&|()<>`\r\n",
  [SEPARATES]: " \t\v\f\u00a0",
  [MAY_BREAK]: "{}$",
});
/** A path, or a name. */
const NO_SYNTAX = /^[\w./-]*$/;
const [LINE_END, BLANK, DOLLAR, QUOTATION, BACKSLASH] = [0x0a, 0x20, 0x24, 0x27, 0x5c];

/**
 * Prepares a script that is not parsed for a search by words: quotes and escapes go, every operator becomes a line break. One pass and
 * one buffer, since such scripts may be megabytes.
 */
export function withoutSyntax(script: string): string {
  if (NO_SYNTAX.test(script)) return script;
  const text = script.includes("$'") ? withoutAnsiQuotes(script) : script;
  const codes = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < KINDS.length ? KINDS[code] : 0;
    if (kind === QUOTES) {
      if (code === BACKSLASH && text.charCodeAt(at + 1) === LINE_END) at++;
      continue;
    }
    const isBreak = kind === BREAKS || (kind === MAY_BREAK && isBreakingSign(text, at, code));
    const next = isBreak ? LINE_END : kind === SEPARATES ? BLANK : code;
    const last = length === 0 ? LINE_END : codes[length - 1];
    if ((next === LINE_END || next === BLANK) && last === next) continue;
    codes[length++] = next;
  }
  return new TextDecoder("utf-16le").decode(codes.subarray(0, length));
}

function kindsOf(characters: Readonly<Record<number, string>>): Uint8Array {
  const kinds = new Uint8Array(0x100);
  for (const [kind, all] of Object.entries(characters)) {
    for (const character of all) kinds[character.charCodeAt(0)] = Number(kind);
  }
  return kinds;
}

/** `$` before a bracket, and braces that stand alone. */
function isBreakingSign(text: string, at: number, code: number): boolean {
  if (code === DOLLAR) return text[at + 1] === "(";
  if (code !== 0x7b && code !== 0x7d) return false;
  return at + 1 >= text.length || isBlank(text.charCodeAt(at + 1));
}

function isBlank(code: number): boolean {
  return code === BLANK || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
}

/** Puts in what escapes in `$'…'` represent, wherever they are: where one begins cannot be known without parsing. */
function withoutAnsiQuotes(script: string): string {
  const codes = new Uint16Array(script.length);
  let length = 0;
  for (let at = 0; at < script.length; ) {
    const code = script.charCodeAt(at);
    if (code === DOLLAR && script.charCodeAt(at + 1) === QUOTATION) at++;
    else if (code !== BACKSLASH) {
      codes[length++] = code;
      at++;
    } else {
      const end = escapeEnd(script, at);
      const value = escapedCode(script, at, end);
      if (script.startsWith("$'", at + 1)) codes[length++] = code;
      else if (value > 0 && value <= 0x10ffff) {
        for (const unit of String.fromCodePoint(value)) {
          for (let index = 0; index < unit.length; index++) codes[length++] = unit.charCodeAt(index);
        }
      } else for (let index = at; index < end; index++) codes[length++] = script.charCodeAt(index);
      at = script.startsWith("$'", at + 1) ? at + 1 : end;
    }
  }
  return new TextDecoder("utf-16le").decode(codes.subarray(0, length));
}

/** The number of digits that may follow, in the base of the escape: `\x41`, `\u0041`, `\U00000041`, `\101`. */
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const OCTAL_DIGITS = 3;

/** Where an escape ends that begins at a backslash: behind its digits, or behind the next character. */
function escapeEnd(text: string, at: number): number {
  const hex = HEX_DIGITS[text[at + 1] ?? ""];
  if (hex === undefined) {
    let end = at + 1;
    while (end < at + 1 + OCTAL_DIGITS && isDigit(text.charCodeAt(end), 8)) end++;
    return Math.min(Math.max(end, at + 2), text.length);
  }
  let end = at + 2;
  while (end < at + 2 + hex && isDigit(text.charCodeAt(end), 16)) end++;
  return end;
}

/** The character it represents; no number when its digits are missing. */
function escapedCode(text: string, at: number, end: number): number {
  const isHex = HEX_DIGITS[text[at + 1] ?? ""] !== undefined;
  return isHex ? Number.parseInt(text.slice(at + 2, end), 16) : Number.parseInt(text.slice(at + 1, end), 8);
}

function isDigit(code: number, base: 8 | 16): boolean {
  if (base === 8) return code >= 0x30 && code <= 0x37;
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}
