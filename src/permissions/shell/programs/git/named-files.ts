// The files that the words of a git command name, its options included.
import { longPattern } from "../../../long-pattern.js";
import { messagesIn } from "../../invocation/options.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { edited, literalWord, type ShellWord, unknownWord } from "../../words/shell-word.js";

/** Commands that show what files hold, now or in an earlier state. */
const SHOWS = longPattern`^(?:stash|diff|diff-\w+|difftool|log|reflog|whatchanged|show|blame|annotate|grep|cat-file|
  hash-object|archive|format-patch)$`;
const TAKES = /^(?:add|stage|commit|rm|mv|checkout|restore|apply|am|rev-list)$/;
/** They print the names of files, and nothing of what is in them. */
const NAMES = /^(?:ls-files|check-ignore)$/;
const CHANGES = /^(?:mv|rm|checkout|restore|apply)$/;
/** The options whose next word is a text. */
const TAKES_TEXT = /^-(?:[SGen]|-(?:author|committer|grep|since|until|after|before|format))$/;

/** The file within an option's own word: `-Oorder.txt`; some commands of others take it, too. */
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
/** The commands to which only `-O` names a file, of these options. */
const LISTS_HISTORY = /^(?:log|shortlog|diff|show)$/;
/** The long options whose value is a file; each may be abbreviated. */
const READING_OPTIONS =
  "--contents --exclude-from --exclude-per-directory --ignore-revs-file --pathspec-from-file --file".split(" ");
const PACKS = /^(?:archive|format-patch)$/;
const WRITES_FILE = /^(?:-o|--output(?:-directory)?=)(.+)$/s;
const WRITES_NEXT = /^(?:-o|--output|--output-directory)$/;

/** Whether `git apply` leaves the files alone. */
function onlyLooks(args: readonly ShellWord[]): boolean {
  const is = (pattern: RegExp) => args.some(({ prefix }) => pattern.test(prefix));
  return is(/^--(?:check|stat|numstat|summary)$/) && !is(/^--ap/);
}

/** The files that the words of a command name: `src/a.ts`, `HEAD~1:src/a.ts`, `-- src`. */
export function reportFiles(call: ProgramCall, name: string, args: readonly ShellWord[]): void {
  if (name === "am" || (name === "apply" && !onlyLooks(args))) call.unpacks(literalWord("."));
  reportOptionFiles(call, name, args);
  const dashes = args.findIndex(({ value }) => value === "--");
  const messages = messagesIn(["git", name, ...args.map(({ value }) => value)]);
  const pattern = name === "grep" ? patternIn(args) : -1;
  for (const [index, word] of args.entries()) {
    const text = word.value ?? word.prefix;
    const before = args[index - 1]?.value ?? "";
    const directory = /^--directory=(.+)$/s.exec(text)?.[1];
    if (directory && CHANGES.test(name)) call.mayWrite(literalWord(directory));
    const isLineRange = before === "-L" && /^(?:blame|annotate)$/.test(name);
    if (text.startsWith("-") || isLineRange || messages.has(index + 2)) continue;
    reportMagic(call, name, text);
    const isText = (dashes === -1 || index < dashes) && (index === pattern || TAKES_TEXT.test(before));
    // An unknown word may name all of it.
    const isAny = /^(?:add|stage)$/.test(name) && word.known === null && !word.complete && !word.listed;
    if (TAKES.test(name)) call.mayRead(isAny ? literalWord(".") : word, { recursive: isAny });
    if (/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(word.raw)) call.read(word);
    else if (word.value === null && !word.pattern) readShown(call, name, word);
    else if (NAMES.test(name)) call.read(word, { only: "names" });
    else if (SHOWS.test(name) && !isText) readWord(call, name, word);
    else if (SHOWS.test(name)) call.mayRead(word);
    if (CHANGES.test(name)) call.mayWrite(word);
  }
  if (name === "diff" && args.some(({ value }) => value === "--no-index")) {
    for (const word of args) if (!word.prefix.startsWith("-")) call.read(word, { recursive: true });
  }
}

/** The files that options of a git command name. */
function reportOptionFiles(call: ProgramCall, name: string, args: readonly ShellWord[]): void {
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

/** The index of the word that is `git grep`'s pattern, if no option gives one. */
function patternIn(args: readonly ShellWord[]): number {
  if (args.some(({ prefix }) => /^-(?:[ef]|-and)/.test(prefix))) return -1;
  return args.findIndex(({ prefix }) => !prefix.startsWith("-"));
}

/** `:/src`, `:(top)src`, `:!src`: from the top of the repository, or with other wildcards. */
function reportMagic(call: ProgramCall, name: string, text: string): void {
  const [, magic, path] = /^:(\([^)]*\)|[/!^]+)(.+)$/s.exec(text) ?? [];
  if (path === undefined) return;
  if (SHOWS.test(name) && !/[!^]|exclude/.test(magic!)) call.read(literalWord(path));
  else call.mayRead(literalWord(path));
  if (CHANGES.test(name)) call.mayWrite(literalWord(path));
}

