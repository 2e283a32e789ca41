import { ToolError } from "../../../contracts/errors.js";
import { ripgrepPattern } from "./ripgrep-pattern.js";

export interface SearchPattern {
  /** For `new RegExp(source, flags)`, on a line or, in a multiline search, on a whole text. */
  readonly source: string;
  readonly flags: string;
  /** Matches at least what the expression does; `null` when there is no such pattern. */
  readonly ripgrep: string | null;
  /** To be tried on a whole text: one in which it does not match has no line that matches. `null`: each line has to be tried. */
  readonly whole: string | null;
  /** Whether it names a carriage return, which else is no part of a line that ends in CRLF. */
  readonly namesReturn: boolean;
}

const MAX_LENGTH = 5_000;

const SET = String.raw`\\(?:[dws]|p(?:\{[^}]*\}|\w))`;
const ESCAPE = String.raw`\\(?:x\{[\da-f]+\}|x[\da-f]{2}|u\{[\da-f]+\}|u[\da-f]{4}|k<[^>]*>|c[a-z]|[1-9]\d*|.?)`;
const CLASS = String.raw`\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\\\]])*\]?`;
const GROUP = String.raw`\((?:\?(?:P?<[^>=!]*>|<?[=!]|:)?)?`;
const QUANTIFIER = String.raw`(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\})[?+]?`;
const TOKEN = new RegExp(`${SET}|${ESCAPE}|${CLASS}|${GROUP}|${QUANTIFIER}|.`, "gisu");
const CLASS_MEMBER = new RegExp(String.raw`\[:\^?\w+:\]|${SET}-?|${ESCAPE}|&&|--|~~|.`, "gisu");

/** In a token without escaped backslashes. */
const RETURN = /\r|\\(?:r|x0d|u000d|u\{0*d\}|cm)/i;

const POSIX: Readonly<Record<string, string>> = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "0-9A-Za-z",
  upper: "A-Z",
  lower: "a-z",
  xdigit: "0-9A-Fa-f",
  word: "0-9A-Za-z_",
  blank: " \\t",
  space: "\\t-\\r ",
  punct: "!-\\/:-@\\[-`\\{-~",
};

/** The replacements for escapes of other dialects. */
const INSTEAD: Readonly<Record<string, string>> = {
  "\\<": "\\b for a word boundary, < for the character",
  "\\>": "\\b for a word boundary, > for the character",
  "\\A": "^",
  "\\Z": "$",
  "\\z": "$",
  "\\h": "[ \\t]",
  "\\Q": "a backslash before each special character",
};

/**
 * Reads a JavaScript expression, flags `u` and `m`, with `s` for `multiline` and `i` for `ignoreCase` or a leading `(?i)`.
 *
 * Syntax of other dialects that has only one sense has that sense: `\"` and other needless escapes, a lone `{`, `}` or `]`,
 * `(?P<name>…)`, `[[:alpha:]]`, `[]a]`, `[\w-.]`, `\x{…}`, `\pL`.
 *
 * @throws ToolError `PATTERN_INVALID` for text that is no expression, or would be read in another sense than it was written in
 */
export function readSearchPattern(
  pattern: string,
  { ignoreCase, multiline }: { readonly ignoreCase: boolean; readonly multiline: boolean },
): SearchPattern {
  if (pattern.length > MAX_LENGTH) throw invalidPattern(pattern, `it is longer than ${MAX_LENGTH} characters`);
  const refuse: Refuse = (reason) => {
    throw invalidPattern(pattern, reason);
  };
  const [lead = "", letters = ""] = /^\(\?([ims]+)\)(?=.)/s.exec(pattern) ?? [];
  const flags = `${multiline ? "ums" : "um"}${ignoreCase || letters.includes("i") ? "i" : ""}`;
  const given = pattern.slice(lead.length).match(TOKEN) ?? [];
  if (!multiline && given.some((token) => token === "\n" || token === "\\n")) {
    refuse("a line holds no line break; set multiline to search across lines");
  }
  const tokens = given.map((token) => inJavaScript(token, refuse));
  const source = tokens.join("");
  try {
    new RegExp(source, flags);
  } catch (error) {
    refuse(reasonOf(error as Error));
  }
  const { ripgrep, whole } = ripgrepPattern(tokens, flags);
  return {
    source: quickToCompile(source),
    flags,
    ripgrep,
    whole: whole && quickToCompile(whole),
    namesReturn: tokens.some((token) => RETURN.test(token.replaceAll("\\\\", ""))),
  };
}

