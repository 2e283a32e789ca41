// Interpreters that take their program from their input, when their words bring none.

import { startsFromCode } from "./further-reach.js";
import type { ProgramCall } from "./program.js";

interface InputReader {
  /** Options that bring a program, or say that none is run. */
  readonly brings: RegExp;
  /** With so many operands the input is data. Default: 1. */
  readonly operands?: number;
  /** The only strings in its input that reach beyond its own language. Default: any text may. */
  readonly reaches?: RegExp;
  /** A shell command in it that stands in no quotes, in the first group. */
  readonly code?: RegExp;
}

const INFORMS = "-V|--version|--help";
const LANGUAGE: InputReader = {
  brings: new RegExp(`^(?:-[a-zA-Z]*[ceEmp].*|--?(?:eval|print|execute)\\b.*|${INFORMS})$`),
};
const DATABASE: InputReader = {
  brings: new RegExp(`^(?:-[cefl].*|--(?:command|execute|file|list)\\b.*|${INFORMS})$`),
  operands: 9,
};
const EDITOR: InputReader = { brings: new RegExp(`^(?:${INFORMS})$`), operands: 99 };

/** Sources: the manual of each. */
const READERS: ReadonlyMap<string, InputReader> = new Map([
  ...each(
    `python python2 python3 pypy pypy3 node nodejs deno bun tsx perl ruby irb php lua luajit jimsh guile
    racket julia octave octave-cli gnuplot R Rscript ghci ocaml scala groovy jshell erl elixir iex sbcl clisp swipl gforth gp
    maxima osascript qjs scheme csi gosh clojure clj crystal`,
    LANGUAGE,
  ),
  ...each("tclsh wish expect", { ...LANGUAGE, code: /\b(?:exec|spawn|open\s+"?\|)\s+([^\]\n;]+)/ }),
  ...each("psql mysql mariadb mongosh mongo redis-cli clickhouse-client", DATABASE),
  ["sqlite3", { brings: new RegExp(`^(?:-cmd|${INFORMS}|-version|-help)$`), operands: 2 }],
  ...each("ed red ex vi vim nvim emacs gdb lldb ftp sftp lftp telnet", {
    ...EDITOR,
    code: /^[ \t]*(?:[\d,%.]*!|shell[ \t])(.*)/m,
  }),
  ["m4", { ...EDITOR, code: /syscmd\(\s*[`']*([^)'`]*)/ }],
  ["bc", { ...EDITOR, reaches: /^[ \t]*!/m, code: /^[ \t]*!(.*)/m }],
  ["dc", { ...EDITOR, reaches: /!(?![<>=])/, code: /!(?![<>=])(.*)/ }],
]);
/** Versions of them: `python3.12`, `lua5.4`, `tclsh8.6`. */
const VERSION = /-?\d[\d.]*$/;
/** Options whose value is the next word. */
const TAKES_NEXT = /^(?:-[rWXIl]|--(?:require|import|loader))$/;

/** Reports a program in its input, so that no rule about all commands speaks for it. */
export function reportCodeInput(call: ProgramCall): void {
  const { input } = call;
  const reader = READERS.get(call.program) ?? READERS.get(call.program.replace(VERSION, ""));
  if (!reader || input.kind === "none") return;
  if (input.kind === "text" && reader.reaches && !reader.reaches.test(input.text)) return;
  if (input.kind !== "text" && reader.reaches && call.program === "bc") return;
  // What only data says is looked at, too: where the program stands may have been misread.
  if (input.kind === "text") {
    startsFromCode(call, [input.text]);
    const command = reader.code?.exec(input.text.slice(0, MAX_TEXT))?.[1];
    if (command) call.mayRun(command);
  }
  if (!isFromInput(call, reader)) return;
  call.doubt("script", `"${call.program}" runs what it reads from its input`);
  call.acts();
}

const MAX_TEXT = 4_000;

function isFromInput({ args }: ProgramCall, { brings, operands: most = 1 }: InputReader): boolean {
  let operands = 0;
  for (const [index, { value, prefix }] of args.entries()) {
    const text = value ?? prefix;
    if (text === "-" || text === "/dev/stdin") return true;
    if (text === "--") continue;
    if (/^-./.test(text)) {
      if (operands === 0 && brings.test(text)) return false;
    } else if (!TAKES_NEXT.test(args[index - 1]?.value ?? "")) operands++;
  }
  return operands < most;
}

function each(names: string, reader: InputReader): (readonly [string, InputReader])[] {
  return names.split(/\s+/).map((name) => [name, reader] as const);
}
