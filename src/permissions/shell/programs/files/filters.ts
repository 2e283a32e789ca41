import { isPlainFilter } from "../../invocation/jq-program.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { unknownWord } from "../../words/shell-word.js";
import type { ProgramRow } from "../program-row.js";
import { reads } from "../reach.js";

const FILES = { only: "files" } as const;
/** Without a filter in front `yq` shows it whole. */
const FILE = /^[\w./@-]+\.(?:ya?ml|json|toml|xml)$/;
/** Files are named only at the start of a filter, before any value. */
const STARTS_VALUE = /^\s*[.[({"$]/;

/** Programs that take a filter, and then the files it is applied to. */
export const FILTER_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  jq: reads("jq 1.6 manual", {
    repeatable: [""],
    flags: `-n -R -s -c -C -M -a -S -r -j -e -h --null-input --raw-input --slurp --compact-output --tab --color-output
      --monochrome-output --ascii-output --unbuffered --sort-keys --raw-output --join-output --exit-status --seq
      --stream --raw-output0 --args --jsonargs --arg --argjson --slurpfile --rawfile --argfile --help --version`,
    values: "--indent",
    reads: "-f --from-file -L",
    analyze(call, options) {
      analyzeJq(call, options.has("-f", "--from-file"));
    },
  }),
  yq: reads("yq 4.40 documentation", {
    flags: "-r -P -e -o -j -y -n -M -C --unwrapScalar --prettyPrint",
    values: "-o -p --output-format --input-format -I --indent",
    hazards: "-i --inplace -s --split-exp --in-place",
    analyze(call, { operands }) {
      // `eval` and `eval-all` come before the filter, in whose place a file may stand.
      const [first, second] = operands.map(({ value }) => value ?? "\n");
      const isPlain = [first, isValue(first) ? undefined : second].every((text = ".") => mayBeFilter(text));
      if (!isPlain) call.acts();
      for (const operand of operands) if (operand.value !== "-") call.read(operand, FILES);
    },
  }),
};

/** A filter, and surely not a command or a file. */
function isValue(text = ""): boolean {
  return STARTS_VALUE.test(text) && isPlainFilter(text);
}

/** The filter of `yq`, the word before it, or the name of a file. */
function mayBeFilter(text: string): boolean {
  return /^(?:e|ea|eval|eval-all)$/.test(text) || FILE.test(text) || isPlainFilter(text);
}

const JQ_PAIRS = new Set(["--arg", "--argjson"]);
const JQ_FILES = new Set(["--slurpfile", "--rawfile", "--argfile"]);

/** jq's options with two values fit no common parser. It has no way to write files or start programs. */
function analyzeJq(call: ProgramCall, hasFilterFile: boolean): void {
  if (hasFilterFile) call.doubt("script", '"jq" runs a filter that was not read');
  let filters = hasFilterFile ? 0 : 1;
  let positional = false;
  const rest = [...call.args];
  for (let word = rest.shift(); word; word = rest.shift()) {
    const text = word.value ?? "";
    if (JQ_PAIRS.has(text)) rest.splice(0, 2);
    else if (JQ_FILES.has(text)) {
      const file = rest.splice(0, 2)[1];
      if (file) call.read(file);
    } else if (text === "--indent" || text === "-f" || text === "--from-file" || text === "-L") rest.shift();
    else if (text === "--args" || text === "--jsonargs") positional = true;
    else if (text.startsWith("-")) continue;
    else if (filters > 0) {
      filters--;
      const texts = word.value === null ? (word.complete ? word.guesses : []) : [word.value];
      const isUnknown = texts.length === 0 && !STARTS_VALUE.test(word.prefix);
      if (isUnknown || !texts.every(isPlainFilter)) call.read(unknownWord(word.raw));
    } else if (!positional) call.read(word, FILES);
  }
}
