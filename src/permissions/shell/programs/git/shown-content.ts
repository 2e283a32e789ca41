// The content of tracked files that git shows without a word that names them: `git diff`, `git log -p`, `git archive HEAD`.
import { longPattern } from "../../../long-pattern.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { edited, type ShellWord } from "../../words/shell-word.js";

/** They print, or pack, what files hold. */
const SHOWS = /^(?:diff|difftool|show|range-diff|archive|bundle|format-patch|fast-export|send-email)$/;
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
/** Of `git grep`: only the names of files, or how often. */
const COUNTS = /^(?:-[inwEFGPvIrahH]*[lLcq]|--(?:files-with(?:out)?-match\w*|name-only|count|quiet))$/;
/** Begins elsewhere, or leaves something out. */
const MAGIC = /^:(?:[!^/]|\()/;

/** Whether a git command with these options shows what files hold. */
export function showsContent(name: string, args: readonly ShellWord[], options: readonly string[]): boolean {
  const has = (pattern: RegExp) => options.some((option) => pattern.test(option));
  if (name === "grep") return !has(COUNTS);
  if (name === "cat-file" && args[0]?.value === "blob") return true;
  if (SHOWS.test(name)) return has(PATCH) || !has(NO_PATCH);
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
