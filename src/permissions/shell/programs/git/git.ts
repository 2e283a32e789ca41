import { longPattern, patternWith } from "../../../long-pattern.js";
import { hostInUrl } from "../../invocation/hosts.js";
import { optionsOf, parseOptions } from "../../invocation/options.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { reportInvocation } from "../../invocation/report-invocation.js";
import { edited, literalWord, type ShellWord, textOfWords, unknownWord } from "../../words/shell-word.js";
import type { ProgramRow } from "../program-row.js";
import { does } from "../reach.js";
import { GIT_DESTROYS } from "./destructive-git.js";
import { reportFiles, reportTracked, showsContent } from "./named-files.js";
import { GIT_READERS } from "./readers.js";
import { GIT_RUNNERS, GIT_WRITERS } from "./writers.js";

const CONNECTS =
  /^(?:push|fetch|pull|clone|ls-remote|submodule (?:add|update)|remote (?:prune|update|show(?! -n)))(?= |$)/;
const SOURCE = "git 2.39 manual";
const GLOBAL_FLAGS =
  /^(-p|-P|--paginate|--no-pager|--no-optional-locks|--literal-pathspecs|--no-replace-objects|--icase-pathspecs)$/;
const GLOBAL_VALUES = /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--super-prefix|--config-env)$/;

/** Settings that change how git prints, who is named as the author, and what it does without starting anything. */
const HARMLESS_SETTING = patternWith("i")`^(?:(?:color|advice|column)\.\w+(?:\.\w+)?|log\.(?:abbrevcommit|date|
  decorate)|status\.(?:branch|relativepaths|short|showuntrackedfiles)|core\.(?:quotepath|abbrev|autocrlf|eol|ignorecase|
  preloadindex)|diff\.(?:algorithm|colormoved|context|indentheuristic|mnemonicprefix|noprefix|renames|renamelimit|
  suppressblankempty|wserrorhighlight)|user\.(?:name|email)|init\.defaultbranch|push\.(?:default|autosetupremote)|
  pull\.(?:rebase|ff)|merge\.(?:conflictstyle|ff|renamelimit)|rebase\.(?:autosquash|autostash)|fetch\.(?:parallel|
  prune)|protocol\.version)=(?!.*\n).*$|^(?:(?:commit|tag)\.gpgsign=false|credential\.helper=|
  submodule\.recurse=false)$`;

export const GIT_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  git: does({ writes: "named", runs: "named", connects: "named" }, SOURCE, {
    anyOptions: true,
    globals: "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env",
    aliases: { "stash push": "stash", stage: "add", "send-pack": "push", "http-push": "push" },
    destroys: GIT_DESTROYS,
    repeatable: ["add", "commit", "fetch", "pull", "merge"],
    analyze: (call) => analyzeGit(call),
  }),
};

function analyzeGit(call: ProgramCall): void {
  const args = [...call.args];
  let trusted = true;
  let directory: ShellWord | undefined;
  let isSent = false;
  for (let word = args[0]; word?.prefix.startsWith("-"); word = args[0]) {
    args.shift();
    const text = word.value;
    if (text === null) {
      call.doubt("option", 'an option of "git" is not known before it runs');
      return;
    }
    // `--help log` opens a page.
    if (/^(--version|--help|-h|-v|--html-path|--man-path|--info-path|--exec-path)$/.test(text) && args.length === 0) {
      call.onlyReads();
      return;
    }
    if (GLOBAL_FLAGS.test(text)) continue;
    if (text === "-c" && HARMLESS_SETTING.test(args[0]?.value ?? "")) {
      args.shift();
      continue;
    }
    if (text === "-C" && args[0] && call.isHere(args[0])) {
      args.shift();
      continue;
    }
    if (text === "-C" && directory === undefined && args[0]?.value) {
      directory = args.shift()!;
      call.loads(directory);
      continue;
    }
    trusted = false;
    const equals = text.indexOf("=");
    const name = equals === -1 ? text : text.slice(0, equals);
    if (!GLOBAL_VALUES.test(name)) {
      if (text !== "--bare") {
        call.doubt("option", `"${text}" is not a known option of "git"`);
        return;
      }
      call.doubt("option", '"--bare" makes "git" take its settings from the current directory');
      continue;
    }
    const value = equals === -1 ? args.shift() : literalWord(text.slice(equals + 1));
    if (value) reportGlobalOption(call, name, value);
    isSent ||= name === "-C" || name === "--git-dir" || name === "--work-tree";
    // From a directory that it was sent to before, another one is not followed.
    if (isSent) call.standsIn(directory || name !== "-C" ? unknownUnless(value, directory) : value);
  }
  if (!isSent) call.standsIn(directory);
  const [subcommand, ...rest] = args;
  if (!subcommand) return;
  if (subcommand.value === null) {
    call.doubt("option", 'the command of "git" is not known before it runs');
    return;
  }
  reportSubcommand(call, subcommand.value, rest, { trusted, directory });
}

