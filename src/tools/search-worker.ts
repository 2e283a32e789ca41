/** What is searched for, and what of it is told. */
export interface SearchTask {
  readonly source: string;
  readonly flags: string;
  /** UTF-8 bytes every matching file holds, as a quick test. */
  readonly literal: string | null;
  readonly multiline: boolean;
  /** `files` stops at a file's first match, `count` counts its matches, `content` collects lines. */
  readonly mode: "files" | "count" | "content";
  readonly before: number;
  readonly after: number;
  /** Lines collected of one file at most. */
  readonly maxLines: number;
}

/** What a worker is started with. */
export interface WorkerTask extends SearchTask {
  /** Where files come from that are not on this machine's disk: see `ByteBridge`. */
  readonly bridge?: SharedBytes;
}

/** Memory through which a thread that cannot wait for promises reads a file: it asks, sleeps, and finds the bytes. */
export interface SharedBytes {
  /** 1 when an answer is there, and how many bytes it has; -1 when the file cannot be read. */
  readonly state: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
}

/** Asks for the bytes of a file from a position on. */
export interface BytesRequest {
  readonly bytesOf: string;
  readonly position: number;
}

/** Number, whether it matches, and text of a line. */
export type FoundLine = readonly [number: number, matches: boolean, text: string];

export interface FileMatch {
  readonly path: string;
  /** Matching lines, or matches in a multiline search; 1 in mode `files`. */
  readonly count: number;
  readonly lines: readonly FoundLine[];
  /** Not searched, or not to its end, since a line of it is too large, or all of it in a multiline search. */
  readonly isTooLarge: boolean;
}

/** What a worker answers to a group of paths. */
export interface GroupAnswer {
  readonly matches: readonly FileMatch[];
  /** How many paths were searched, from the first: an answer ends early when it grows too large for one message. */
  readonly searched: number;
}

/** Lines and whole files larger than this are not searched. Unit: bytes. */
export const MAX_WHOLE_BYTES = 256 * 1024 * 1024;

/**
 * The program of a search worker: gets `{ id, paths }`, answers `{ id, answer }`.
 *
 * Plain JavaScript in a string, so that a worker starts from it the same way in TypeScript sources, in a bundle and in
 * CommonJS, with no file to be found at run time. Files are read in pieces that end in a line break. A file with a NUL in
 * its first 8 KB is binary and skipped; one with a NUL further on ends there, as for ripgrep. UTF-16 is read by its mark.
 * Where the system tells which file a descriptor is, a match in another file than the one asked for does not count: a
 * folder on its way was exchanged for a link.
 */
