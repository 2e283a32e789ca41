import type { ProgramRow } from "../../src/permissions/shell/programs/program-row.js";
import { FAMILIES } from "../../src/permissions/shell/programs/table.js";
import type { Random } from "../permissions/shell/random-script.js";

// Lines about what programs do: real programs with every option of their rows, and some that no row has, on files that may be read and
// on files that may not.
//
//   line     call | call "|" call | call ">" file | for f in wildcard; do call with $f; done | cd directory && call
//   call     program option* operand*
//   option   an option of the program's row, in any role, with a value glued, after "=" or in the next word; now and then a letter
//            that is not in the row
//   operand  an ordinary file, a wildcard, a directory, a link, a path with "..", a secret, a pattern, a number, what some programs
//            take for an order to run another
//   value    an operand, or the name of a program that leaves a mark when it runs

/** The program that leaves a mark. */
export const MARKER = "marker-program";

const FAMILIES_USED = ["Text", "Search", "Files", "Archives", "Binaries, documents and sources"] as const;
/** They wait for somebody, never end, or need a machine of their own. */
const LEFT_OUT = new Set("tail shred dd mkfifo install unlink tsort parallel xargs".split(" "));
const EXTRA = ["sed", "awk", "git", "date", "printenv", "seq"];
const OPERANDS = [
  "a.txt",
  "b.txt",
  "*.txt",
  "src",
  "src/c.txt",
  "src/*",
  ".",
  ".env",
  "secrets/key.txt",
  "link",
  "link/../outside.txt",
  "../outside.txt",
  "./-n",
  "new.txt",
  "1",
  "x",
  "s/a/b/",
  "'{print $1}'",
  '\'BEGIN{print "x" > "made"}\'',
  "status",
  "log",
  "diff",
  "HEAD",
  `'BEGIN{system("${MARKER}")}'`,
  `'1e ${MARKER}'`,
  `-exec ${MARKER} {} +`,
];
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0";

const ROWS: readonly (readonly [string, ProgramRow])[] = [
  ...FAMILIES_USED.flatMap((family) => Object.entries(FAMILIES[family]!)),
  ...Object.values(FAMILIES).flatMap((family) => Object.entries(family).filter(([name]) => EXTRA.includes(name))),
].filter(([name]) => !LEFT_OUT.has(name));

/** A line, by the grammar above. `isThere`: programs that this machine has. */
export function randomInvocation(random: Random, isThere: (program: string) => boolean): string {
  const rows = ROWS.filter(([name]) => isThere(name));
  const call = (file?: string) => randomCall(random, random.pick(rows), file);
  switch (random.below(8)) {
    case 0:
      return `${call()} | ${call()}`;
    case 1:
      return `${call()} > ${random.pick(["out.txt", "src/out.txt", "/dev/null"])}`;
    case 2:
      return `for f in ${random.pick(["*.txt", "src/*"])}; do ${call(random.pick(["$f", '"$f"']))}; done`;
    case 3:
      return `cd src && ${call()}`;
    default:
      return call();
  }
}

function randomCall(random: Random, [name, row]: readonly [string, ProgramRow], file?: string): string {
  const options = Array.from({ length: random.below(3) }, () => randomOption(random, row));
  const operands = Array.from({ length: random.below(4) }, () => random.pick(OPERANDS));
  return [name, ...options, ...operands, ...(file ? [file] : [])].join(" ");
}

function randomOption(random: Random, row: ProgramRow): string {
  if (random.below(6) === 0) return `-${LETTERS[random.below(LETTERS.length)]}`;
  const flags = wordsIn(row.flags, row.hazards);
  const valued = wordsIn(row.values, row.reads, row.loads, row.writes, row.runs, row.hazardValues, row.attached);
  const option = random.pick([...flags, ...valued, ...valued, "--"]);
  if (!valued.includes(option)) return option;
  const value = random.pick([...OPERANDS, MARKER, `./${MARKER}`]);
  const glue = option.startsWith("--") ? "=" : "";
  return random.below(2) === 0 ? `${option}${glue}${value}` : `${option} ${value}`;
}

function wordsIn(...lists: readonly (string | undefined)[]): readonly string[] {
  return lists.flatMap((list) => list?.split(/\s+/).filter(Boolean) ?? []);
}
