import { literalWord } from "../words/shell-word.js";
import type { ProgramCall } from "./program-call.js";

const MAX_WORDS = 100;
/** Text before a file's name in one word: `--env-file=x`, `@x`, `name=@x`. */
const LEAD = /^(?:--?[\w-]+=|[\w-]+=)?@?/;
/** Options by which tools change the files they are given, or put something there. */
const WRITING = /^(?:-[iwo]|-i\..*|-pi.*|--(?:write|fix|in-?place|out\w*|output[\w-]*|dest|apply)(?:=.*)?|-o.+)$/i;
const FORMATTERS = /^(?:black|isort|yapf|autopep8|autoflake|rustfmt|dos2unix|unix2dos|mktemp|patch)$/;

/** The files that the words of a program may name, when its options are not known: they count for rules that deny. */
export function mentionFiles(call: ProgramCall, args = call.args): void {
  const writes = FORMATTERS.test(call.program) || args.some(({ value }) => WRITING.test(value ?? ""));
  for (const word of args.slice(0, MAX_WORDS)) {
    const { value } = word;
    // The files its wildcards match.
    if (value === null && word.pattern) call.mayRead(word);
    if (value === null || value.length > 1_000 || /\s/.test(value)) continue;
    mentionFile(call, value.replace(LEAD, "").split(":")[0]!, writes);
  }
}

/** One of them. `writes`: it may also be changed. */
export function mentionFile(call: ProgramCall, name: string, writes: boolean): void {
  if (name === "" || name.startsWith("-")) return;
  const word = literalWord(name);
  call.mayRead(word);
  if (writes) call.mayWrite(word, true);
}
