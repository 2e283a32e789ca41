import { literalWord, type ShellWord } from "../words/shell-word.js";
import { messagesIn } from "./options.js";
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
    if (value === null) call.mayRead(word);
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

/** The places where a path may begin inside a word: glued to a short option, or behind one of these signs. */
const INSIDE = /^-[A-Za-z]+(?=\.{0,2}[/~])|[=,@]/;
/** It leads somewhere else than down from here. */
const LEADS = /^(?:\/|~(?:\/|$))|(?:^|\/)\.\.(?:\/|$)/;
const MAX_LENGTH = 4_000;

/** Reports the words that may be paths and lead out of the workspace, whatever the program does with them. */
export function mentionPlaces(call: ProgramCall, home: string | undefined): void {
  const messages = messagesIn([call.program, ...call.args.map(({ value }) => value)]);
  for (const [index, word] of call.args.entries()) {
    if (call.isReported(word) || messages.has(index + 1)) continue;
    if (word.value === null && word.pattern) call.mayReach(word);
    // A single slash behind an option separates fields, or is where a service begins.
    if (word.value === "/" && call.args[index - 1]?.prefix.startsWith("-")) continue;
    for (const text of [word, ...(word.value === null ? word.guesses.map(literalWord) : [])].flatMap(pathsIn))
      if (LEADS.test(text) || (index < MAX_WORDS && !/\s/.test(text)))
        call.mayReach(literalWord(home ? text.replace(/^~(?=\/|$)/, home) : text));
  }
}

function pathsIn({ value, prefix }: ShellWord): readonly string[] {
  const text = (value ?? (LEADS.test(prefix) ? prefix : "")).slice(0, MAX_LENGTH);
  const pieces = [text, ...text.split(INSIDE)].flatMap((piece) => {
    const [first = "", ...others] = piece.replace(/^file:(?:\/\/(?=\/))?/, "").split(":");
    // Behind a colon may stand a place in a container, but none above this one.
    return [first, ...others.filter((other) => /^(?:\.\.|~)(?:\/|$)/.test(other))];
  });
  const paths = pieces.filter(
    (piece) => piece !== "" && !/^-|^\w+:\/\//.test(piece) && (piece !== "/" || text === "/"),
  );
  return [...new Set(paths)];
}
