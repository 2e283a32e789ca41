// Commands that print names of files and nothing else, for what reads them: `find src -name '*.ts' | xargs wc -l`.

import type { Command, ParsedScript, Redirection, SyntaxNode } from "unbash";
import { readWord } from "../words/read-word.js";
import type { ListedNames, ShellWord } from "../words/shell-word.js";
import type { WordScope } from "../words/word-scope.js";
import { namesFromFind } from "./find-names.js";
import { leavesDirectory, namesBelow } from "./found-names.js";

const MAX_WORDS = 60;
/** The names that a program with these words prints; `null` when it may print anything else. */
function namesListed(words: readonly ShellWord[]): ListedNames | null {
  const texts = words.map(({ value }) => value);
  const [program, ...args] = texts;
  if (texts.length > MAX_WORDS) return null;
  if (program === "ls") return fromLs(words.slice(1));
  if (!args.every((text) => text !== null)) return null;
  switch (program) {
    case "find":
      return namesFromFind(words.slice(1));
    case "grep":
      return fromGrep(args);
    case "rg":
      return fromRipgrep(args);
    case "fd":
    case "fdfind":
      return fromFd(args);
    case "git":
      return fromGit(args);
    default:
      return null;
  }
}

/** The rest of a list when these words pass on some of the lines they read; `null` when they do anything else. */
function namesPassed(names: ListedNames, words: readonly ShellWord[]): ListedNames | null {
  if (names.nul) return null;
  const line = words.map(({ value }) => (value === null ? "\n" : /^[^\s-]\S*$/.test(value) ? "x" : value)).join(" ");
  const program = words[0]?.value ?? "";
  if (/^(?:sort|uniq)$/.test(program) && /^x(?: -[ufrVn]+)*$/.test(line)) return names;
  const isCut =
    /^(?:head|tail)$/.test(program) && /^x(?: -\d+| -n(?: -?\d+| x))?$/.test(line) && words.slice(1).every(isCount);
  const isFiltered = /^[ef]?grep$/.test(program) && /^x(?: -[viEFwx]+)* x$/.test(line);
  return isCut || isFiltered ? { ...names, whole: false } : null;
}

function isCount({ value }: ShellWord): boolean {
  return /^(?:-n|-?\d+)$/.test(value ?? "");
}

const LS_WILD = /^(?:\.\/)?(?:[\w@+][\w.@+-]*\/)*[\w@+*?][\w.@+*?-]*$/;

const DIRECTORY = /^(?:\.\/|\/)?[\w@+][\w.@+-]*(?:\/[\w@+][\w.@+-]*)*$/;

/** Without a directory it lists the names where it stands; a wildcard has to be there. */
function fromLs(words: readonly ShellWord[]): ListedNames | null {
  const flags = words.filter(({ value }) => value?.startsWith("-"));
  if (!flags.every(({ value }) => /^-[1trSXUvcud]+$/.test(value!))) return null;
  const namesOnly = flags.some(({ value }) => value!.includes("d"));
  const operands = words.filter((word) => !flags.includes(word));
  const listing = { nul: false, from: "shell", skips: [] } as const;
  if (operands.length === 0) return namesOnly ? null : { ...listing, namesOnly: true, patterns: ["*"] };
  const [only] = operands;
  const directory = operands.length === 1 && !namesOnly ? only!.value?.replace(/\/$/, "") : undefined;
  if (directory && DIRECTORY.test(directory) && !leavesDirectory(directory))
    return { ...listing, namesOnly: true, patterns: [`${directory}/*`], within: directory };
  // The text as written has to show the wildcard: in quotes it is not one.
  const patterns = operands.map(({ raw, pattern, known, vanishes }) =>
    pattern && !vanishes && known === raw && LS_WILD.test(raw) ? raw : null,
  );
  return patterns.every((text) => text !== null) ? { ...listing, namesOnly, patterns } : null;
}

/** The names that `fd` prints, and perhaps more: it leaves out hidden files, and those that git ignores. */
function fromFd(args: readonly string[]): ListedNames | null {
  const operands: string[] = [];
  const extensions: string[] = [];
  let nul = false;
  for (let at = 0; at < args.length; at++) {
    const text = args[at]!;
    if (/^(?:-e|--extension)$/.test(text)) extensions.push(args[++at] ?? "");
    else if (/^(?:-[tdE]|--type|--max-depth|--exclude)$/.test(text)) at++;
    else if (/^-[HIugFsi0]+$|^-[td]\w$|^--(?:hidden|no-ignore|glob)$/.test(text)) nul ||= /^-\w*0/.test(text);
    else if (text.startsWith("-")) return null;
    else operands.push(text);
  }
  const name = extensions.length === 1 && /^\w+$/.test(extensions[0]!) ? `**/*.${extensions[0]}` : "**";
  return namesBelow(operands.slice(1), [name], { nul, from: "disk", skips: [] });
}

function fromGrep(args: readonly string[]): ListedNames | null {
  const flags = args.filter((text) => text.startsWith("-"));
  const [pattern, ...starts] = args.filter((text) => !text.startsWith("-"));
  const isPlain = flags.every((text) =>
    /^-[rlnilwEFPsIx]+Z?$|^--(?:null|(?:in|ex)clude(?:-dir)?=[\w.*-]+)$/.test(text),
  );
  const clusters = flags.filter((text) => !text.startsWith("--")).join("");
  if (!isPlain || pattern === undefined || !clusters.includes("r") || !clusters.includes("l")) return null;
  const includes = flags.flatMap((text) => /^--include=(.*)/.exec(text)?.[1] ?? []);
  const nul = clusters.includes("Z") || flags.includes("--null");
  return namesBelow(starts, [includes.length === 1 ? `**/${includes[0]}` : "**"], { nul, from: "disk", skips: [] });
}

