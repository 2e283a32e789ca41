// The files below a directory that a search or a copy opens, as its options say.
import { basename, join } from "node:path";
import { nameFinder } from "../rules/path-names.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { parseOptions } from "../shell/invocation/options.js";
import { baseName, findProgram } from "../shell/programs/table.js";
import { literalWord, unknownWord } from "../shell/words/shell-word.js";
import { type DiskView, textOf, upwards } from "./disk-view.js";

const FOLLOWS = / (?:-[a-zA-Z]*[RL]|--der|--follow(?: |$))/;

/** Whether a command goes on behind the links below the directories it is given. */
export function followsLinks({ program, words }: AnalyzedCommand): boolean {
  const follows = findProgram(baseName(program ?? ""))?.search?.follows ?? FOLLOWS;
  return follows.test(words.join(" "));
}

/** A search that leaves out hidden files, since nothing says otherwise. */
export function skipsHidden(command: AnalyzedCommand): boolean {
  const { only, shows } = findProgram(baseName(command.program ?? ""))?.search ?? {};
  if (shows === undefined || command.words.includes(null)) return false;
  const { unknown, options } = parsed(command);
  const named = valuesOf(command, only);
  return (
    unknown.length === 0 &&
    !options.some(({ name }) => shows.split(/\s+/).includes(name)) &&
    named.every((name) => name.startsWith("!"))
  );
}

/** Filters for the names of directories that are not entered, and of files that are opened. */
export function filtersOf(command: AnalyzedCommand) {
  const { skips, omits, only } = findProgram(baseName(command.program ?? ""))?.search ?? {};
  const named = valuesOf(command, only);
  // `-g '!.env'` leaves out; where another glob follows, that may bring it back.
  const without = named.every((name) => name.startsWith("!")) ? named.map((name) => name.slice(1)) : [];
  const finders = (names: readonly string[]) => {
    return {
      isPlain: names.every((name) => PLAIN.test(name)),
      some: names.filter((name) => PLAIN.test(name)).map(nameFinder),
    };
  };
  const skipped = finders(valuesOf(command, skips));
  const omitted = finders([...valuesOf(command, omits), ...without]);
  const opened = finders(without.length > 0 ? [] : named);
  const isAny = opened.some.length === 0 || !opened.isPlain;
  return {
    isLeftOut: (name: string) => skipped.some.some((is) => is(name)),
    isWanted: (name: string) => !omitted.some.some((is) => is(name)) && (isAny || opened.some.some((is) => is(name))),
  };
}

const PLAIN = /^[\w.*?-]+$/;

function parsed({ program, words, text }: AnalyzedCommand) {
  const row = findProgram(baseName(program ?? "")) ?? { manual: "" };
  // A word with wildcards stands as written.
  const written = text.split(" ");
  const known = words.map((word, at) => word ?? (written.length === words.length ? written[at]! : null));
  return parseOptions(
    row,
    known.slice(1).map((word) => (word === null ? unknownWord("?") : literalWord(word.replace(/["']/g, "")))),
  );
}

function valuesOf(command: AnalyzedCommand, options = ""): readonly string[] {
  return options === ""
    ? []
    : parsed(command)
        .all(...options.split(/\s+/))
        .map(({ value }) => value?.value ?? "");
}

/** Names of the files that say which files a search leaves out. */
export const IGNORE_FILES: ReadonlySet<string> = new Set([".gitignore", ".ignore", ".rgignore"]);
const MAX_SIZE = 200_000;

/** Finds the hidden files that a line with `!` in one of these files, or in one of a directory above, brings back. */
export function broughtBack(start: string, files: readonly string[], disk: DiskView): (file: string) => boolean {
  const [, ...above] = upwards(start);
  const found = files.filter((file) => IGNORE_FILES.has(basename(file)));
  const others = above.flatMap((directory) => [...IGNORE_FILES].map((name) => join(directory, name)));
  const lines = [...found, ...others].flatMap((file) => {
    const kind = disk.kindOf(file);
    if (kind === null || kind === "directory") return [];
    return (textOf(disk, file, MAX_SIZE) ?? "!*").split("\n").filter((line) => line.startsWith("!"));
  });
  const finders = lines.map((line) => nameFinder(line.slice(1).trim().replace(/\/+$/, "").replace(/^.*\//, "") || "*"));
  return (file) => {
    const names = file.slice(start.length).split("/");
    return finders.some((is) => names.some((name) => name !== "" && is(name)));
  };
}
