import { TROUBLE_CODES } from "../walk/search-trouble.js";
import { SEARCH_READING } from "./search-reading.js";
import { SEARCH_SCAN } from "./search-scan.js";

/**
 * The program of a search worker: gets `{ id, paths }`, answers `{ id, answer }`.
 *
 * Plain JavaScript in a string, so that a worker starts from it the same way in TypeScript sources and in a bundle, with
 * no file to be found at run time.
 */
export const SEARCH_WORKER = `
"use strict";
const fs = require("node:fs");
const { parentPort, workerData: task } = require("node:worker_threads");

/** Of one answer: taking it in must not hold up the thread that asked. */
const MAX_ANSWER_CHARS = 500_000;
const TROUBLE_CODES = ${JSON.stringify(TROUBLE_CODES)};

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
    file = openFile(path);
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
    if (error.code === undefined || TROUBLE_CODES.includes(error.code)) throw error;
    return null; // gone, or not readable
  } finally {
    file?.close();
  }
}
${SEARCH_READING}${SEARCH_SCAN}`;