function fromRipgrep(args: readonly string[]): ListedNames | null {
  const operands: string[] = [];
  const globs: string[] = [];
  let lists = false;
  let nul = false;
  const isFiles = args.includes("--files");
  for (let at = 0; at < args.length; at++) {
    const text = args[at]!;
    if (/^(?:-g|--glob)$/.test(text)) globs.push(args[++at] ?? "");
    else if (/^(?:-t|--type)$/.test(text)) at++;
    else if (/^--(?:null|files|files-with-matches|hidden|ignore-case|word-regexp|fixed-strings)$/.test(text)) {
      nul ||= text === "--null";
      lists ||= text === "--files" || text === "--files-with-matches";
    } else if (/^-[liFwSsPU0]+$/.test(text)) {
      nul ||= text.includes("0");
      lists ||= text.includes("l");
    } else if (text.startsWith("-")) return null;
    else operands.push(text);
  }
  if (!lists || (!isFiles && operands.length === 0)) return null;
  const name = globs.length === 1 && /^[\w.*-]+$/.test(globs[0]!) ? `**/${globs[0]}` : "**";
  return namesBelow(isFiles ? operands : operands.slice(1), [name], { nul, from: "disk", skips: [] });
}

function fromGit([command, ...args]: readonly string[]): ListedNames | null {
  switch (command) {
    case "ls-files":
      return fromIndex(args, /^(?:-[zc]|--cached)$/, {});
    case "diff":
      // Without a revision it compares with the index, so a name that only some commit holds is not listed.
      return args.includes("--name-only")
        ? fromIndex(args, /^(?:-z|--name-only|--diff-filter=[A-Za-z]+)$/, { fromRoot: true })
        : null;
    default:
      return null;
  }
}

function fromIndex(
  args: readonly string[],
  option: RegExp,
  { fromRoot }: Pick<ListedNames, "fromRoot">,
): ListedNames | null {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const specs = args.filter((text, at) => at > end || (at < end && !option.test(text)));
  // Before the dashes it may be a revision.
  if (fromRoot && args.slice(0, end).some((text) => !option.test(text))) return null;
  if (specs.some((text) => !/^[\w.*/@+][\w.*/@+-]*$/.test(text))) return null;
  if (specs.some((text) => text.startsWith("/") || leavesDirectory(text))) return null;
  const [only = "", ...more] = specs;
  // The wildcards of git cross directories, so only what stands behind the last slash says something of the name, and
  // before it of the directory it lies below.
  const [, start, name] = (more.length === 0 && /^(?:([\w@+][\w.@+/-]*)\/)?(\*[\w.-]+)$/.exec(only)) || [];
  const isName = name !== undefined && start === undefined;
  const whole = !fromRoot && (isName || specs.length === 0);
  const isPlain = specs.every((text) => !text.includes("*"));
  // The printed names begin at the root, the words do not.
  const starts = fromRoot ? [] : start !== undefined ? [start] : isPlain ? specs : [];
  return namesBelow(starts, [name !== undefined && (isName || !fromRoot) ? `**/${name}` : "**"], {
    nul: args.slice(0, end).includes("-z"),
    from: "index",
    skips: [],
    ...(whole && { whole }),
    ...(fromRoot && { fromRoot }),
  });
}

// ── names of files that one command hands to another: through a pipe, as words, or line by line ──────────────────────

/** The names a command in a pipe hands to the next one: those it lists, or some of those it reads. */
export function namesPrinted(node: SyntaxNode, before: ListedNames | null, scope: WordScope): ListedNames | null {
  if (node.type !== "Command" || node.prefix.length > 0 || !node.name) return null;
  if (!node.redirects.every(isSilencing)) return null;
  if (node.suffix.some(({ type }) => type === "Assignment")) return null;
  const parts = [node.name, ...node.suffix];
  const words = parts.flatMap((part) => (part.type === "Word" ? readWord(part, scope) : []));
  const name = words[0]?.value ?? null;
  if (name === null || scope.isFunction(name)) return null;
  const passed = before && namesPassed(before, words);
  if (passed) return passed;
  const names = namesListed(words);
  return names && { ...names, at: scope.directories };
}

/** The names a script prints that does nothing else. */
function namesOfScript({ commands }: ParsedScript, scope: WordScope): ListedNames | null {
  const [statement, ...others] = commands;
  if (!statement || others.length > 0 || statement.background) return null;
  const node = statement.command;
  if (node.type === "Pipeline" && (node.prefixes.length > 0 || node.operators.includes("|&"))) return null;
  let names: ListedNames | null = null;
  for (const each of node.type === "Pipeline" ? node.commands : [node]) names = namesPrinted(each, names, scope);
  return names;
}

/** The names that become words of a command when this script stands among them. */
export function namesAsWords(script: ParsedScript, scope: WordScope): ListedNames | null {
  const names = scope.mayResplit ? null : namesOfScript(script, scope);
  return names === null || names.nul ? null : { ...names, expands: true };
}

/** `2>/dev/null` */
function isSilencing(redirect: Redirection): boolean {
  const { type, operator, descriptor } = redirect;
  const isErrors = descriptor?.type === "FileDescriptor" && descriptor.value === 2;
  return type === "Redirect" && operator === ">" && isErrors && redirect.target?.text === "/dev/null";
}

/** `xargs` itself, in the directory of the pipe. */
export function isPlainXargs(node: SyntaxNode): boolean {
  return node.type === "Command" && (node as Command).prefix.length === 0 && (node as Command).name?.text === "xargs";
}
