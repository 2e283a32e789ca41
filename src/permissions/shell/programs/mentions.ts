import { literalWord } from "../shell-word.js";
import type { ProgramCall } from "./program.js";

const MAX_WORDS = 20;
/** What stands before a file's name in one word: `--env-file=x`, `@x`, `name=@x`. */
const LEAD = /^(?:--?[\w-]+=|[\w-]+=)?@?/;

/** The files that the words of a program may name, when its options are not known: they count for rules that deny. */
export function mentionFiles(call: ProgramCall, args = call.args): void {
  for (const { value } of args.slice(0, MAX_WORDS)) {
    if (value === null || value.length > 1_000 || /\s/.test(value)) continue;
    const [name = ""] = value.replace(LEAD, "").split(":");
    if (name !== "" && !name.startsWith("-")) call.mayRead(literalWord(name));
  }
}
