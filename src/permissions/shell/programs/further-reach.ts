// Words that make a program run, load or write more than its name says, for programs whose other options are of no interest.
import { clip } from "../../../text/cut.js";
import { literalWord, type ShellWord } from "../shell-word.js";
import { mentionFile } from "./mentions.js";
import type { ProgramCall } from "./program.js";

interface Reach {
  /** Options whose value is a program, or settings that name one. */
  readonly runs?: string;
  /** Options whose value is the directory or the file a project's settings are taken from. */
  readonly loads?: string;
  readonly reads?: string;
  readonly writes?: string;
  /** Any word, or the input, that does more. */
  readonly text?: RegExp;
  /** The same, with the shell code it runs in the first group. */
  readonly code?: RegExp;
  /** All words, joined by spaces, that do more. */
  readonly line?: RegExp;
  /** What follows this word is for the program that is started. Default: `--`. */
  readonly end?: RegExp;
  /** Long options have one dash. */
  readonly singleDash?: boolean;
}

const NODE_PACKAGES: Reach = {
  runs: "--script-shell --shell --node-options --git --editor --viewer --browser --init-module --python --node-gyp --config.script-shell --config.node-options",
  loads: "--prefix --dir -C --cwd --userconfig --globalconfig --use-yarnrc",
  line: /^(?:config|c) (?:set|edit|delete|rm)\b|^set\b/,
};
const VIM: Reach = {
  runs: "--cmd",
  text: /^\+|^-(?:[cSsuwWUil]|es)/,
  code: /^(?:\+|-c\s*)?:*\s*(?:sil\w*!?\s+)?!(.*)/s,
  end: /^--$/,
};
/** What its code starts is looked for in the strings within the code. */
const INTERPRETER: Reach = {};

const DATABASE_SHELL = String.raw`(?:^|;|\n|^-e|^--execute=)\s*`;

