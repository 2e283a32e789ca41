// What a search or a copy reads below a directory without naming it.
import { join } from "node:path";
import { nameFinder } from "../rules/path-names.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { type DiskView, type NamesOnDisk, PRUNED } from "./disk-view.js";

/** More names than this below one directory are not looked through. */
const MAX_NAMES = 20_000;
/** With these they go on behind links. */
const FOLLOWS: Readonly<Record<string, RegExp>> = {
  cp: /^(?:-[a-zA-Z]*L.*|--der.*)$/,
  tree: /^-[a-zA-Z]*l/,
  find: /^(?:-L|-follow)$/,
  ag: /^(?:-[a-zA-Z]*f.*|--follow)$/,
  ack: /^--follow$/,
};
const FOLLOWS_LINKS = /^(?:-[a-zA-Z]*[RL].*|--der.*|--follow)$/;

/** Whether a command goes on behind the links below the directories it is given. */
export function followsLinks({ program, words }: AnalyzedCommand): boolean {
  if (program === "diff") return !words.some((word) => word?.startsWith("--no-d"));
  const follows = FOLLOWS[program ?? ""] ?? FOLLOWS_LINKS;
  return words.slice(1).some((word) => follows.test(word ?? ""));
}

/** The files below a directory that a command reads with it; `null` when they are too many, or cannot be listed. */
export function filesBelow(start: string, command: AnalyzedCommand, disk: DiskView): NamesOnDisk | null {
  const found = { files: [] as string[], directories: [] as string[], links: [] as string[] };
  const [isLeftOut, isWanted] = filtersOf(command);
  const follows = followsLinks(command);
  const directories = [start];
  let seen = 0;
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    const entries = disk.entriesOf(directory);
    if (entries === null) return null;
    for (const entry of entries) {
      if (++seen > MAX_NAMES) return null;
      const path = join(directory, entry.name);
      if (entry.kind === "directory") {
        if (!PRUNED.has(entry.name) && !isLeftOut(entry.name)) directories.push(path);
      } else if (entry.kind === "file" || follows) {
        if (isWanted(entry.name)) (entry.kind === "link" ? found.links : found.files).push(path);
      }
    }
  }
  return found;
}

/** Options whose value is the next word, which then is not a filter. */
const TAKES_NEXT = /^(?:-[a-zA-Z]*[efmABCDd]|--[a-z-]+)$/;
const FILTER = /^'?--(exclude-dir|exclude|include)=(["']?)([\w.*?-]+)\2'?$/;

/** `--exclude-dir`, `--exclude` and `--include` of `grep`, as they are written. */
function filtersOf({ program, text }: AnalyzedCommand) {
  const words = /^(?:.*\/)?z?[ef]?grep$/.test(program ?? "") ? text.split(" ") : [];
  const end = words.indexOf("--");
  const found = words.slice(0, end === -1 ? undefined : end).flatMap((word, at) => {
    const [, option, , pattern] = (!TAKES_NEXT.test(words[at - 1] ?? "") && FILTER.exec(word)) || [];
    return pattern === undefined ? [] : [{ option, is: nameFinder(pattern) }];
  });
  const some = (option: string) => {
    const finders = found.filter((each) => each.option === option);
    return { isAsked: finders.length > 0, fits: (name: string) => finders.some(({ is }) => is(name)) };
  };
  if (program === "rg") {
    const globs = globsOfRipgrep(text.split(" "));
    if (globs !== null) return [() => false, (name: string) => globs.some((is) => is(name))] as const;
  }
  const [directories, excluded, included] = [some("exclude-dir"), some("exclude"), some("include")];
  return [
    directories.fits,
    (name: string) => !excluded.fits(name) && (!included.isAsked || included.fits(name)),
  ] as const;
}

/** The files that `rg` looks into when their names are given, as in `-g '*.ts'`; `null` when they are chosen in another way. */
function globsOfRipgrep(words: readonly string[]) {
  const globs: string[] = [];
  for (const [at, word] of words.entries()) {
    const [, glued] = /^(?:-g|--i?glob=)(.*)$/s.exec(word) ?? [];
    if (glued !== undefined || /^--i?glob$/.test(word))
      globs.push((glued || (words[at + 1] ?? "")).replace(/^'(.*)'$/s, "$1"));
    else if (/^-[a-zA-Z]+g|^-[a-zA-Z]*u|^--(?:hidden|unrestricted|no-ignore)/.test(word)) return null;
  }
  const isPlain = globs.length > 0 && globs.every((glob) => /^[\w.*?-]+$/.test(glob));
  return isPlain ? globs.map((glob) => nameFinder(glob)) : null;
}