export const SEARCH_WORKER = String.raw`
"use strict";
const fs = require("node:fs");
const { parentPort, workerData: task } = require("node:worker_threads");

const BINARY_BYTES = 8 * 1024;
const MAX_WHOLE_BYTES = ${MAX_WHOLE_BYTES};
/** Of one answer: taking it in must not hold up the thread that asked. */
const MAX_ANSWER_CHARS = 500_000;
const MAX_LINE_CHARS = 500;
const OPEN_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;
const expression = new RegExp(task.source, task.flags);
const everyMatch = new RegExp(task.source, task.flags + "g");
const literal = task.literal === null ? null : Buffer.from(task.literal);
const hasDescriptors = process.platform === "linux" && fs.existsSync("/proc/self/fd");
let buffer = Buffer.allocUnsafeSlow(1024 * 1024);

parentPort.on("message", ({ id, paths }) => {
  parentPort.postMessage({ id, answer: searchGroup(paths) });
});

function searchGroup(paths) {
  const matches = [];
  let [searched, lines, chars] = [0, 0, 0];
  while (searched < paths.length && lines < task.maxLines && chars < MAX_ANSWER_CHARS) {
    const match = searchPath(paths[searched++]);
    if (!match) continue;
    matches.push(match);
    lines += match.lines.length;
    for (const [, , text] of match.lines) chars += text.length;
  }
  return { matches, searched };
}

function searchPath(path) {
  let file;
  try {
    file = task.bridge ? new BridgedFile(path) : new DiskFile(path);
    const found = new FileScan();
    let isTooLarge = false;
    for (const text of readTexts(file)) {
      if (text === TOO_LARGE) isTooLarge = true;
      else if (!found.scan(text)) break;
    }
    if (found.count === 0 && !isTooLarge) return null;
    if (file.isExchanged()) return null;
    return { path, count: found.count, lines: found.lines, isTooLarge };
  } catch (error) {
    if (error.code === undefined) throw error;
    return null; // gone, or not readable
  } finally {
    file?.close();
  }
}

class DiskFile {
  #path;
  #file;

  constructor(path) {
    this.#path = path;
    this.#file = fs.openSync(path, OPEN_FLAGS);
  }

  /** Reads on; fewer bytes than there is room for at the end only. */
  read(target) {
    return fs.readSync(this.#file, target, 0, target.length, null);
  }

  isExchanged() {
    return hasDescriptors && fs.readlinkSync("/proc/self/fd/" + this.#file) !== this.#path;
  }

  close() {
    fs.closeSync(this.#file);
  }
}

/** Read by the thread that started this one, which also looks whether it is the file that was asked for. */
class BridgedFile {
  #path;
  #position = 0;

  constructor(path) {
    this.#path = path;
  }

  read(target) {
    const state = new Int32Array(task.bridge.state);
    let filled = 0;
    for (let count = 1; count > 0 && filled < target.length; ) {
      Atomics.store(state, 0, 0);
      parentPort.postMessage({ bytesOf: this.#path, position: this.#position });
      Atomics.wait(state, 0, 0);
      if (state[1] < 0) throw Object.assign(new Error("not readable"), { code: "EIO" });
      count = Math.min(state[1], target.length - filled);
      target.set(new Uint8Array(task.bridge.bytes, 0, count), filled);
      filled += count;
      this.#position += count;
    }
    return filled;
  }

  isExchanged() {
    return false;
  }

  close() {}
}

const TOO_LARGE = {};

/** The file in texts of whole lines; the text is null when it cannot match. TOO_LARGE ends a file that has one. */
function* readTexts(file) {
  let filled = 0;
  for (let first = true; ; ) {
    const read = file.read(buffer.subarray(filled));
    let end = filled + read;
    let isLast = end < buffer.length; // a file answers less than was asked for at its end only
    if (first && hasMark(0xff, 0xfe)) return yield* readUtf16(file, end, "utf-16le");
    if (first && hasMark(0xfe, 0xff)) return yield* readUtf16(file, end, "utf-16be");
    const nul = buffer.subarray(filled, end).indexOf(0);
    if (nul >= 0) {
      if (first && filled + nul < BINARY_BYTES) return;
      isLast = true;
      end = filled + nul;
    }
    const cut = isLast ? end : task.multiline ? 0 : buffer.subarray(0, end).lastIndexOf(10) + 1;
    if (cut === 0 && !isLast) {
      if (buffer.length >= MAX_WHOLE_BYTES) return yield TOO_LARGE;
      filled = end;
      enlarge();
      continue;
    }
    const start = first && hasMark(0xef, 0xbb, 0xbf) ? 3 : 0;
    if (cut > start) yield decode(start, cut);
    if (isLast) return;
    first = false;
    buffer.copyWithin(0, cut, end);
    filled = end - cut;
  }
}

function hasMark(...mark) {
  return mark.every((byte, i) => buffer[i] === byte);
}

function enlarge() {
  const larger = Buffer.allocUnsafeSlow(buffer.length * 4);
  buffer.copy(larger);
  buffer = larger;
}

function decode(start, end) {
  const bytes = buffer.subarray(start, end);
  if (literal && !bytes.includes(literal)) return { text: null, bytes };
  return { text: bytes.toString("utf8"), bytes };
}

function* readUtf16(file, filled, encoding) {
  while (filled === buffer.length) {
    if (buffer.length >= MAX_WHOLE_BYTES) return yield TOO_LARGE;
    enlarge();
    filled += file.read(buffer.subarray(filled));
  }
  const text = new TextDecoder(encoding).decode(buffer.subarray(0, filled));
  if (text !== "") yield { text };
}

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
  return (start > 0 ? "[…] " : "") + text.slice(start, end) + (end < text.length ? " […]" : "");
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
