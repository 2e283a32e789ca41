// Which files `rg` leaves out of a search: hidden ones, unless an option, or a file that says what to ignore, brings them back.
import { basename, join } from "node:path";
import { nameFinder } from "../rules/path-names.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { type DiskView, textOf, upwards } from "./disk-view.js";

/** Options that leave hidden files out; a pattern for names does if it says what is not wanted. */
const LEAVES =
  /^(?:-[sFivnNxPSclopqHILaUw0h]*(?:[ABCeEjMmrtTd].*|f.*)?|--(?!hidden|unrestricted|no-ignore|i?glob|type|pre|ignore-file)[a-z-]+(?:=.*)?|--type(?:-not|-list)?(?:=.*)?|--i?glob=!.*)$/s;
const GLOB = /^(?:-[a-zA-Z]*g|--i?glob)$/;

/** A search that leaves out hidden files, since nothing says otherwise. */
export function skipsHidden({ program, words }: AnalyzedCommand): boolean {
  if (program !== "rg") return false;
  return words.every((word, at) => {
    if (word === null) return false;
    if (GLOB.test(words[at - 1] ?? "")) return word.startsWith("!");
    return !word.startsWith("-") || GLOB.test(word) || /^-[a-zA-Z]*g!/.test(word) || LEAVES.test(word);
  });
}

/** What says which files a search leaves out. */
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
