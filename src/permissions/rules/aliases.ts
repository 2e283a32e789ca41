// Other names of the same thing, for rules that deny or ask: subcommands, modules, long and short options.

import { parseOptions } from "../shell/invocation/options.js";
import { findProgram } from "../shell/programs/table.js";
import { literalWord } from "../shell/words/shell-word.js";

/** Options by program, or by program and subcommand: the spelling that others are brought to. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "git commit": { "-n": "--no-verify", "-a": "--all", "-m": "--message" },
  "git push": { "-u": "--set-upstream", "-d": "--delete" },
  "git branch": { "-d": "--delete" },
  node: { "-e": "--eval", "-p": "--print", "-pe": "--eval", "-r": "--require" },
  sed: { "-i": "--in-place", "-n": "--quiet", "-E": "--regexp-extended" },
  curl: {
    "-o": "--output",
    "-O": "--remote-name",
    "-L": "--location",
    "-X": "--request",
    "-d": "--data",
    "-k": "--insecure",
  },
  wget: { "-O": "--output-document" },
  sort: { "-o": "--output" },
  chmod: { "-R": "--recursive" },
  docker: { "-v": "--volume", "-d": "--detach" },
};

/** Options that nearly all programs spell in two ways. */
const COMMON: Readonly<Record<string, string>> = {
  "-R": "--recursive",
  "-r": "--recursive",
  "-f": "--force",
  "-a": "--all",
  "-d": "--delete",
  "-y": "--yes",
};

const PROGRAMS: Readonly<Record<string, string>> = { pip3: "pip", "podman-remote": "podman" };

/** The words of a command, and what else it is known as: `python -m pip install x` is `pip install x`. */
export function namesOf(words: readonly string[]): readonly (readonly string[])[] {
  const [program = "", first = "", second = "", ...rest] = words;
  if (/^(?:python|pypy)[\d.]*$/.test(program)) {
    const { options, operands } = parseOptions(findProgram("python")!, words.slice(1).map(literalWord));
    const module = options.find(({ name }) => name === "-m")?.value?.value?.replace(/\.__main__$/, "");
    return [words, ...(module ? namesOf([module, ...operands.map(({ value }) => value!)]) : [])];
  }
  if (/^(?:docker|podman)$/.test(program) && /^(?:container|image)$/.test(first)) {
    return [words, [program, second, ...rest]];
  }
  if (/^(?:kill|pkill|killall)$/.test(program) && words.length > 1) return [words, withSignalNumber(words)];
  const name = PROGRAMS[program];
  return name === undefined ? [words] : [words, [name, ...words.slice(1)]];
}

/** The usual name of a subcommand. */
export function subcommandName(program: string, word: string): string {
  const names = findProgram(program)?.aliases ?? {};
  if (Object.hasOwn(names, word)) return names[word]!;
  const abbreviated = program === "npm" && word.length > 2 && NPM_COMMANDS.find((each) => each.startsWith(word));
  return abbreviated || word;
}

/** npm takes any beginning that fits one command. */
const NPM_COMMANDS = ["publish", "unpublish", "uninstall", "deprecate", "install", "config", "exec", "owner", "token"];

const SIGNALS: Readonly<Record<string, string>> = { HUP: "1", INT: "2", QUIT: "3", KILL: "9", TERM: "15", STOP: "19" };

/** `kill -s KILL`, `kill -SIGKILL` and `kill -n 9` are `kill -9`. */
function withSignalNumber(words: readonly string[]): readonly string[] {
  const line = words.join("\n").replace(/\n(?:-s|-n|--signal)(?:\n|=)/, "\n-");
  return line
    .replace(/\n-(?:SIG)?([A-Z]+)(?=\n|$)/, (whole, name: string) =>
      Object.hasOwn(SIGNALS, name) ? `\n-${SIGNALS[name]}` : whole,
    )
    .split("\n");
}

/** One spelling for an option, whatever its value: `-i.bak` and `--in-place=.bak` are `--in-place`. */
export function optionName(program: string, subcommand: string, option: string): string {
  const own = { ...OPTIONS[program], ...OPTIONS[`${program} ${subcommand}`] };
  if (/^(?:sed|perl)$/.test(program) && /^-i./.test(option)) return optionName(program, subcommand, "-i");
  return own[option] ?? COMMON[option] ?? option;
}

/** Whether a long option is the other one, cut short as most parsers allow. */
export function isAbbreviation(option: string, of: string): boolean {
  return /^--\w{2,}/.test(option) && of.startsWith(option) && of[option.length] !== "-";
}
