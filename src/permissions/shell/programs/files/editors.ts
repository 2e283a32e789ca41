import { longPattern } from "../../../long-pattern.js";
import { isPlainAwkProgram } from "../../invocation/awk-program.js";
import type { ParsedOptions } from "../../invocation/options.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { keepsCopy } from "../../invocation/report-transfers.js";
import { onlyEditsOutput } from "../../invocation/sed-script.js";
import { literalWord, type ShellWord, textsOf, unknownWord } from "../../words/shell-word.js";
import type { ProgramRow } from "../program-row.js";
import { CHANGES_FILES, COMMANDS_IN_INPUT, does, RUNS_CODE, reads } from "../reach.js";

/** A directory among them is left out, with a complaint. */
const FILES = { only: "files" } as const;

const EDITS = { writes: "anything", runs: "anything", connects: "nothing" } as const;
const VIM: ProgramRow = does(RUNS_CODE, "Vim 9.0 and Neovim 0.9 manuals", {
  informs: "--version --help -h",
  anyOptions: true,
  runs: "--cmd",
  operands: "write",
  takesCode: COMMANDS_IN_INPUT,
  escapes: { text: /^\+|^-(?:[cSsuwWUil]|es)/, code: /^(?:\+|-c)?[\s:]*(?:sil\w*!?\s+)?!(.*)/s, end: /^--$/ },
});

/** Programs with a language of their own for what to do with each line. */
export const EDITOR_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  sed: reads("GNU sed 4.9 manual", {
    flags: `-n -E -r -s -u -z --quiet --silent --debug --sandbox --regexp-extended --separate --unbuffered --null-data
      --posix --follow-symlinks --help --version`,
    values: "-e -l --expression --line-length",
    attached: "-i --in-place",
    reads: "-f --file",
    escapes: {
      code: longPattern`(?:^|[;{}\d$/!])\s*e\s+(?<code>[^;}\n]+)|s([^\w\s\\])(?:\\.|
        (?!\2)[^\\\n]){0,500}\2(?<replaced>(?:\\.|(?!\2)[^\\\n]){0,500})\2[\dgpiIm]*e`,
    },
    analyze: analyzeSed,
  }),
  awk: awk("POSIX.1-2017; mawk 1.3.4 and GNU awk 5.2 manuals"),
  gawk: awk("GNU awk 5.2 manual"),
  mawk: awk("mawk 1.3.4 manual"),
  nawk: awk("POSIX.1-2017"),
  "vi vim nvim view vimdiff": VIM,
  ex: { ...VIM, takesCode: COMMANDS_IN_INPUT },
  "ed red": does(EDITS, "GNU ed 1.19 manual", {
    flags: `-E -G -l -r -s -v -h --extended-regexp --traditional --loose-exit-status --restricted --quiet --silent
      --verbose --help --version`,
    values: "-p --prompt",
    operands: "write",
    takesCode: COMMANDS_IN_INPUT,
    escapes: { text: /^!/, code: /(?:^|\n)\d*!(.*)/ },
  }),
  nano: does(EDITS, "GNU nano 7.2 manual", {
    informs: "--version -V --help -h",
    anyOptions: true,
    runs: "-s --speller",
    loads: "-f --rcfile",
    operands: "write",
  }),
  emacs: does(RUNS_CODE, "GNU Emacs 28 manual", {
    informs: "--version --help",
    anyOptions: true,
    singleDash: true,
    loads: "-x",
    escapes: { text: /^-+(?:eval|execute|load|l|funcall|f|script|x)(?:=|$)/ },
    takesCode: COMMANDS_IN_INPUT,
    operands: "write",
  }),
  "code cursor subl micro hx helix": does(EDITS, "their documentations, 2024", {
    informs: "--version --help",
    anyOptions: true,
    operands: "mention",
  }),
  patch: does(CHANGES_FILES, "GNU patch 2.7 manual", {
    flags: `-b -c -e -E -f -l -n -N -R -s -t -T -u -v -Z --backup --context --ed --remove-empty-files --force
      --ignore-whitespace --normal --forward --reverse --silent --quiet --batch --unified --verbose --dry-run --posix
      --binary --merge --help --version --set-time --set-utc`,
    values: `-p -F -V -Y -z -B -D -g --strip --fuzz --version-control --basename-prefix --suffix --prefix --ifdef --get
      --quoting-style --reject-format --read-only`,
    loads: "-d --directory",
    analyze(call, options) {
      for (const operand of options.operands) call.write(operand, "modify");
      const directory = options.all("-d", "--directory").at(-1)?.value ?? literalWord(".");
      // A patch itself says which files it changes.
      if (options.operands.length === 0) call.unpacks(directory);
      else if (directory.value !== ".") call.write(directory, "modify", true);
    },
    writes: "-o --output -r --reject-file",
    reads: "-i --input",
  }),
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
  for (const { value } of options.all("-f", "--file")) scripts.push(value && codeIn(call, value));
  for (const script of scripts) reportSedScript(call, script);
  const inPlace = options.has("-i", "--in-place");
  const suffixes = options.all("-i", "--in-place").flatMap(({ value }) => value ?? []);
  // A prefix or a directory for copies leads elsewhere.
  const isPlain = suffixes.every(({ value }) => value !== null && /^[\w.~-]*$/.test(value));
  if (inPlace) {
    call.acts();
    call.doubt(isPlain ? "edit" : "option", '"-i" makes "sed" change files');
    for (const suffix of isPlain ? [] : suffixes) if (suffix.known?.includes("/") ?? true) call.write(suffix, "create");
  }
  for (const file of files) {
    if (inPlace) call.write(file, "modify");
    else call.read(file, FILES);
    for (const suffix of isPlain ? suffixes : []) keepsCopy(call, file, suffix);
  }
}

function reportSedScript(call: ProgramCall, script: ShellWord | null): void {
  if (!script) return;
  if (textsOf(script, /\\\0/)?.every(onlyEditsOutput)) return;
  call.acts();
  call.doubt("code", 'the script of "sed" may write files or run programs, or is not known');
}

/** Longer programs of awk are not read. */
const MAX_PROGRAM_LENGTH = 4_000;

function analyzeAwk(call: ProgramCall, options: ParsedOptions): void {
  const files = [...options.operands];
  const programs = options.all("-f", "--file").map(({ value }) => value && codeIn(call, value));
  if (programs.length === 0) programs.push(files.shift() ?? null);
  for (const program of programs) reportAwkProgram(call, program);
  for (const file of files) if (!/^[A-Za-z_]\w*=/.test(file.prefix) && file.value !== "-") call.read(file, FILES);
}

/** The content of a file as code, like code in the line. */
function codeIn(call: ProgramCall, file: ShellWord): ShellWord {
  const text = call.codeIn(file);
  call.doubt("script", `"${call.program}" runs ${file.raw}`);
  return text === null ? unknownWord(file.raw) : literalWord(text);
}

function reportAwkProgram(call: ProgramCall, program: ShellWord | null): void {
  if (!program) return;
  const isPlain = (text: string) => text.length <= MAX_PROGRAM_LENGTH && isPlainAwkProgram(text);
  if (textsOf(program, /[\w.\\]\0|\0[\w.]/)?.every(isPlain)) return;
  call.acts();
  call.doubt("code", 'the program of "awk" may write files or run programs, or is not known');
}
