import { SCRIPT_DESTROYS } from "../destructive-words.js";
import type { ProgramRow } from "../program-row.js";
import { like, RUNS_CODE, reads, TAKES_CODE, TAKES_COMMANDS } from "../reach.js";

const INTERPRETER = {
  does: RUNS_CODE,
  anyOptions: true,
  takesCode: TAKES_CODE,
  operands: "mention",
  destroys: SCRIPT_DESTROYS,
} as const;
const CODE = { escapes: { isCode: true } } as const;

/** Languages: what they are given runs, and may do anything. Python and JavaScript have files of their own. */
export const INTERPRETER_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  perl: {
    ...INTERPRETER,
    ...CODE,
    manual: "perlrun(1), 5.36",
    posix: true,
    anyOptions: false,
    informs: "--version -v --help",
    flags: "-a -c -f -n -p -s -S -t -T -u -U -v -w -W -X",
    values: "-e -E -F -m -M",
    attached: "-0 -C -d -D -i -l -V -x",
    loads: "-I",
    lastOptions: "-e -E",
  },
  ruby: {
    ...INTERPRETER,
    ...CODE,
    manual: "ruby(1), 3.1",
    informs: "--version -v --help -h",
    takesAll: /^(?:.* )?-run/,
  },
  php: {
    ...INTERPRETER,
    ...CODE,
    manual: "php(1), 8.2",
    informs: "--version -v -m -i --ini",
    takesAll: /^(?:.* )?-S/,
    // It looks for mistakes, and runs nothing.
    checks: /^-l$/,
  },
  lua: { ...INTERPRETER, ...CODE, manual: "lua(1), 5.4", informs: "-v" },
  "irb guile racket julia octave octave-cli gnuplot R Rscript ghci sbcl clisp swipl gforth gp maxima gosh clojure clj":
    { ...INTERPRETER, manual: "their documentations, 2024", informs: "--version" },
  // Erlang runs a file of that name first.
  elixir: { ...INTERPRETER, manual: "Elixir 1.14 documentation", informs: "--version", steeredBy: ".erlang" },
  "luajit jimsh ocaml jshell erl iex osascript qjs scheme csi": like(INTERPRETER, "their documentations, 2024", {}),
  "scala kotlin kotlinc groovy": like(INTERPRETER, "their documentations, 2024", { informs: "-version --version" }),
  "tclsh wish expect": like(INTERPRETER, "Tcl 8.6 and Expect 5.45 manuals", {
    takesCode: { ...TAKES_CODE, code: /\b(?:exec|spawn|open\s+"?\|)\s+([^\]\n;]+)/ },
  }),
  m4: {
    ...INTERPRETER,
    informs: "--version --help",
    manual: "GNU M4 1.4 manual",
    takesCode: { ...TAKES_COMMANDS, code: /syscmd\(\s*[`']*([^)'`]*)/ },
  },
  bc: reads("GNU bc 1.07 manual", {
    flags: "-h -i -l -q -s -v -w --mathlib --quiet --standard --warn",
    operands: "read",
    takesCode: { ...TAKES_COMMANDS, reaches: /^[ \t]*!/m, code: /^[ \t]*!(.*)/m },
  }),
  dc: {
    ...INTERPRETER,
    informs: "--version --help -V",
    manual: "GNU dc 1.4 manual",
    takesCode: { ...TAKES_COMMANDS, reaches: /!(?![<>=])/, code: /!(?![<>=])(.*)/ },
  },
};