/** A file, unless it is a commit: `HEAD~1:src/a.ts`, `src/a.ts`, `"*.ts"`. */
function readWord(call: ProgramCall, name: string, word: ShellWord): void {
  const text = word.value ?? word.prefix;
  const shown = name === "grep" && !text.startsWith(":") ? undefined : /^[^:]*:(?!\/)(.+)$/s.exec(text)?.[1];
  for (const each of shown === undefined ? matching(word) : [literalWord(shown)]) call.read(each);
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

// ── the content of tracked files that git shows without a word that names them: `git diff`, `git log -p` ─────────────

/** They print, or pack, what files hold. */
const SHOWS_CONTENT = /^(?:diff|difftool|show|range-diff|archive|bundle|format-patch|fast-export|send-email)$/;
/** They do where they show patches. */
const SHOWS_PATCHES = /^(?:log|reflog|stash (?:show|list)|whatchanged|diff-\w+)$/;
const PATCH = longPattern`^(?:-[pcmWu]|-U\d*|--(?:patch|unified|color-words|word-diff|function-context|remerge-diff|dd|
  cc|diff-merges|binary|full-index)\b.*)$`;
const NO_PATCH = longPattern`^(?:-s|--(?:no-patch|stat|numstat|shortstat|dirstat|summary|name-only|name-status|raw|
  quiet|check|compact-summary)\b.*)$`;
/** Others do with one of these. */
const SHOWS_BY_OPTION: readonly (readonly [name: RegExp, option: RegExp])[] = [
  [/^(?:add|stage|checkout|reset|restore|commit|stash)$/, /^(?:-p|--patch|--interactive)$/],
  [/^status$/, /^(?:-v+|--verbose)$/],
  [/^(?:rebase|am)$/, /^--show-cu\S*$/],
  [/^cat-file$/, /^(?:-p|--(?:batch|batch-command|textconv|filters))$/],
];
/** The options of `git grep` that print only names of files, or counts. */
const COUNTS = /^(?:-[inwEFGPvIrahH]*[lLcq]|--(?:files-with(?:out)?-match\w*|name-only|count|quiet))$/;
/** Begins elsewhere, or leaves something out. */
const MAGIC = /^:(?:[!^/]|\()/;

/** Whether a git command with these options shows what files hold. */
export function showsContent(name: string, args: readonly ShellWord[], options: readonly string[]): boolean {
  const has = (pattern: RegExp) => options.some((option) => pattern.test(option));
  if (name === "grep") return !has(COUNTS);
  if (name === "cat-file" && args[0]?.value === "blob") return true;
  if (SHOWS_CONTENT.test(name)) return has(PATCH) || !has(NO_PATCH);
  if (SHOWS_BY_OPTION.some(([names, option]) => names.test(name) && has(option))) return true;
  return SHOWS_PATCHES.test(name === "stash" ? `stash ${args[0]?.value}` : name) && has(PATCH);
}

/** Its words, of them those that are no options and stand before `--`, and where it stands. */
interface GitWords {
  readonly args: readonly ShellWord[];
  readonly operands: readonly ShellWord[];
  readonly directory: ShellWord;
}

/** Reports the tracked files that its words leave: a part of the repository, where they name one that is there, or else all. */
export function reportTracked(call: ProgramCall, name: string, { args, operands, directory }: GitWords): void {
  const dashes = args.findIndex(({ value }) => value === "--");
  const paths = dashes === -1 ? [] : args.slice(dashes + 1);
  // `HEAD:src/a.ts` is a file.
  const objects = operands.filter(({ value }) => name !== "cat-file" || value !== "blob");
  const areFiles = objects.length > 0 && objects.every(({ value }) => /^[^:]+:./.test(value ?? ""));
  if (areFiles && /^(?:show|cat-file)$/.test(name)) return;
  const bringsPattern = args.some(({ prefix }) => /^-(?:[ef]|-and)/.test(prefix));
  // The first is what it looks for, or what is done with the stash.
  const isOther = name === "stash" || (name === "grep" && !bringsPattern);
  const named = paths.length > 0 ? paths : operands.slice(isOther ? 1 : 0);
  for (const word of named) {
    call.mayRead(
      edited(word, (path) => below(directory, path)),
      { recursive: true, tracked: "below" },
    );
  }
  if (paths.length === 0 || paths.some(({ value }) => value === null || MAGIC.test(value)))
    call.mayRead(directory, { recursive: true, tracked: "all" });
}

function below({ value }: ShellWord, path: string): string {
  return value === null || value === "." || /^[/~]/.test(path) ? path : `${value}/${path}`;
}
