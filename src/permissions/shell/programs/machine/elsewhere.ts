import type { ProgramCall } from "../../invocation/program.js";
import { literalWord } from "../../words/shell-word.js";
import type { ProgramRow } from "../program-row.js";
import { RUNS_CODE, STARTS } from "../reach.js";

const LATER: ProgramRow = {
  manual: "at 3.2 manual",
  does: RUNS_CODE,
  flags: "-l -m -M -v -V -d -r -b -c",
  values: "-q -t",
  reads: "-f",
  analyze: runsInputLater,
};

/** Programs that start others in a terminal of their own, or later. */
export const ELSEWHERE_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  tmux: {
    manual: "tmux 3.3 manual",
    does: STARTS,
    informs: "ls list-sessions list-windows -V",
    anyOptions: true,
    analyze: analyzeTerminal,
  },
  screen: {
    manual: "GNU Screen 4.9 manual",
    does: STARTS,
    informs: "-ls -v",
    anyOptions: true,
    analyze: analyzeTerminal,
  },
  at: LATER,
  batch: LATER,
};

/** A terminal of its own, in which any of its words, or all from there on, may be what it starts. */
function analyzeTerminal(call: ProgramCall): void {
  for (const [index, { prefix, value }] of call.args.slice(0, 8).entries()) {
    if (value !== null && /\s/.test(value)) call.mayRun(value);
    else if (index > 0 && !prefix.startsWith("-"))
      call.start(call.args.slice(index), { impliedByParent: true, elsewhere: true });
    else if (call.program === "screen" && !prefix.startsWith("-"))
      call.start(call.args.slice(index), { impliedByParent: true });
  }
}

function runsInputLater(call: ProgramCall): void {
  if (call.input.kind === "text") call.script(literalWord(call.input.text), { impliedByParent: true });
  else call.doubt("opaque", `"${call.program}" runs what it reads from its input`);
}
