import { type ShellWord, unknownWord } from "../shell-word.js";
import { reportCodeInput } from "./code-input.js";
import { reportReach } from "./further-reach.js";
import { hasHazards, listed, parseOptions } from "./options.js";
import type { ParsedOptions, ProgramCall, ProgramEntry } from "./program.js";

/** Reports what an invocation does, as its program's entry describes. */
export function reportInvocation(entry: ProgramEntry, call: ProgramCall): void {
  if (entry.tellsVersion && call.args.length === 1 && call.args[0]!.value === "--version") {
    call.onlyReads();
    return;
  }
  const parsed = parseOptions(entry, call.args);
  if (entry.nature === "reads" && parsed.unknown.length === 0) call.onlyReads();
  if (parsed.uncertain && hasHazards(entry)) {
    call.doubt("option", `a word of "${call.program}" may become an option that makes it do more than read`);
  }
  if (hasHazards(entry) || entry.reads !== undefined) for (const names of parsed.lists) call.lists(names);
  for (const { name, value } of parsed.options) reportOption(entry, call, name, value);
  reportReach(call);
  reportCodeInput(call);
  if (entry.analyze) entry.analyze(call, parsed);
  else reportOperands(entry, call, parsed);
}

function reportOption(entry: ProgramEntry, call: ProgramCall, name: string, value: ShellWord | null): void {
  if (listed(entry.reads, name)) {
    if (value && value.value !== "-") call.read(value);
    // The file holds the names of those that are read.
    if (/^--files(?:0)?-from$/.test(name) || `${call.program} ${name}` === "file -f") call.read(unknownWord(name));
    return;
  }
  const isHazard = listed(entry.hazards, name) || listed(entry.hazardValues, name);
  const writes = listed(entry.writes, name);
  const runs = listed(entry.runs, name);
  if (!isHazard && !writes && !runs) return;
  call.acts();
  if (entry.nature === "reads" || isHazard || runs) {
    const what = writes ? "write a file" : runs ? "run another program" : "do more than its name says";
    call.doubt("option", `"${name}" makes "${call.program}" ${what}`);
  }
  if (writes && value && value.value !== "-") call.write(value, "create");
  if (runs && value) call.script(value);
}

/** Reports the operands as the kind of file the entry says. */
export function reportOperands(entry: ProgramEntry, call: ProgramCall, parsed: ParsedOptions): void {
  const files = entry.operands === "pattern" && !parsed.has("-e", "-f", "--regexp", "--file", "--files") ? 1 : 0;
  const operands = parsed.operands.slice(files).filter(({ value }) => value !== "-");
  // A list of names may be empty.
  const mayBeNone = operands.every(({ listed, splits, vanishes }) => (listed && splits) || vanishes);
  switch (entry.operands) {
    case "read":
    case "pattern":
      for (const operand of operands) call.read(operand, entry);
      if (mayBeNone && entry.recursive) call.readDirectory(entry, operands);
      return;
    case "directory":
      for (const operand of operands) call.read(operand, entry);
      if (mayBeNone) call.readDirectory(entry, operands);
      return;
    case "write":
      for (const operand of operands) call.write(operand, "modify");
      return;
    case "delete":
      for (const operand of operands) call.write(operand, "delete");
      return;
    default:
  }
}
