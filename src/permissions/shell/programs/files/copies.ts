import type { ProgramCall } from "../../invocation/program-call.js";
import { edited, type ShellWord, unknownWord } from "../../words/shell-word.js";

/** With such an end no name is one that another program looks for. */
const INERT = /^(?:|~|[._-]?(?:bak|back|backup|orig|old|tmp|temp|save|prev|copy)\d*~?|[._-]?\d+)$/i;

/** A program keeps the old file under its name and a suffix: `sed -i.bak`, `cp -S .bak`. One with a slash is not used. */
export function keepsCopy(call: ProgramCall, file: ShellWord, suffix: ShellWord): void {
  const { value } = suffix;
  if (value === null) call.write(unknownWord(suffix.raw), "create");
  else if (!INERT.test(value) && !value.includes("/"))
    call.write(
      edited(file, (text) => text + value),
      "create",
    );
}
