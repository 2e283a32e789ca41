const QUOTE = new Set([..."\\\"'"].map((character) => character.charCodeAt(0)));
const OPERATOR = new Set([...";&|()<>`\r"].map((character) => character.charCodeAt(0)));
const [LINE_END, BLANK, DOLLAR, BACKSLASH] = [0x0a, 0x20, 0x24, 0x5c];
/** More places where a rule's program stands are not looked at: the rule then counts as met. */
const MAX_LOOKS = 20_000;
const ESCAPES = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/g;

/**
 * Prepares a script that is not parsed for `mentions`: quotes and escapes go, every operator becomes a line break. One pass and
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

/** Puts in what escapes in `$'…'` stand for, wherever they are: where one begins cannot be told without parsing. */
function withoutAnsiQuotes(script: string): string {
  return script.replaceAll("$'", "'").replace(ESCAPES, (whole, hex, four, eight, octal, other) => {
    const code = (hex ?? four ?? eight) ? Number.parseInt(hex ?? four ?? eight, 16) : Number.parseInt(octal ?? "", 8);
    if (other !== undefined || !(code > 0 && code <= 0x10ffff)) return whole;
    return String.fromCodePoint(code);
  });
}

/**
 * Whether a script that was not parsed may hold a command with these words: the first as a name, also behind a folder, the
 * others on the same line, operands in this order, flags one by one anywhere. Finds too much rather than too little, and
 * takes time linear in the script.
 */
export function mentions(unread: string, words: readonly string[]): boolean {
  const [program, ...others] = words;
  if (program === undefined || program === "") return unread !== "";
  const operands = others.filter((word) => !word.startsWith("-"));
  const flags = others.filter((word) => word.startsWith("-")).flatMap(singleFlags);
  let looks = 0;
  for (let at = unread.indexOf(program); at !== -1; at = unread.indexOf(program, at + 1)) {
    if (++looks > MAX_LOOKS) return true;
    if (!isWord(unread, at, program.length)) continue;
    const lineEnd = unread.indexOf("\n", at);
    const end = lineEnd === -1 ? unread.length : lineEnd;
    const line = unread.slice(at + program.length, end);
    if (hasInOrder(line, operands) && flags.every((flag) => hasFlag(line, flag))) return true;
    // What is missing in the rest of the line from here is missing from any later place in it.
    at = end - 1;
  }
  return false;
}

function isWord(text: string, start: number, length: number): boolean {
  return !isNameCode(text.charCodeAt(start - 1), true) && !isNameCode(text.charCodeAt(start + length), false);
}

function isNameCode(code: number, before: boolean): boolean {
  const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
  return isLetter || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d || (before && code === 0x2e);
}

function hasInOrder(line: string, words: readonly string[]): boolean {
  let from = 0;
  for (const word of words) {
    const at = line.indexOf(word, from);
    if (at === -1) return false;
    from = at + word.length;
  }
  return true;
}

function singleFlags(flag: string): readonly string[] {
  return /^-[A-Za-z]{2,}$/.test(flag) ? [...flag.slice(1)].map((letter) => `-${letter}`) : [flag];
}

/** The flag itself, in a cluster, or as a long option that may say the same. */
function hasFlag(line: string, flag: string): boolean {
  if (line.includes(flag)) return true;
  if (!/^-[A-Za-z]$/.test(flag)) return false;
  return new RegExp(` -(?:[A-Za-z]*${flag[1]}|-${flag[1]})`, "i").test(line);
}