/** Sources: the manuals named in the tables of each program. */
const REACH: Readonly<Record<string, Reach>> = {
  npm: NODE_PACKAGES,
  pnpm: NODE_PACKAGES,
  yarn: NODE_PACKAGES,
  go: {
    runs: "-exec -toolexec -vettool",
    loads: "-C -overlay -modfile -pkgdir",
    writes: "-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir",
    text: /-ext(?:ld|ar)(?:flags)?\b|^-http\b/,
    line: /^env\b.* -[wu]\b/,
    end: /^(?:--|--?args)$/,
    singleDash: true,
  },
  cargo: { runs: "--config", loads: "--manifest-path -C", writes: "--target-dir" },
  make: {
    runs: "--eval -E",
    loads: "-C --directory -f --file --makefile -I --include-dir",
    text: /^[^=]*!=|^[^=]*=.*\$[({]|^(?:override\s+)?(?:\.?SHELL(?:FLAGS)?|MAKE\w*|GNUMAKEFLAGS)\s*[:?+]*=|^(?:CC|CXX|CPP|LD|AR|AS|RM|FC)\s*[:?+]*=(?!\s*(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-\d+)?$)/s,
    code: /^--eval=[^:]*:;?\s*(.*)|^(?:\.?SHELL|CC|CXX|LD|AR)\s*[:?]?=(.*)/s,
  },
  ...each("gcc g++ cc c++ clang clang++ gfortran", {
    runs: "-wrapper -fplugin -specs -B -fuse-ld -Xclang -load",
    loads: "-include -imacros",
    writes: "-o -MF -dumpdir",
    text: /^(?:-(?:fplugin|specs|fuse-ld|B|wrapper|Xclang|load|fpass-plugin|ld-path|T|Wl,|Wp,|Wa,)|--(?:specs|sysroot|ld-path|config|gcc-toolchain)\b|@)/,
    singleDash: true,
  }),
  cmake: {
    loads: "-S -B -C -P --toolchain",
    text: /^-E$|^(?:-D)?\w*(?:LAUNCHER|COMPILER|_PROGRAM|LINKER|EXECUTABLE)(?::\w+)?=/,
  },
  gpg: {
    runs: "--photo-viewer --exec-path --agent-program --dirmngr-program --pinentry-program --keyserver-options --gpgconf-path",
    loads: "--homedir --options",
    writes: "-o --output",
  },
  openssl: {
    runs: "-engine -provider -provider-path -engine_impl",
    loads: "-config",
    reads: "-in -inkey -CA -CAfile -cert -key -rand",
    writes: "-out -keyout -writerand",
    singleDash: true,
  },
  zip: { runs: "-TT --unzip-command" },
  psql: {
    reads: "-f --file",
    text: /\\(?:o|out|w|write|cd|setenv|i|ir|include)\s|\bprogram\s*'|^(?:-o|--output=|-L)?\s*\|/i,
    code: /\\!\s*(.*)|\\(?:o|out|g|gx|w|write)\s*\|\s*(.*)|\bprogram\s*'([^']*)'|^(?:-o|--output=)?\s*\|(.*)/is,
  },
  sqlite3: {
    loads: "-init",
    // Its commands may be abbreviated: what is not one of those that only show something may be any other.
    text: /(?:^|\n)\s*\.(?!(?:tables|schema|fullschema|indexes|databases|mode|headers?|separator|nullvalue|width|print|echo|bail|timer|stats|show|dump|eqp|explain|changes|limit|help|quit|exit|version|dbinfo|dbconfig)(?![\w-]))|\b(?:load_extension|writefile|readfile|edit|fts3_tokenizer)\s*\(|\battach\b|\bvacuum\s+(?:\w+\s+)?into\b/i,
    code: /(?:^|\n)\s*\.(?:sh|sy)[a-z]*\s+(.*)/,
  },
  mysql: mysql(),
  mariadb: mysql(),
  vim: VIM,
  vi: VIM,
  nvim: VIM,
  view: VIM,
  ex: VIM,
  emacs: {
    runs: "--eval --execute -f --funcall",
    loads: "-l --load --script -x -q",
    text: /^-+(?:eval|execute|load|l|funcall|f|script|x)(?:=|$)/,
  },
  nano: { runs: "-s --speller", loads: "-f --rcfile" },
  kubectl: { runs: "--kubeconfig" },
  helm: { runs: "--kubeconfig --post-renderer" },
  docker: { runs: "-H --host --config" },
  gh: { line: /^(?:alias (?:set|import)|extension|ext|config set|codespace|cs)\b/, code: /^!(.*)/s },
  python: INTERPRETER,
  python3: INTERPRETER,
  node: INTERPRETER,
  perl: INTERPRETER,
  ruby: INTERPRETER,
  php: INTERPRETER,
  lua: INTERPRETER,
  deno: INTERPRETER,
  bun: INTERPRETER,
  awk: INTERPRETER,
  gawk: INTERPRETER,
  mawk: INTERPRETER,
  nawk: INTERPRETER,
  sed: {
    code: /(?:^|[;{}\d$/!])\s*e\s+(?<code>[^;}\n]+)|s([^\w\s\\])(?:\\.|(?!\2).)*\2(?<replaced>(?:\\.|(?!\2).)*)\2[\dgpiIm]*e/,
  },
  less: { code: /^\+!(.*)/s },
  ed: { text: /^!/, code: /(?:^|\n)\d*!(.*)/ },
  more: { code: /^\+!(.*)/s },
};

function each(names: string, reach: Reach): Readonly<Record<string, Reach>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, reach]));
}

function mysql(): Reach {
  return {
    runs: "--pager",
    loads: "--defaults-file --defaults-extra-file --plugin-dir",
    writes: "--tee",
    text: new RegExp(
      String.raw`${DATABASE_SHELL}(?:source|pager|tee|edit|\\[.PTe])\s|\binto\s+(?:out|dump)file\b|\bload_file\s*\(`,
      "i",
    ),
    code: new RegExp(String.raw`${DATABASE_SHELL}(?:system\s+|\\!\s*)(.*)`, "i"),
  };
}

/** Texts longer than this are only looked at up to here. */
const MAX_TEXT = 4_000;

