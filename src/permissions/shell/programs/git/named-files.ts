// The files that the words of a git command name.
import { messagesIn } from "../../invocation/messages.js";
import type { ProgramCall } from "../../invocation/program.js";
import { literalWord, type ShellWord, unknownWord } from "../../words/shell-word.js";

/** Commands that show what files hold, now or in an earlier state. */
const SHOWS =
  /^(?:stash|diff|diff-\w+|difftool|log|reflog|whatchanged|show|blame|annotate|grep|cat-file|hash-object|archive|format-patch)$/;
const TAKES = /^(?:add|stage|commit|rm|mv|checkout|restore|apply|am|rev-list)$/;
/** They print the names of files, and nothing of what is in them. */
const NAMES = /^(?:ls-files|check-ignore)$/;
const CHANGES = /^(?:mv|rm|checkout|restore|apply)$/;
const READS_FILE = /^-[OX](.+)$/s;
/** In these commands others do. */
const GLUES: Readonly<Record<string, RegExp>> = { grep: /^-[a-zA-NP-Z]*?f(.+)$/s, blame: /^-[a-z]*?S(.+)$/s };
const READS_NEXT = /^-[fFOXS]$/;
/** Of these options only `-O` names a file to them. */
const LISTS_HISTORY = /^(?:log|shortlog|diff|show)$/;
/** The long options whose value is a file; each may be abbreviated. */
const READING_OPTIONS =
  "--contents --exclude-from --exclude-per-directory --ignore-revs-file --pathspec-from-file --file".split(" ");
/** Of these options the next word is a text. */
const TAKES_TEXT = /^-(?:[SGen]|-(?:author|committer|grep|since|until|after|before|format))$/;
const WRITES_NEXT = /^(?:-o|--output|--output-directory)$/;

/** Whether `git apply` leaves the files alone. */
function onlyLooks(args: readonly ShellWord[]): boolean {
  const is = (pattern: RegExp) => args.some(({ prefix }) => pattern.test(prefix));
  return is(/^--(?:check|stat|numstat|summary)$/) && !is(/^--ap/);
}

/** The files that the words of a command name: `src/a.ts`, `HEAD~1:src/a.ts`, `-- src`. */
export function reportFiles(call: ProgramCall, name: string, args: readonly ShellWord[]): void {
  const readsNext = LISTS_HISTORY.test(name) ? /^-O$/ : READS_NEXT;
  const dashes = args.findIndex(({ value }) => value === "--");
  const end = dashes === -1 ? args.length : dashes;
  if (name === "am" || (name === "apply" && !onlyLooks(args))) call.unpacks(literalWord("."));
  const pattern =
    name === "grep" && !args.some(({ prefix }) => /^-(?:[ef]|-and)/.test(prefix))
      ? args.findIndex(({ prefix }) => !prefix.startsWith("-"))
      : -1;
  const messages = messagesIn(["git", name, ...args.map(({ value }) => value)]);
  for (const [index, word] of args.entries()) {
    const text = word.value ?? word.prefix;
    const next = args[index + 1];
    const directory = /^--directory=(.+)$/s.exec(text)?.[1];
    if (directory && CHANGES.test(name)) call.mayWrite(literalWord(directory));
    const [, long, value = ""] = /^(--[\w-]+)(?:=(.*))?$/s.exec(text) ?? [];
    const named = long !== undefined && READING_OPTIONS.some((option) => option.startsWith(long)) ? value : undefined;
    const glued = (GLUES[name] ?? READS_FILE).exec(text)?.[1] ?? named;
    // Lines of a file: `-L1,20:src/a.ts`.
    const followed = /^-L.*:(.+)$/s.exec(args[index - 1]?.value === "-L" ? `-L${text}` : text)?.[1];
    if (followed) call.read(literalWord(followed));
    if (glued) call.read(literalWord(glued));
    else if ((readsNext.test(text) || (name === "grep" && /^-[a-z]+f$/.test(text)) || named === "") && next)
      call.read(next);
    if (/^(?:archive|format-patch)$/.test(name)) {
      const written = /^(?:-o|--output(?:-directory)?=)(.+)$/s.exec(text)?.[1];
      if (written) call.write(literalWord(written), "create");
      else if (WRITES_NEXT.test(text) && next) call.write(next, "create");
    }
    if (text.startsWith("-") || isLineRange(name, args[index - 1])) continue;
    if (messages.has(index + 2)) continue;
    const [, magic, pathspec] = /^:(\([^)]*\)|[/!^]+)(.+)$/s.exec(text) ?? [];
    if (pathspec !== undefined) {
      // From the top of the repository, or with other wildcards: its text is compared with what rules name.
      if (SHOWS.test(name) && !/[!^]|exclude/.test(magic!)) call.read(literalWord(pathspec));
      else call.mayRead(literalWord(pathspec));
      if (CHANGES.test(name)) call.mayWrite(literalWord(pathspec));
    }
    if (/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(word.raw)) call.read(word);
    else if (word.value === null && !word.pattern) readShown(call, name, word);
    else if (SHOWS.test(name)) {
      const shown = /^[^:]*:(?!\/)(.+)$/s.exec(text)?.[1];
      if (shown !== undefined && (name !== "grep" || text.startsWith(":"))) call.read(literalWord(shown));
      // Whatever is no commit is a file.
      else if (index > end || !(index === pattern || TAKES_TEXT.test(args[index - 1]?.value ?? "")))
        for (const each of matching(word)) call.read(each);
      else call.mayRead(word);
    } else if (NAMES.test(name)) call.read(word, { only: "names" });
    else if (TAKES.test(name)) call.mayRead(word);
    if (CHANGES.test(name)) call.mayWrite(word);
  }
  if (name === "diff" && args.some(({ value }) => value === "--no-index")) {
    for (const word of args) if (!word.prefix.startsWith("-")) call.read(word, { recursive: true });
  }
}

/** `-L '/^main/,+20'`: lines that `blame` shows, and where they begin. */
function isLineRange(name: string, before: ShellWord | undefined): boolean {
  return /^(?:blame|annotate)$/.test(name) && before?.value === "-L";
}

/** A file of a commit whose name is known only at run time: `$(git merge-base main HEAD):src/a.ts`. */
function readShown(call: ProgramCall, name: string, { raw, guesses, complete }: ShellWord): void {
  if (!SHOWS.test(name) || name === "grep") return;
  const texts = complete ? guesses : raw.includes(":") ? [raw.replace(/["']$/, "")] : [];
  for (const text of texts) {
    const file = /^[^:]*:(?!\/)(.+)$/s.exec(complete ? text : text.slice(text.lastIndexOf(":")))?.[1];
    if (file === undefined && !text.includes(":")) continue;
    call.read(file !== undefined && (complete || /^[\w./@+-]+$/.test(file)) ? literalWord(file) : unknownWord(raw));
  }
}

/** Git matches wildcards that the shell does not, also with the dot in front of a name. */
function matching(word: ShellWord): ShellWord[] {
  const text = word.value ?? "";
  if (!WILDCARD.test(text)) return [word];
  const [, directory = "", name = ""] = /^(.*\/)?(.*)$/s.exec(text)!;
  const rest = name.replace(/^(?:[*?]+|\[[^\]]*\])/, "");
  const hidden = rest === name ? [] : [`.${rest}`, rest].filter((each) => /^\../.test(each));
  return [name, ...hidden].map((each) => matched(directory + each));
}

const WILDCARD = /[*?[]/;

function matched(text: string): ShellWord {
  return WILDCARD.test(text) ? { ...unknownWord(text), known: text, pattern: true, splits: false } : literalWord(text);
}
