const QUOTE = new Set([..."\\\"'"].map((character) => character.charCodeAt(0)));
const OPERATOR = new Set([...";&|()<>`\r"].map((character) => character.charCodeAt(0)));
const [LINE_END, BLANK, DOLLAR, BACKSLASH] = [0x0a, 0x20, 0x24, 0x5c];
const ESCAPES = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g;

/**
 * Prepares a script that is not parsed for a search by words: quotes and escapes go, every operator becomes a line break. One pass and
 * one buffer, since such scripts may be megabytes.
 */
export function withoutSyntax(script: string): string {
  const text = script.includes("$'") ? withoutAnsiQuotes(script) : script;
  const codes = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (QUOTE.has(code)) {
      if (code === BACKSLASH && text.charCodeAt(at + 1) === LINE_END) at++;
      continue;
    }
    const isBreak = OPERATOR.has(code) || code === LINE_END || isBreakingSign(text, at, code);
    const next = isBreak ? LINE_END : isBlank(code) ? BLANK : code;
    const last = length === 0 ? LINE_END : codes[length - 1];
    if ((next === LINE_END || next === BLANK) && last === next) continue;
    codes[length++] = next;
  }
  return new TextDecoder("utf-16le").decode(codes.subarray(0, length));
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
  return script.replaceAll("$'", "'").replace(ESCAPES, (whole, hex, four, eight, octal, other) => {
    const code = (hex ?? four ?? eight) ? Number.parseInt(hex ?? four ?? eight, 16) : Number.parseInt(octal ?? "", 8);
    if (other !== undefined || !(code > 0 && code <= 0x10ffff)) return whole;
    return String.fromCodePoint(code);
  });
}
