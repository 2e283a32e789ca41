import type { ProgramCall } from "../../invocation/program.js";
import { literalWord, type ShellWord } from "../../words/shell-word.js";

/** What of an option's own word is a file: `-Oorder.txt`; in some commands of others. */
const READS_FILE = /^-[OX](.+)$/s;
const MESSAGE_FILE = /^-[adefilnopqsvz]*[Ft](.+)$/s;
const GLUES: Readonly<Record<string, RegExp>> = {
  grep: /^-[a-zA-NP-Z]*?f(.+)$/s,
  blame: /^-[a-z]*?S(.+)$/s,
  commit: MESSAGE_FILE,
  tag: MESSAGE_FILE,
  merge: MESSAGE_FILE,
};
const READS_NEXT = /^-[fFOXS]$/;
/** Of these options only `-O` names a file to them. */
const LISTS_HISTORY = /^(?:log|shortlog|diff|show)$/;
/** The long options whose value is a file; each may be abbreviated. */
const READING_OPTIONS =
  "--contents --exclude-from --exclude-per-directory --ignore-revs-file --pathspec-from-file --file".split(" ");
const PACKS = /^(?:archive|format-patch)$/;
const WRITES_FILE = /^(?:-o|--output(?:-directory)?=)(.+)$/s;
const WRITES_NEXT = /^(?:-o|--output|--output-directory)$/;

/** The files that options of a git command name. */
export function reportOptionFiles(call: ProgramCall, name: string, args: readonly ShellWord[]): void {
  const readsNext = LISTS_HISTORY.test(name) ? /^-O$/ : name === "grep" ? /^-(?:[fFOXS]|[a-z]+f)$/ : READS_NEXT;
  for (const [index, word] of args.entries()) {
    const text = word.value ?? word.prefix;
    const next = args[index + 1];
    const [, long, value = ""] = /^(--[\w-]+)(?:=(.*))?$/s.exec(text) ?? [];
    const named = long !== undefined && READING_OPTIONS.some((option) => option.startsWith(long)) ? value : undefined;
    const glued = (GLUES[name] ?? READS_FILE).exec(text)?.[1] ?? named;
    if (glued) call.read(literalWord(glued));
    else if ((readsNext.test(text) || named === "") && next) call.read(next);
    // Lines of a file: `-L1,20:src/a.ts`.
    const followed = /^-L.*:(.+)$/s.exec(args[index - 1]?.value === "-L" ? `-L${text}` : text)?.[1];
    if (followed) call.read(literalWord(followed));
    const written = PACKS.test(name) ? WRITES_FILE.exec(text)?.[1] : undefined;
    if (written) call.write(literalWord(written), "create");
    else if (PACKS.test(name) && WRITES_NEXT.test(text) && next) call.write(next, "create");
  }
}
