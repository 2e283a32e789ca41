// Commands that copy, move or link files, and the copies that programs keep of a file they change.
import { edited, literalWord, type ShellWord, unknownWord } from "../words/shell-word.js";
import type { ParsedOptions } from "./options.js";
import type { ProgramCall } from "./program-call.js";

/** Reports what goes from the operands to the last one, or to the directory of `-t`. */
export function reportTransfer(kind: "copy" | "move" | "link", call: ProgramCall, options: ParsedOptions): void {
  const [directory] = options.all("-t", "--target-directory");
  const sources = directory ? options.operands : options.operands.slice(0, -1);
  const target = directory ? directory.value : options.operands.at(-1);
  // A link that is copied as one leads on from its new place.
  const recursive =
    kind === "move" || options.has("-r", "-R", "-a", "-d", "-P", "--recursive", "--archive", "--no-dereference");
  for (const source of sources) {
    if (kind === "move") call.write(source, "delete", true);
    if (kind === "move") call.mayRead(source);
    else if (target && kind === "link" && isSymbolic(options)) pointsTo(call, source, target);
    else call.read(source, { recursive });
  }
  if (!target) return;
  if (sources.length === 0) {
    // `ln target` makes a link of the same name here.
    call.read(target);
    call.write(nameIn(literalWord("."), target), "create");
    return;
  }
  if (call.program === "cp" && options.has("-s", "-l", "--symbolic-link", "--link")) {
    call.doubt("option", '"cp" makes links, so that what is written later reaches the files behind them');
  }
  const keepsDirectories = options.has("--parents");
  const suffix = options.all("-S", "--suffix").at(-1)?.value;
  for (const file of [target, ...sources.map((source) => nameIn(target, source, keepsDirectories))]) {
    call.write(file, "create");
    if (suffix) keepsCopy(call, file, suffix);
  }
}

/** A symbolic link holds its text as it is written, which leads on from the directory of the link. */
function isSymbolic(options: ParsedOptions): boolean {
  return options.has("-s", "--symbolic") && !options.has("-r", "--relative");
}

function pointsTo(call: ProgramCall, text: ShellWord, target: ShellWord): void {
  if (text.value === null || text.value.startsWith("/") || target.value === null) {
    call.read(text);
    return;
  }
  call.isText(text);
  if (/(?:^|\/)\.{0,2}$/.test(target.value)) {
    call.read(nameIn(target, text, true));
    return;
  }
  const parent = edited(target, (path) => /^(.*)\//s.exec(path)?.[1] ?? ".");
  call.read(nameIn(parent, text, true));
  call.mayRead(nameIn(target, text, true));
}

/** The path a file gets when the target is a directory; `whole`: with the directories that its name holds. */
function nameIn(directory: ShellWord, file: ShellWord, whole = false): ShellWord {
  const join = (target: string | null, text: string | null) =>
    target === null || text === null
      ? null
      : `${target}/${text.replace(/\/+$/, "").replace(whole ? /^\/+/ : /^.*\//, "")}`;
  return {
    ...directory,
    value: join(directory.value, file.value),
    known: join(directory.known, file.known),
    pattern: directory.pattern || file.pattern,
    guesses: directory.guesses.flatMap((target) => file.guesses.map((text) => join(target, text)!)).slice(0, 8),
  };
}

/** With such an end no name is one that another program looks for. */
const INERT = /^(?:|~|[._-]?(?:bak|back|backup|orig|old|tmp|temp|save|prev|copy)\d*~?|[._-]?\d+)$/i;

/** The old file is kept under its name and a suffix: `sed -i.bak`, `cp -S .bak`. One with a slash is not used. */
export function keepsCopy(call: ProgramCall, file: ShellWord, suffix: ShellWord): void {
  const { value } = suffix;
  if (value === null) call.write(unknownWord(suffix.raw), "create");
  else if (!INERT.test(value) && !value.includes("/"))
    call.write(
      edited(file, (text) => text + value),
      "create",
    );
}
