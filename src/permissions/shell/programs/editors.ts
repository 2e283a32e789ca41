import { isPlainAwkProgram } from "../invocation/awk-program.js";
import type { ParsedOptions, ProgramCall } from "../invocation/program.js";
import type { ShellWord } from "../words/shell-word.js";
import { COMMANDS_IN_INPUT } from "./interpreters.js";
import type { ProgramRow } from "./program-row.js";
import { CHANGES_FILES, each, RUNS_CODE } from "./reach.js";

/** A directory among them is left out, with a complaint. */
const FILES = { only: "files" } as const;

const EDITS = { writes: "anything", runs: "anything", connects: "nothing" } as const;
const VIM: ProgramRow = {
  manual: "Vim 9.0 and Neovim 0.9 manuals",
  kind: "acts",
  does: RUNS_CODE,
  informs: "--version --help -h",
  anyOptions: true,
  runs: "--cmd",
  operands: "write",
  takesCode: COMMANDS_IN_INPUT,
  escapes: {
    text: /^\+|^-(?:[cSsuwWUil]|es)/,
    code: /^(?:\+|-c\s*)?:*\s*(?:sil\w*!?\s+)?!(.*)/s,
    end: /^--$/,
  },
};

/** Programs with a language of their own for what to do with each line. */
export const EDITOR_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  sed: {
    manual: "GNU sed 4.9 manual",
    kind: "reads",
    flags: `-n -E -r -s -u -z --quiet --silent --debug --sandbox --regexp-extended --separate --unbuffered --null-data --posix
      --follow-symlinks --help --version`,
    values: "-e -l --expression --line-length",
    attached: "-i --in-place",
    reads: "-f --file",
    escapes: {
      code: /(?:^|[;{}\d$/!])\s*e\s+(?<code>[^;}\n]+)|s([^\w\s\\])(?:\\.|(?!\2).)*\2(?<replaced>(?:\\.|(?!\2).)*)\2[\dgpiIm]*e/,
    },
    analyze: analyzeSed,
  },
  awk: awk("POSIX.1-2017; mawk 1.3.4 and GNU awk 5.2 manuals"),
  gawk: awk("GNU awk 5.2 manual"),
  mawk: awk("mawk 1.3.4 manual"),
  nawk: awk("POSIX.1-2017"),
  ...each("vi vim nvim view vimdiff", VIM),
  ex: { ...VIM, takesCode: COMMANDS_IN_INPUT },
  ...each("ed red", {
    manual: "GNU ed 1.19 manual",
    kind: "acts",
    does: EDITS,
    flags:
      "-E -G -l -r -s -v -h --extended-regexp --traditional --loose-exit-status --restricted --quiet --silent --verbose --help --version",
    values: "-p --prompt",
    operands: "write",
    takesCode: COMMANDS_IN_INPUT,
    escapes: { text: /^!/, code: /(?:^|\n)\d*!(.*)/ },
  }),
  nano: {
    manual: "GNU nano 7.2 manual",
    kind: "acts",
    does: EDITS,
    informs: "--version -V --help -h",
    anyOptions: true,
    runs: "-s --speller",
    loads: "-f --rcfile",
    operands: "write",
  },
  emacs: {
    manual: "GNU Emacs 28 manual",
    kind: "acts",
    does: RUNS_CODE,
    informs: "--version --help",
    anyOptions: true,
    singleDash: true,
    loads: "-x",
    escapes: { text: /^-+(?:eval|execute|load|l|funcall|f|script|x)(?:=|$)/ },
    takesCode: COMMANDS_IN_INPUT,
    operands: "write",
  },
  ...each("code cursor subl micro hx helix", {
    manual: "their documentations, 2024",
    kind: "acts",
    does: EDITS,
    informs: "--version --help",
    anyOptions: true,
    operands: "mention",
  }),
  patch: {
    manual: "GNU patch 2.7 manual",
    kind: "acts",
    does: CHANGES_FILES,
    flags: `-b -c -e -E -f -l -n -N -R -s -t -T -u -v -Z --backup --context --ed --remove-empty-files --force --ignore-whitespace --normal
      --forward --reverse --silent --quiet --batch --unified --verbose --dry-run --posix --binary --merge --help --version --set-time
      --set-utc`,
    values:
      "-p -F -V -Y -z -B -D -g --strip --fuzz --version-control --basename-prefix --suffix --prefix --ifdef --get --quoting-style --reject-format --read-only",
    loads: "-d --directory",
    analyze(call, options) {
      for (const operand of options.operands) call.write(operand, "modify");
      for (const { value } of options.all("-d", "--directory")) if (value) call.write(value, "modify", true);
    },
    writes: "-o --output -r --reject-file",
    reads: "-i --input",
  },
};

function awk(manual: string): ProgramRow {
  return {
    manual,
    kind: "reads",
    flags: "-S -P -s -t -n -N -r -c -b -O --sandbox --posix --traditional --re-interval --version --help",
    values: "-F -v --field-separator --assign",
    hazards: "-o -p -d -D -g --dump-variables --pretty-print --profile --debug",
    hazardValues: "-l --load -i --include -E --exec -W",
    reads: "-f --file",
    posix: true,
    escapes: { isCode: true },
    analyze: analyzeAwk,
  };
}

