// A tool's change of a file, in the shape that Claude Code reports it: hunks, and the file as it was.
import { readFileSync, statSync } from "node:fs";
import type { JsonObject } from "../contracts/json.js";

/** A file that is larger is not read again for a hook. Unit: bytes. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

interface Hunk {
  readonly oldStart: number;
  oldLines: number;
  readonly newStart: number;
  newLines: number;
  readonly lines: string[];
}

/**
 * `structuredPatch`, and `originalFile` where the file is still what the change made of it and the diff shows all of the
 * change; otherwise that is left out. `originalFile` of a created file is `null`. `filePath` is `null` for a file of another
 * machine.
 */
export function changeOf(filePath: string | null, diff: unknown, isCreated: boolean): JsonObject {
  if (isCreated) return { structuredPatch: [], originalFile: null };
  if (typeof diff !== "string") return { structuredPatch: [] };
  const { hunks, isWhole } = hunksOf(diff);
  const original = isWhole && filePath !== null ? originalOf(filePath, hunks) : undefined;
  return {
    structuredPatch: hunks as unknown as JsonObject[],
    ...(original !== undefined && { originalFile: original }),
  };
}

function hunksOf(diff: string): { readonly hunks: readonly Hunk[]; readonly isWhole: boolean } {
  const hunks: Hunk[] = [];
  for (const line of diff.split("\n")) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (header) {
      hunks.push({ oldStart: Number(header[1]), oldLines: 0, newStart: Number(header[2]), newLines: 0, lines: [] });
      continue;
    }
    const hunk = hunks.at(-1);
    if (!hunk || !/^[-+ \\]/.test(line)) continue;
    hunk.lines.push(line);
    if (line[0] === "-" || line[0] === " ") hunk.oldLines++;
    if (line[0] === "+" || line[0] === " ") hunk.newLines++;
  }
  return { hunks, isWhole: !/\n\(diff cut: [^\n]*\)$/.test(diff) };
}

/** Undoes the hunks in the file as it is; `undefined` where it is not what they made. */
function originalOf(filePath: string, hunks: readonly Hunk[]): string | undefined {
  const text = readText(filePath);
  if (text === undefined) return undefined;
  const ending = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  // A file that ends with a line break has one empty piece more than lines.
  let endsWithBreak = lines.at(-1) === "";
  if (endsWithBreak) lines.pop();
  for (const { newStart, newLines, lines: changed } of [...hunks].reverse()) {
    const made = linesWith(changed, "+ ");
    const at = newLines === 0 ? newStart : newStart - 1;
    if (made.some((line, index) => line !== lines[at + index])) return undefined;
    lines.splice(at, newLines, ...linesWith(changed, "- "));
    const unbroken = changed.findIndex((line) => line.startsWith("\\"));
    if (unbroken > 0) endsWithBreak = changed[unbroken - 1]!.startsWith("+") && changed.at(-1) === changed[unbroken];
    if (unbroken > 0 && changed[unbroken - 1]!.startsWith(" ")) endsWithBreak = false;
  }
  return lines.join(ending) + (endsWithBreak && lines.length > 0 ? ending : "");
}

function linesWith(lines: readonly string[], marks: string): string[] {
  return lines.filter((line) => marks.includes(line[0]!)).map((line) => line.slice(1));
}

function readText(filePath: string): string | undefined {
  try {
    if (statSync(filePath).size > MAX_FILE_BYTES) return undefined;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(filePath));
  } catch {
    return undefined; // It is elsewhere, or not text.
  }
}