export function invalidPattern(pattern: string, reason: string): ToolError {
  return new ToolError("PATTERN_INVALID", {
    message: `The pattern "${pattern.slice(0, 200)}" cannot be searched for: ${reason}.`,
  });
}

/** V8's reason, which it prints behind the expression. */
function reasonOf({ message }: Error): string {
  const reason = message.slice(message.lastIndexOf(": ") + 2);
  return `it is no JavaScript expression (${reason}); to mean one of ( ) [ ] { } . * + ? ^ $ | \\ write "\\" before it`;
}

type Refuse = (reason: string) => never;

function inJavaScript(token: string, refuse: Refuse): string {
  if (/^[{}\]]$/.test(token)) return `\\${token}`;
  if (token.startsWith("[")) return readClass(token, refuse);
  if (token.startsWith("\\")) return readEscape(token, refuse);
  if (token.startsWith("{,")) refuse(`"${token}" is not known to JavaScript; write "{0${token.slice(1)}"`);
  if (/^[*+?{].*\+$/.test(token)) {
    refuse(`"${token}" is possessive, which JavaScript does not know; write "${token.slice(0, -1)}"`);
  }
  return token.replace(/^\(\?P</, "(?<");
}

function readEscape(token: string, refuse: Refuse): string {
  if (token === "\\") refuse(`it ends in a single "\\"; write "\\\\" for the character`);
  if (Object.hasOwn(INSTEAD, token)) refuse(`"${token}" is not known to JavaScript; write ${INSTEAD[token]}`);
  if (token.startsWith("\\x{")) return `\\u${token.slice(2)}`;
  if (/^\\p\w$/i.test(token)) return `${token.slice(0, 2)}{${token[2]}}`;
  return /^\\[^A-Za-z\d$()*+./?[\\\]^{|}]/.test(token) ? token.slice(1) : token;
}

function readClass(token: string, refuse: Refuse): string {
  if (/^\[:\w+:\]$/.test(token)) refuse(`"${token}" is a class only inside another; write "[${token}]"`);
  if (/^\[\^\](?:[*+?{]|$)/.test(token)) {
    refuse(`"[^]" is read in several ways; write "[\\s\\S]" for any character, "[^\\]…]" for none of those`);
  }
  const [start] = /^\[\^?/.exec(token)!;
  // A "]" that comes first is a character.
  const members = token.slice(start.length).replace(/^\]/, "\\]");
  return start + members.replace(CLASS_MEMBER, (member) => readMember(member, refuse));
}

function readMember(member: string, refuse: Refuse): string {
  if (member === "[") refuse(`"[" in a class begins another one in some dialects; write "\\[" for the character`);
  if (/^(?:&&|--|~~)$/.test(member)) {
    refuse(`"${member}" in a class works on sets in some dialects; write "\\${member[0]}" for the character`);
  }
  if (member.startsWith("[:")) {
    const name = member.slice(2, -2);
    return Object.hasOwn(POSIX, name) ? POSIX[name]! : refuse(`"${member}" is not a known class`);
  }
  if (member === "\\-") return member;
  if (member === "\\<" || member === "\\>") return member.slice(1);
  // Behind a set, "-" does not make a range.
  if (/^\\[^-].*-$/s.test(member)) return `${readEscape(member.slice(0, -1), refuse)}\\-`;
  return member.startsWith("\\") ? readEscape(member, refuse) : member;
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

/** The source of an expression so that it is compiled at once, however many of its parts may be missing. */
function quickToCompile(source: string): string {
  const count = source.match(OPTIONAL_PART)?.length ?? 0;
  return count > MANY ? MEANS_NOTHING + source : source;
}