/** A repository by its own directory, `x/.git`. */
function unknownUnless(value: ShellWord | undefined, directory: ShellWord | undefined): ShellWord {
  const isPlain = directory === undefined && value?.value != null && /(?:^|\/)\.git\/?$/.test(value.value);
  return isPlain ? edited(value, (text) => text.replace(/\/?\.git\/?$/, "") || ".") : unknownWord(value?.raw ?? "");
}

function reportGlobalOption(call: ProgramCall, name: string, value: ShellWord): void {
  if (name === "-C" || name === "--work-tree" || name === "--git-dir") call.loads(value);
  if (name === "-C" || name === "--namespace" || name === "--super-prefix") return;
  call.doubt("option", `"${name}" can make "git" run other programs`);
  const command = /^[^=]*=!?(.*)$/s.exec(value.value ?? "")?.[1];
  if (name === "-c" && command) call.script(literalWord(command));
  const alias = /^alias\.[^=]*=(?!!)(.*)$/is.exec(value.value ?? "")?.[1];
  if (alias) call.script(literalWord(`git ${alias}`), { impliedByParent: true });
}

/** The start of git: whether it has no other settings than those of a repository, and its directory. */
interface Start {
  readonly trusted: boolean;
  readonly directory: ShellWord | undefined;
}

