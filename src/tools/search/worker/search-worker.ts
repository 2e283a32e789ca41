import { TROUBLE_CODES } from "../walk/search-trouble.js";

/** Larger files are not searched. Unit: bytes. */
export const MAX_SEARCHED_BYTES = 64 * 1024 * 1024;

/**
 * The program of a search worker: it gets files as `{ path, bytes?, isTooLarge? }`, and answers `{ matches, searched }`.
 *
 * Plain JavaScript in a string, so that a worker starts from it the same way in TypeScript sources and in a bundle, with
 * no file to be found at run time. A file with a NUL in its first 8 KB is binary and skipped; one with a NUL further on
 * ends there, as for ripgrep. UTF-16 is read by its mark. Where the system says which file a descriptor is, a match is
 * dropped when its file is another than the one asked for: a directory on its way was exchanged for a link.
 */
export const SEARCH_WORKER = String.raw`
"use strict";
const fs = require("node:fs");
const { parentPort, workerData: task } = require("node:worker_threads");

/** The limit of one answer: taking it in must not hold up the thread that asked. */
const MAX_ANSWER_CHARS = 500_000;
const BINARY_BYTES = 8 * 1024;
const MAX_LINE_CHARS = 500;
const OPEN_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;
const hasDescriptors = process.platform === "linux" && fs.existsSync("/proc/self/fd");
const expression = new RegExp(task.source, task.flags);
/** A size that most files fit in. */
const room = Buffer.alloc(64 * 1024);
const whole = task.whole === null ? null : new RegExp(task.whole, task.flags);
const everyMatch = new RegExp(task.source, task.flags + "g");

parentPort.on("message", (files) => {
  const matches = [];
  let [searched, lines, chars] = [0, 0, 0];
  while (searched < files.length && lines < task.maxLines && chars < MAX_ANSWER_CHARS) {
    let match;
    try {
      match = searchFile(files[searched++]);
    } catch (error) {
      // V8 finds out only when it compiles or tries an expression that this one is too much for it.
      if (error.code !== undefined || !/^(?:Syntax|Range)Error$/.test(error.name)) throw error;
      return parentPort.postMessage({ matches, searched, problem: error.message.split(": ").at(-1) });
    }
    if (!match) continue;
    matches.push(match);
    lines += match.lines.length;
    for (const [, , text] of match.lines) chars += text.length;
  }
  parentPort.postMessage({ matches, searched });
});

function searchFile({ path, bytes, isTooLarge }) {
  if (isTooLarge) return decode(Buffer.from(bytes)) === "" ? null : tooLarge(path);
  if (bytes) return searchBytes(path, bytes);
  let file;
  try {
    file = fs.openSync(path, OPEN_FLAGS);
    const match = searchOpened(path, file);
    // Asked only now, since few files match: it takes as long as opening one.
    const isOther = match && hasDescriptors && fs.readlinkSync("/proc/self/fd/" + file) !== path;
    return isOther ? null : match;
  } catch (error) {
    // A file that is gone, or not readable, is skipped.
    if (error.code === undefined || ${JSON.stringify(TROUBLE_CODES)}.includes(error.code)) throw error;
    return null;
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

function searchOpened(path, file) {
  const stats = fs.fstatSync(file);
  if (!stats.isFile()) return null;
  const start = room.subarray(0, fs.readSync(file, room, 0, room.length, 0));
  if (stats.size > ${MAX_SEARCHED_BYTES}) return decode(start) === "" ? null : tooLarge(path);
  return searchBytes(path, start.length < room.length ? start : fs.readFileSync(file));
}

function searchBytes(path, bytes) {
  const text = decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (text === "") return null;
  if (bytes.length > ${MAX_SEARCHED_BYTES}) return tooLarge(path);
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  if (whole && !whole.test(body)) return null;
  const found = task.multiline && task.mode === "files" ? { count: 1, lines: [] } : searchLines(body);
  return found.count === 0 ? null : { path, ...found, isTooLarge: false };
}

function tooLarge(path) {
  return { path, count: 0, lines: [], isTooLarge: true };
}

/** Empty for a binary file. */
function decode(bytes) {
  const mark = bytes.toString("latin1", 0, 3);
  if (mark.startsWith("\xff\xfe")) return new TextDecoder("utf-16le").decode(bytes);
  if (mark.startsWith("\xfe\xff")) return new TextDecoder("utf-16be").decode(bytes);
  const nul = bytes.indexOf(0);
  if (nul >= 0 && nul < BINARY_BYTES) return "";
  return bytes.toString("utf8", mark === "\xef\xbb\xbf" ? 3 : 0, nul < 0 ? bytes.length : nul);
}

function searchLines(body) {
  const texts = body.split("\n");
  const spans = task.multiline ? spansOf(body) : null;
  const found = { count: spans ? spans.count : 0, lines: [] };
  let next = 0; // the first line that is not reported yet
  let until = 0; // lines before this one are context of the last match
  const report = (index, matches) => found.lines.push([index + 1, matches, shorten(texts[index])]);
  for (let i = 0; i < texts.length && found.lines.length < task.maxLines; i++) {
    const matches = spans ? spans.touched.has(i) : expression.test(searchedPart(texts[i]));
    if (matches && !spans) found.count++;
    if (matches && task.mode === "files") break;
    if (task.mode !== "content") continue;
    if (matches) {
      for (let before = Math.max(next, i - task.before); before < i; before++) report(before, false);
      until = i + 1 + task.after;
    }
    if (!matches && i >= until) continue;
    report(i, matches);
    next = i + 1;
  }
  return found;
}

/** The line without the "\r" of CRLF, which is part of a line only for a pattern that names it. */
function searchedPart(line) {
  return line.endsWith("\r") && !task.namesReturn ? line.slice(0, -1) : line;
}

/** The number of matches in all of a text, and the lines they touch. */
function spansOf(body) {
  const touched = new Set();
  let [at, line, count] = [0, 0, 0];
  for (const { index, 0: text } of body.matchAll(everyMatch)) {
    line += newlines(body, at, index);
    const last = line + newlines(body, index, index + text.length - 1);
    for (let each = line; each <= last; each++) touched.add(each);
    at = index;
    count++;
  }
  return { touched, count };
}

function newlines(text, from, to) {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** A long line is cut to what surrounds its first match. */
function shorten(line) {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (text.length <= MAX_LINE_CHARS) return text;
  const found = task.multiline ? 0 : Math.max(0, text.search(expression));
  const start = Math.max(0, Math.min(found - 100, text.length - MAX_LINE_CHARS));
  const end = start + MAX_LINE_CHARS;
  // Half a character at either end is left out.
  const shown = text.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return (start > 0 ? "[\u2026] " : "") + shown + (end < text.length ? " [\u2026]" : "");
}
`;
