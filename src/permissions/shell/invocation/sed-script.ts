// Reads sed scripts whole: one only edits output when every command of it is known, and none writes or runs.

/** Longer ones are not read: the patterns that check them may take quadratic time. */
const MAX_LENGTH = 4_000;
const SEPARATOR = /^(?:[\s;{}]+|#[^\n]*)/;
const LINE_NUMBER = /^(?:\d+(?:~\d+)?|\$)/;
const RANGE_END = /^\s*,\s*/;
const COUNT = /^[+~]\d+/;
const BEFORE_COMMAND = /^\s*!?\s*/;
const PLAIN = /^(?:[pPdDnNgGhHxzF=]|l\s*\d*|[qQ]\s*\d*)\s*(?=[;}\n]|$|#)/;
const JUMP = /^(?:[btT]\s*[\w-]*|:\s*[\w-]+)\s*(?=[;}\n]|$)/;
const TEXT = /^[aic]\s*(?:\\\n)?(?:[^\\\n]|\\[\s\S])*(?:(?=\n)|\\?$)/;
/** Characters allowed around an address instead of slashes, after a backslash: `\|/api/|`. */
const OTHER_DELIMITER = /^\\([|,#%@!])/;
const FLAGS = /^[gpiIm\d]*\s*(?=[;}\n]|$|#)/;

/** Whether a sed script only edits what is printed. */
export function onlyEditsOutput(script: string): boolean {
  if (script.length > MAX_LENGTH) return false;
  let rest = script;
  while (rest !== "") {
    const separator = SEPARATOR.exec(rest);
    if (separator) {
      rest = rest.slice(separator[0].length);
      continue;
    }
    const address = addressLength(rest);
    if (address === null) return false;
    rest = rest.slice(address);
    if (rest.startsWith("{")) continue;
    const command = PLAIN.exec(rest) ?? JUMP.exec(rest) ?? TEXT.exec(rest);
    const length = command ? command[0].length : substitutionLength(rest);
    if (length === 0) return false;
    rest = rest.slice(length);
  }
  return true;
}

/** The length of the text before a command: one address, two, or none; `null` when that is not clear. */
function addressLength(text: string): number | null {
  const first = oneAddress(text);
  if (first === null || first === 0) return first;
  let length = first;
  const comma = RANGE_END.exec(text.slice(length))?.[0].length;
  if (comma !== undefined) {
    const rest = text.slice(length + comma);
    const second = COUNT.exec(rest)?.[0].length ?? oneAddress(rest);
    if (second === null || second === 0) return null;
    length += comma + second;
  }
  return length + BEFORE_COMMAND.exec(text.slice(length))![0].length;
}

function oneAddress(text: string): number | null {
  const other = OTHER_DELIMITER.exec(text)?.[1];
  if (!other && !text.startsWith("/")) return LINE_NUMBER.exec(text)?.[0].length ?? 0;
  const end = other ? patternEnd(text, 2, other) : patternEnd(text, 1, "/");
  return end === null ? null : end + /^[IM]*/.exec(text.slice(end))![0].length;
}

/** The length of an `s` or `y` command without the flags that write or run; 0 when it is not one. */
function substitutionLength(text: string): number {
  const delimiter = text[1];
  if (!/^[sy]/.test(text) || delimiter === undefined || /[\w\s\\[\]]/.test(delimiter)) return 0;
  const middle = text.startsWith("s") ? patternEnd(text, 2, delimiter) : closing(text, 2, delimiter);
  const end = middle === null ? null : closing(text, middle, delimiter);
  if (end === null) return 0;
  const flags = FLAGS.exec(text.slice(end));
  return flags ? end + flags[0].length : 0;
}

/**
 * Behind the delimiter that ends a pattern; `null` when it has several lines. In brackets a delimiter is a character
 * like any other. A version of sed that ended the pattern there would find it invalid, and do nothing.
 */
function patternEnd(text: string, from: number, delimiter: string): number | null {
  for (let at = from; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === delimiter) return at + 1;
    if (text[at] === "\\") at++;
    else if (text[at] === "[") {
      const end = bracketEnd(text, at);
      if (end === null) return null;
      at = end;
    }
  }
  return null;
}

function closing(text: string, from: number, delimiter: string): number | null {
  for (let at = from; at < text.length; at++) {
    if (text[at] === delimiter) return at + 1;
    if (text[at] === "\\") at++;
  }
  return null;
}

/** The end of a list of characters: a bracket at its start is a member. `null` where `\]` leaves the end unclear. */
function bracketEnd(text: string, open: number): number | null {
  const first = text[open + 1] === "^" ? open + 2 : open + 1;
  for (let at = text[first] === "]" ? first + 1 : first; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === "]") return text[at - 1] === "\\" ? null : at;
    const kind = text[at] === "[" ? text[at + 1] : undefined;
    if (kind === ":" || kind === "." || kind === "=") {
      const end = text.indexOf(`${kind}]`, at + 2);
      if (end === -1) return null;
      at = end + 1;
    }
  }
  return null;
}
