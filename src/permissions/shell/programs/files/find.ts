// `find`: its tests choose, its actions do. What it deletes, and hands to programs, is looked up by its tests.

import { longPattern } from "../../../long-pattern.js";
import { replaceMarker } from "../../invocation/marker.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { isForAll, namesFound } from "../../names/find-names.js";
import { below, namesAsked } from "../../names/found-names.js";
import { literalWord, type ShellWord } from "../../words/shell-word.js";

const FIND_TESTS = new Set(
  `-daystart -depth -d -follow -ignore_readdir_race -mount -xdev -nowarn -noleaf -warn -empty -executable -readable
    -writable -true -false -nogroup -nouser -print -print0 -ls -prune -quit -not -a -and -o -or ! ( ) , -E -H -L -P -X
    -x -s`.split(/\s+/),
);
const FIND_VALUES = new Set(
  `-maxdepth -mindepth -regextype -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum
    -ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -path -perm -regex -samefile -size -type -uid
    -used -user -wholename -xtype -context -printf -D -mnewer`.split(/\s+/),
);
/** Their value is a file whose times, or place on the disk, others are compared with. */
const COMPARES = /^-(?:[acm]?newer|newer[aBcm][aBcm]|samefile)$/;
const NAMES = { recursive: true, only: "names" } as const;
const FIND_RUNS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const FIND_WRITES = new Set(["-fprint", "-fprint0", "-fls"]);

/** Reports what an invocation of `find` reads, changes and starts. */
export function analyzeFind(call: ProgramCall): void {
  call.onlyReads();
  const starts: ShellWord[] = [];
  const args = call.args;
  let deletes = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const text = word.value;
    if (text === null) {
      if (mayBeAction(word)) {
        call.doubt("option", 'a word of "find" may become an action, as -delete');
        call.acts();
      }
      starts.push(word);
    } else if (FIND_RUNS.has(text)) {
      at = startFromFind(call, at, starts);
    } else if (FIND_WRITES.has(text) || text === "-fprintf") {
      call.acts();
      call.doubt("option", `"${text}" makes "find" write a file`);
      const file = args[++at];
      if (file) call.write(file, "create");
      if (text === "-fprintf") at++;
    } else if (text === "-delete") {
      call.acts();
      // The deleted files are among its effects.
      call.doubt("edit", '"-delete" makes "find" delete');
      deletes = true;
    } else if (text === "-files0-from") {
      const file = args[++at];
      if (file) call.read(file);
      call.acts();
    } else if (FIND_VALUES.has(text) || /^-newer[aBcm][aBcmt]$/.test(text)) {
      const value = args[++at];
      if (value?.splits) call.doubt("option", 'a word of "find" may become an action, as -delete');
      else if (value?.pattern && value.prefix === "") call.lists(value);
      if (value && COMPARES.test(text)) call.read(value, { only: "names" });
    } else if (FIND_TESTS.has(text) || /^-O\d?$/.test(text)) continue;
    else if (/^[-(!,)]/.test(text)) call.acts();
    else starts.push(word);
  }
  if (starts.length === 0) {
    call.readDirectory(NAMES);
    if (deletes) call.write(found(literalWord("."), starts, args), "delete", !isOfEmpty(args));
  }
  for (const start of starts) {
    call.read(start, NAMES);
    if (deletes) call.write(found(start, [start], args), "delete", !isOfEmpty(args));
  }
}

/** It is not surely a place to start from. */
function mayBeAction({ prefix, splits, complete, guesses }: ShellWord): boolean {
  if (prefix !== "") return splits || prefix.startsWith("-");
  // A directory that wildcards match ends with its slash, and no test or action does.
  return splits || !complete || !guesses.every((guess) => /^[\w./@+][^*?[]*$|^[\w./@*?-]+\/$/.test(guess));
}

const FILTERS = longPattern`^-(?:i?name|i?path|i?regex|i?wholename|type|newer.*|[acm](?:time|min|newer)|size|empty|user|
  group|perm|maxdepth|mindepth)$`;

/** Only some of what lies below is meant. */
function isFiltered(args: readonly ShellWord[]): boolean {
  return args.some(({ value }) => value !== null && FILTERS.test(value) && value !== "-mindepth");
}

/** True when every directory removed is empty. */
function isOfEmpty(args: readonly ShellWord[]): boolean {
  const texts = args.map(({ value }) => value ?? "-o");
  return texts.includes("-empty") && !texts.some((text) => /^(?:-o|-or|!|-not|,)$/.test(text));
}

/** The files that `-delete` removes. */
function found(start: ShellWord, starts: readonly ShellWord[], args: readonly ShellWord[]): ShellWord {
  if (start.known === null || !isFiltered(args)) return start;
  const isLast = args.at(-1)?.value === "-delete";
  const listed = namesFound(starts, isLast ? args.slice(0, -1).filter((word) => word !== start) : args);
  return {
    ...start,
    value: null,
    known: `${start.known}/${below(args)}`,
    pattern: true,
    ...(listed && { listed: { ...listed, nul: true } }),
  };
}

/** Reports the command of `-exec` and answers where it ends. */
function startFromFind(call: ProgramCall, at: number, starts: readonly ShellWord[]): number {
  const args = call.args;
  // A test behind the action does not narrow what the action is given.
  const asked = args.slice(0, at);
  let end = at + 1;
  while (end < args.length) {
    const text = args[end]!.value;
    if (text === ";" || (text === "+" && args[end - 1]!.value === "{}")) break;
    end++;
  }
  const start = starts.length === 1 ? starts[0] : starts.length === 0 ? literalWord(".") : undefined;
  // Each name is passed on as it is, as in a list that ends them with zero bytes.
  const names = namesFound(starts, [
    ...asked.filter((word) => !starts.includes(word)),
    ...args.slice(end).filter((word) => isForAll(word)),
  ]);
  const words = args.slice(at + 1, end).map((word) => {
    const replaced = replaceMarker(word, "{}");
    const found = word.value === "{}" && names ? { ...replaced, listed: { ...names, nul: true } } : replaced;
    if (word.value !== "{}" || !start) return found;
    // A found name begins with the place to start from, and lies there or below.
    const { known, prefix } = start;
    if (known === null) return { ...found, known, prefix, guesses: start.guesses };
    // Behind links it may be anywhere.
    if (!names) return { ...found, known: null, prefix, guesses: [known] };
    const place = `${known}/${below(asked)}`;
    if (isFiltered(asked)) return { ...found, known: place, pattern: true, prefix, guesses: start.guesses };
    return { ...found, known: null, prefix, guesses: [known, place], complete: true };
  });
  // A file that is asked for by its name is as good as named.
  const plain = namesAsked(asked).filter((name) => !/[*?[]/.test(name));
  for (const name of start?.known === null ? [] : plain) call.read(literalWord(`${start?.known ?? "."}/${name}`));
  const isInDirectory = args[at]!.value!.endsWith("dir");
  call.start(words, isInDirectory ? { elsewhere: true } : {});
  return end;
}