function reportSubcommand(call: ProgramCall, name: string, args: readonly ShellWord[], start: Start): void {
  const operands = args.filter(({ prefix }) => !prefix.startsWith("-"));
  const text = (index: number) => operands[index]?.value ?? "";
  const words = `${name} ${textOfWords(args)}`;
  reportOptions(call, name, args, start.trusted);
  if (name === "submodule" && text(0) === "foreach") {
    const rest = args.slice(args.indexOf(operands[0]!) + 1);
    const command = rest.filter(({ value }) => !/^(--recursive|-q|--quiet)$/.test(value ?? ""));
    runs(call, "submodule foreach", command);
  } else if (name === "bisect" && text(0) === "run") {
    call.doubt("option", '"bisect run" makes "git" run another program');
    call.start(args.slice(args.indexOf(operands[0]!) + 1));
  }
  if (SERVES.test(name)) call.doubt("option", `"git ${name}" prints passwords or serves other programs`);
  else if (!isGitCommand(name)) call.doubt("option", `"${name}" is not a known command of "git"`);
  reportFiles(call, name, start.directory ? args.map((word) => below(start.directory!, word)) : args);
  if (/^(push|fetch|pull|clone|remote|submodule|ls-remote)$/.test(name)) {
    const url = args.find(({ value }) => /:|\/\//.test(value ?? ""))?.value;
    if (CONNECTS.test(words)) call.network(url ? hostInUrl(url) : null);
    if (url && /^ext::|^(?!\w+:\/\/)[\w-]+::/.test(url))
      call.doubt("option", `"${url}" makes "git" run another program`);
  }
  const created = name === "clone" ? operands[1] : name === "init" ? operands[0] : undefined;
  if (created) call.write(created, "create");
  if (/^(?:worktree add|bundle create)$/.test(`${name} ${text(0)}`)) {
    // The name of a new branch may stand before it.
    for (const operand of operands.slice(1, 3)) if (/^[/~.]/.test(operand.raw)) call.write(operand, "create");
  }
  if (name === "config") reportSetting(call, args);
  const takesAll = TAKES_ALL.test(words) && operands.length <= (name === "stash" ? 1 : 0);
  if (takesAll || TAKES_FROM_TOP.test(words)) call.mayRead(start.directory ?? literalWord("."), { recursive: true });
  const parsed = Object.hasOwn(READERS, name) ? parseOptions(READERS[name]!, beforeDashes(args)) : null;
  const options = parsed?.options.map((option) => option.name) ?? beforeDashes(args).map(({ prefix }) => prefix);
  if (showsContent(name, args, options)) {
    const directory = start.directory ?? literalWord(".");
    reportTracked(call, name, { args, operands: parsed?.operands ?? [], directory });
  }
  if (READS_NAMED_IN_INPUT.test(words)) call.read(unknownWord("-"));
  if (Object.hasOwn(GIT_READERS, name)) reportReader(call, name, args, start);
}

/** Options by which files that are not yet in the index go in, too. */
const TAKES_ALL =
  /^(?:(?:add|stage) (?:.* )?(?:-[a-zA-Z]*A|--al?l?(?: |$))|stash (?:.* )?(?:-[a-z]*[au]|--al?l?(?: |$)|--include-u))/;
/** The same, by a pathspec or a list of them: all but what `:!x` leaves out. */
const TAKES_FROM_TOP = longPattern`^(?:add|stage) (?:(?:.* )?(?::(?:\/|\([^)]*\))?[*.]*(?: |$)|--pathspec-fr)|
  (?:-\S* )*(?::(?:[!^]|\([^)]*exclude)\S* ?)+$)`;
/** The names of what they read come from their input. */
const READS_NAMED_IN_INPUT = /^(?:hash-object .*--stdin-p|update-index .*--stdin)/;
/**
 * Commands without a row that change the repository and its working tree, and nothing elsewhere.
 */
const STAYS: ReadonlySet<string> = new Set(
  `stage bundle format-patch fsck prune prune-packed pack-refs repack rerere replace update-ref update-index read-tree
    write-tree commit-tree mktree mktag hash-object merge-file merge-tree stripspace patch-id column verify-commit
    verify-tag verify-pack whatchanged request-pull maintenance hook lfs flow subtree gui citool filter-repo
    unpack-objects get-tar-commit-id show-index`.split(/\s+/),
);
const SERVES = /^(?:credential.*|shell|cvsserver|http-backend|upload-\w+|receive-pack)$/;

/** Whether git has a command of that name, which is a program of its own as well: `git-push`. */
export function isGitCommand(name: string): boolean {
  const rows = [GIT_READERS, GIT_WRITERS, GIT_RUNNERS];
  return SERVES.test(name) || STAYS.has(name) || rows.some((each) => Object.hasOwn(each, name));
}

/** The readers of commands; where a command also changes things, its changing options were looked at before. */
const READERS = Object.fromEntries(
  Object.entries(GIT_READERS).map(([name, row]) => [
    name,
    Object.hasOwn(GIT_WRITERS, name) ? { ...row, anyOptions: true } : row,
  ]),
);

function reportReader(
  call: ProgramCall,
  name: string,
  args: readonly ShellWord[],
  { trusted, directory }: Start,
): void {
  const own = { ...call, program: `git ${name}`, args };
  const compared = name === "diff" ? filesCompared(args) : [];
  for (const file of compared) call.read(below(directory ?? literalWord("."), file));
  // Settings of another repository may name programs.
  const onlyReads = () => {
    if (!trusted) return;
    if (directory === undefined && call.isHome && compared.length === 0) call.onlyReads();
    else call.onlyReadsInRepository(directory);
  };
  reportInvocation(READERS[name]!, { ...own, onlyReads });
}

/** Two words that may be files git does not know: `diff` compares such outside of a repository. */
function filesCompared(args: readonly ShellWord[]): readonly ShellWord[] {
  const dashes = args.findIndex(({ value }) => value === "--");
  const { operands } = parseOptions(READERS.diff!, beforeDashes(args));
  const files = dashes === -1 ? operands : operands.length === 0 ? args.slice(dashes + 1) : [];
  return files.length === 2 ? files : [];
}

function beforeDashes(args: readonly ShellWord[]): readonly ShellWord[] {
  const dashes = args.findIndex(({ value }) => value === "--");
  return dashes === -1 ? args : args.slice(0, dashes);
}

/** A word as a path from the directory of `-C`. */
function below(directory: ShellWord, word: ShellWord): ShellWord {
  const isPlain = word.value !== null && /^[^-/~]/.test(word.value) && directory.value !== null;
  return isPlain ? literalWord(`${directory.value}/${word.value}`) : word;
}

/** Settings whose value git runs, or that make it read further settings. */
const RUNNING_SETTING = patternWith("i")`^(?:alias\.|include|pager\.|(?:core\.(?:pager|editor|sshcommand|fsmonitor|
  hookspath|askpass|gitproxy|attributesfile|alternaterefscommand|worktree))$|sequence\.editor|gpg\.|credential\.|
  filter\.|diff\.(?:external|.*\.(?:command|textconv))|merge\..*\.driver|(?:diff|merge)tool\.|browser\.|man\.|web\.|
  interactive\.difffilter|uploadpack\.|receive\.|url\.|protocol\.|remote\..*\.(?:uploadpack|receivepack|vcs|proxy)|
  submodule\..*\.update|tar\.|trailer\.|sendemail\.|instaweb\.|init\.templatedir|http\.(?:.*\.)?proxy|guitool\.|
  imap\.tunnel)`;

/** To set what git runs is to run it later. */
function reportSetting(call: ProgramCall, args: readonly ShellWord[]): void {
  if (args.some(({ value }) => /^(?:-e|--edit|edit)$/.test(value ?? ""))) {
    call.doubt("option", '"--edit" makes "git config" open an editor on its settings');
  }
  const at = args.findIndex((word) => {
    const name = word.value ?? word.prefix;
    return !name.startsWith("-") && (RUNNING_SETTING.test(name) || word.value === null);
  });
  const value = args[at + 1];
  if (at === -1 || !value) return;
  call.doubt("option", `"${args[at]!.raw}" makes "git" run another program`);
  if (value.value?.startsWith("!")) call.script(literalWord(value.value.slice(1)), { elsewhere: true });
  else if (/^alias\./i.test(args[at]!.prefix))
    call.script(
      edited(value, (text) => `git ${text}`),
      { elsewhere: true, impliedByParent: true },
    );
  else call.script(value, { elsewhere: true });
}

/** Reports the effects of a command's options: programs run, files written or loaded. An unknown option is a doubt where all are listed. */
function reportOptions(call: ProgramCall, name: string, args: readonly ShellWord[], trusted: boolean): void {
  const writer = Object.hasOwn(GIT_WRITERS, name) ? GIT_WRITERS[name] : undefined;
  const row = writer ?? (Object.hasOwn(GIT_RUNNERS, name) ? GIT_RUNNERS[name] : undefined);
  if (!row) return;
  const reader = Object.hasOwn(GIT_READERS, name) ? GIT_READERS[name] : undefined;
  const parsed = parseOptions({ ...GIT_SHAPE, ...reader }, args, optionsOf(row, reader));
  if (writer && parsed.unknown.length > 0) {
    call.doubt("option", `"${parsed.unknown[0]}" is not a known option of "git ${name}"`);
  }
  call.knowsWords(trusted && !parsed.uncertain && !parsed.open);
  for (const { name: option, value, role } of parsed.options) {
    if (role === "loads" && value) call.loads(value);
    if (role !== "runs" && role !== "hazard") continue;
    call.doubt("option", `"${option}" makes "git ${name}" run another program`);
    if (role === "runs" && value) call.script(value);
  }
}

const GIT_SHAPE = { manual: SOURCE } as const;

function runs(call: ProgramCall, what: string, command: readonly ShellWord[]): void {
  call.doubt("option", `"${what}" makes "git" run another program`);
  if (command.length === 1) call.script(command[0]!, { elsewhere: true });
  else call.start(command, { elsewhere: true });
}
