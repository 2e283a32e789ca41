/** The part of the search worker's program that looks through texts: a `FileScan` has what was found in one file. */
export const SEARCH_SCAN = String.raw`
const MAX_LINE_CHARS = 500;
const expression = new RegExp(task.source, task.flags);
const everyMatch = new RegExp(task.source, task.flags + "g");

/** Looks through the texts of one file in turn. */
class FileScan {
  count = 0;
  lines = [];
  #number = 0; // of the last line seen
  #recent = []; // lines that become context when a match follows
  #owed = 0; // context lines still to come after a match

  /** Whether the rest of the file matters, too. */
  scan({ text, bytes }) {
    const body = text !== null && text.endsWith("\n") ? text.slice(0, -1) : text;
    const matches = body !== null && expression.test(body);
    if (task.mode === "files") {
      if (matches) this.count = 1;
      return !matches;
    }
    if (!matches && this.#owed === 0 && task.before === 0) {
      this.#number += countNewlines(bytes, body);
      return true;
    }
    const lines = (body ?? bytes.toString("utf8").replace(/\n$/, "")).split("\n");
    const isMatch = task.multiline ? this.#spans(body, matches) : (line) => expression.test(line);
    for (let i = 0; i < lines.length; i++) this.#see(lines[i], isMatch(lines[i], i));
    return task.mode === "count" || this.lines.length < task.maxLines;
  }

  /** The lines each match of a multiline search touches. */
  #spans(body, matches) {
    const touched = new Set();
    let at = 0;
    let number = 0;
    for (const match of matches ? body.matchAll(everyMatch) : []) {
      number += newlines(body, at, match.index);
      const last = number + newlines(body, match.index, match.index + match[0].length - 1);
      for (let line = number; line <= last; line++) touched.add(line);
      at = match.index;
      this.count++;
    }
    return (_, index) => touched.has(index);
  }

  #see(line, matches) {
    this.#number++;
    if (matches && !task.multiline) this.count++;
    if (task.mode === "count" || this.lines.length >= task.maxLines) return;
    if (matches) {
      for (const earlier of this.#recent) this.lines.push(earlier);
      this.#recent = [];
      this.lines.push([this.#number, true, shorten(line)]);
      this.#owed = task.after;
    } else if (this.#owed > 0) {
      this.#owed--;
      this.lines.push([this.#number, false, shorten(line)]);
    } else if (task.before > 0) {
      this.#recent.push([this.#number, false, shorten(line)]);
      if (this.#recent.length > task.before) this.#recent.shift();
    }
  }
}

/** A long line is cut to what surrounds its first match. */
function shorten(line) {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (text.length <= MAX_LINE_CHARS) return text;
  const found = task.multiline ? 0 : Math.max(0, text.search(expression));
  const start = Math.max(0, Math.min(found - 100, text.length - MAX_LINE_CHARS));
  const end = start + MAX_LINE_CHARS;
  return (start > 0 ? "[\u2026] " : "") + wholeCharacters(text.slice(start, end)) + (end < text.length ? " [\u2026]" : "");
}

function wholeCharacters(text) {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

function countNewlines(bytes, body) {
  if (bytes === undefined) return body.split("\n").length;
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}

function newlines(text, from, to) {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
`;
