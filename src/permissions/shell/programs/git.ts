import { literalWord, type ShellWord } from "../shell-word.js";
import { GIT_READERS } from "./git-readers.js";
import { hostOf } from "./hosts.js";
import { judge } from "./judge.js";
import type { ProgramCall, ProgramEntry } from "./program.js";

const SOURCE = "git 2.39 manual";
const GLOBAL_FLAGS =
  /^(-p|-P|--paginate|--no-pager|--no-optional-locks|--literal-pathspecs|--no-replace-objects|--icase-pathspecs)$/;
const GLOBAL_VALUES = /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--super-prefix|--config-env)$/;

export const GIT_PROGRAMS: Readonly<Record<string, ProgramEntry>> = {
  git: { source: SOURCE, nature: "acts", analyze: (call) => analyzeGit(call) },
  gh: { source: "gh 2.23 manual", nature: "acts", analyze: analyzeGh },
};

function analyzeGit(call: ProgramCall): void {
  const args = [...call.args];
  let trusted = true;
  for (let word = args[0]; word?.prefix.startsWith("-"); word = args[0]) {
    args.shift();
    const text = word.value;
    if (text === null) {
      call.doubt("option", 'an option of "git" is not known before it runs');
      return;
    }
    if (/^(--version|--help|-h|-v|--html-path|--man-path|--info-path|--exec-path)$/.test(text)) {
      call.onlyReads();
      return;
    }
    if (GLOBAL_FLAGS.test(text)) continue;
    trusted = false;
    const equals = text.indexOf("=");
    const name = equals === -1 ? text : text.slice(0, equals);
    if (!GLOBAL_VALUES.test(name)) {
      if (text !== "--bare") {
        call.doubt("option", `"${text}" is no option of "git" that is known`);
        return;
      }
      call.doubt("option", '"--bare" makes "git" take its settings from the current folder');
      continue;
    }
    const value = equals === -1 ? args.shift() : literalWord(text.slice(equals + 1));
    if (value) judgeGlobal(call, name, value);
  }
  const [subcommand, ...rest] = args;
  if (!subcommand) return;
  if (subcommand.value === null) {
    call.doubt("option", 'the command of "git" is not known before it runs');
    return;
  }
  judgeSubcommand(call, subcommand.value, rest, trusted);
}

function judgeGlobal(call: ProgramCall, name: string, value: ShellWord): void {
  if (name === "-C" || name === "--work-tree" || name === "--git-dir") call.read(value);
  if (name === "-C" || name === "--namespace" || name === "--super-prefix") return;
  call.doubt("option", `"${name}" can make "git" run other programs`);
  const command = /^[^=]*=!?(.*)$/s.exec(value.value ?? "")?.[1];
  if (name === "-c" && command) call.script(literalWord(command));
}

function judgeSubcommand(call: ProgramCall, name: string, args: readonly ShellWord[], trusted: boolean): void {
  const text = (index: number) => args[index]?.value ?? "";
  for (const [index, { value }] of args.entries()) judgeRunningOption(call, name, value ?? "", args[index + 1]);
  if (name === "submodule" && text(0) === "foreach") {
    const command = args.slice(1).filter(({ value }) => !/^(--recursive|-q|--quiet)$/.test(value ?? ""));
    runs(call, "submodule foreach", command);
  } else if (name === "bisect" && text(0) === "run") {
    call.doubt("option", '"bisect run" makes "git" run another program');
    call.start(args.slice(1));
  } else if (name === "filter-branch") {
    for (const [index, { value }] of args.entries()) {
      if (/^--.*-filter$/.test(value ?? "")) runs(call, value!, args.slice(index + 1, index + 2));
    }
  }
  if (/^(push|fetch|pull|clone|remote|submodule|ls-remote)$/.test(name)) {
    const url = args.find(({ value }) => /:|\/\//.test(value ?? ""))?.value;
    if (/^(push|fetch|pull|clone)$/.test(name)) call.network(url ? hostOf(url) : null);
    if (url && /^ext::|^(?!\w+:\/\/)[\w-]+::/.test(url))
      call.doubt("option", `"${url}" makes "git" run another program`);
  }
  if (name === "clone" || name === "init") {
    const folder = args.filter(({ prefix }) => !prefix.startsWith("-")).at(name === "clone" ? 1 : 0);
    if (folder) call.write(folder, "create");
  }
  if (Object.hasOwn(GIT_READERS, name)) judgeReader(call, name, args, trusted);
}

function judgeReader(call: ProgramCall, name: string, args: readonly ShellWord[], trusted: boolean): void {
  const own = { ...call, program: `git ${name}`, args };
  // Settings of another folder may name programs; only those of the repository one stands in are taken for granted.
  judge(GIT_READERS[name]!, trusted && call.isHome ? own : { ...own, onlyReads() {} });
  for (const word of args) if (/^(?:[/~]|\.\.)/.test(word.raw)) call.read(word);
}

const RUNNING_OPTIONS: Readonly<Record<string, RegExp>> = {
  rebase: /^(-x|--exec)(?:=(.*))?$|^(-x)(.+)$/s,
  clone: /^(-u|--upload-pack|-c|--config|--template)(?:=(.*))?$/s,
  fetch: /^(--upload-pack)(?:=(.*))?$/s,
  pull: /^(--upload-pack)(?:=(.*))?$/s,
  push: /^(--receive-pack|--exec)(?:=(.*))?$/s,
  archive: /^(--exec)(?:=(.*))?$/s,
  difftool: /^(-x|--extcmd)(?:=(.*))?$/s,
  init: /^(--template)(?:=(.*))?$/s,
  am: /^(--exec)(?:=(.*))?$/s,
};

function judgeRunningOption(call: ProgramCall, name: string, text: string, next: ShellWord | undefined): void {
  const found = RUNNING_OPTIONS[name]?.exec(text);
  if (!found) return;
  const glued = found[2] ?? found[4];
  const command = glued === undefined ? next : literalWord(glued);
  call.doubt("option", `"${found[1] ?? found[3]}" makes "git ${name}" run another program`);
  if (command && !/^(-c|--config|--template)$/.test(found[1] ?? "")) call.script(command);
}

function runs(call: ProgramCall, what: string, command: readonly ShellWord[]): void {
  call.doubt("option", `"${what}" makes "git" run another program`);
  if (command.length === 1) call.script(command[0]!, { elsewhere: true });
  else call.start(command, { elsewhere: true });
}

const GH_READS =
  /^(pr|issue|run|repo|release|workflow|label|gist) (list|view|status|diff|checks)$|^auth status$|^search /;

function analyzeGh(call: ProgramCall): void {
  call.network("github.com");
  const words = call.args.filter(({ prefix }) => !prefix.startsWith("-")).map(({ value }) => value ?? "");
  // It still speaks to the network, so it is never plainly read-only.
  if (!GH_READS.test(`${words[0]} ${words[1]}`)) call.acts();
}