/** Reports what the words of a program reach beyond its name. */
export function reportReach(call: ProgramCall): void {
  const reach = Object.hasOwn(REACH, call.program) ? REACH[call.program]! : undefined;
  if (!reach) return;
  if (reach === INTERPRETER) {
    startsFromCode(
      call,
      call.args.map(({ value }) => value),
    );
    return;
  }
  if (reach.line) {
    const line = call.args.map(({ value, prefix }) => value ?? prefix).join(" ");
    if (reach.line.test(line.slice(0, MAX_TEXT))) more(call, line);
  }
  const end = reach.end ?? /^--$/;
  for (const [index, word] of call.args.entries()) {
    const text = (word.value ?? word.prefix).slice(0, MAX_TEXT);
    if (end.test(text)) break;
    reportReachingOption(call, reach, text, call.args[index + 1]);
    reportReachingText(call, reach, text);
  }
  if (call.input.kind === "text") reportReachingText(call, reach, call.input.text.slice(0, MAX_TEXT));
}

function reportReachingOption(call: ProgramCall, reach: Reach, text: string, next: ShellWord | undefined): void {
  if (!/^-./.test(text)) return;
  for (const kind of ["runs", "loads", "reads", "writes"] as const) {
    const found = optionIn(reach[kind], text, reach.singleDash === true);
    if (found === null) continue;
    const value = found === "" ? next : literalWord(found);
    if (kind === "runs") {
      more(call, text);
      if (value) call.script(value, { impliedByParent: true });
    } else if (!value) continue;
    else if (value.value === "-" && kind === "loads") {
      call.doubt("option", `"-" makes "${call.program}" run what it reads from its input`);
    } else if (kind === "writes") call.write(value, "create");
    else if (kind === "loads") call.loads(value);
    // What only parses certificates prints nothing of a key.
    else if (call.program !== "openssl" || !/^(?:x509|crl|verify)$/.test(call.args[0]?.value ?? "")) call.read(value);
  }
}

/** The value that is glued to an option of the list, `""` when it is the next word, `null` when it is not one of them. */
function optionIn(list: string | undefined, text: string, singleDash: boolean): string | null {
  const equals = text.indexOf("=");
  const written = equals === -1 ? text : text.slice(0, equals);
  const name = singleDash ? written.replace(/^--/, "-") : written;
  for (const option of list?.split(" ") ?? []) {
    if (option === "") continue;
    const isAbbreviated = name.length > 4 && name.startsWith("--") && option.startsWith(name);
    if (option === name || isAbbreviated) return equals === -1 ? "" : text.slice(equals + 1);
    if (!singleDash && /^-[^-]/.test(option) && text.startsWith(option)) return text.slice(option.length);
  }
  return null;
}

function reportReachingText(call: ProgramCall, { text: reaches, code }: Reach, text: string): void {
  const found = code?.exec(text);
  if (!found && !reaches?.test(text)) return;
  more(call, text);
  const { code: named, replaced } = found?.groups ?? {};
  const command = named ?? replaced ?? found?.slice(1).find((group) => group !== undefined && group.trim() !== "");
  if (command) call.script(literalWord(command), { impliedByParent: true });
}

function more(call: ProgramCall, text: string): void {
  call.doubt("option", `"${clip(text, 60)}" makes "${call.program}" do more than its name says`);
}

const SPAWNS = /system|exec|spawn|popen|subprocess|shell|getline|\||`/i;
const MAX_TEXTS = 20;

/** Code of another language: what stands in quotes in it may name files, or be commands; it counts for rules that deny. */
export function startsFromCode(call: ProgramCall, codes: readonly (string | null)[]): void {
  for (const each of codes) {
    const code = each?.slice(0, MAX_TEXT);
    if (!code || !/["'`]/.test(code)) continue;
    const texts = [...code.matchAll(/(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs)]
      .slice(0, MAX_TEXTS)
      .map(([, , text]) => text!);
    for (const text of texts) if (/^[^\s"'`]{1,200}$/.test(text)) mentionFile(call, text, true);
    if (SPAWNS.test(code)) for (const text of new Set([...texts, texts.join(" ")])) call.mayRun(text);
  }
}