function analyzeSed(call: ProgramCall, options: ParsedOptions): void {
  const scripts = options.all("-e", "--expression").map(({ value }) => value);
  const files = [...options.operands];
  const hasFile = options.has("-f", "--file");
  if (scripts.length === 0 && !hasFile) scripts.push(files.shift() ?? null);
  if (hasFile) call.doubt("script", '"sed" runs a script that was not read');
  for (const script of scripts) reportSedScript(call, script);
  const inPlace = options.has("-i", "--in-place");
  if (inPlace) {
    call.acts();
    // A prefix or a directory for copies leads elsewhere.
    const suffixes = options.all("-i", "--in-place").flatMap(({ value }) => value ?? []);
    const isPlain = suffixes.every(({ value }) => value !== null && /^[\w.~-]*$/.test(value));
    call.doubt(isPlain ? "edit" : "option", '"-i" makes "sed" change files');
    for (const suffix of isPlain ? [] : suffixes) if (suffix.known?.includes("/") ?? true) call.write(suffix, "create");
  }
  for (const file of files) {
    if (inPlace) call.write(file, "modify");
    else call.read(file, FILES);
  }
}

function reportSedScript(call: ProgramCall, script: ShellWord | null): void {
  if (!script) return;
  const known = script.value !== null && script.value.length <= MAX_PROGRAM_LENGTH;
  const found = known ? readSedScript(script.value) : null;
  if (found !== null) return;
  call.acts();
  call.doubt("option", 'the script of "sed" may write files or run programs, or is not known');
}

/** Longer ones are not read: the patterns that check them may take quadratic time. */
const MAX_PROGRAM_LENGTH = 4_000;
/** Between slashes, or between others of these that a backslash names: `\|/api/|`. */
const SED_PATTERNS = [..."/|,#%@!"]
  .map((end) => `${end === "/" ? "" : "\\\\"}[${end}](?:[^${end}\\\\\n]|\\\\.)*[${end}]`)
  .join("|");
const SED_ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|(?:${SED_PATTERNS})[IM]*)`;
const SED_RANGE = new RegExp(String.raw`^${SED_ADDRESS}(?:\s*,\s*(?:${SED_ADDRESS}|[+~]\d+))?\s*!?\s*`);
const SED_SEPARATOR = /^[\s;]+/;
const SED_PLAIN = /^(?:[pdDnNgGhHxzF=]|l\s*\d*|[qQ]\s*\d*)\s*(?=[;}\n]|$|#)/;
const SED_JUMP = /^(?:[btT]\s*[\w-]*|:\s*[\w-]+)\s*(?=[;}\n]|$)/;
const SED_TEXT = /^[aic]\s*(?:\\\n)?(?:[^\\\n]|\\[\s\S])*(?:(?=\n)|\\?$)/;

/** Whether a sed script only edits what is printed: `null` when it may do more. Only what is fully understood counts. */
function readSedScript(script: string): "edits" | null {
  let rest = script;
  while (rest !== "") {
    const separator = SED_SEPARATOR.exec(rest) ?? /^[{}]/.exec(rest) ?? /^#[^\n]*/.exec(rest);
    if (separator) {
      rest = rest.slice(separator[0].length);
      continue;
    }
    rest = rest.replace(SED_RANGE, "");
    if (rest.startsWith("{")) continue;
    const command = SED_PLAIN.exec(rest) ?? SED_JUMP.exec(rest) ?? SED_TEXT.exec(rest);
    const length = command ? command[0].length : substitutionLength(rest);
    if (length === 0) return null;
    rest = rest.slice(length);
  }
  return "edits";
}

/** The length of an `s` or `y` command without the flags that write or run; 0 when it is not one. */
function substitutionLength(text: string): number {
  const delimiter = text[1];
  if (!/^[sy]/.test(text) || delimiter === undefined || /[\w\s\\]/.test(delimiter)) return 0;
  let at = 2;
  for (let part = 0; part < 2; part++) {
    // In a bracket expression the delimiter ends the part too, in GNU sed.
    while (at < text.length && text[at] !== delimiter) at += text[at] === "\\" ? 2 : 1;
    if (at >= text.length) return 0;
    at++;
  }
  const flags = /^[gpiIm\d]*\s*(?=[;}\n]|$|#)/.exec(text.slice(at));
  return flags ? at + flags[0].length : 0;
}

function analyzeAwk(call: ProgramCall, options: ParsedOptions): void {
  const files = [...options.operands];
  if (options.has("-f", "--file")) call.doubt("script", '"awk" runs a script that was not read');
  else reportAwkProgram(call, files.shift());
  for (const file of files) if (!/^[A-Za-z_]\w*=/.test(file.prefix) && file.value !== "-") call.read(file, FILES);
}

function reportAwkProgram(call: ProgramCall, program: ShellWord | undefined): void {
  if (!program) return;
  const isShort = program.value !== null && program.value.length <= MAX_PROGRAM_LENGTH;
  if (isShort && isPlainAwkProgram(program.value)) return;
  call.acts();
  call.doubt("option", 'the program of "awk" may write files or run programs, or is not known');
}
