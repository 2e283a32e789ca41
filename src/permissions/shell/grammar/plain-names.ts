// Which names of programs and variables are in the grammar of lines that run without a rule.
import { isSetting } from "../words/environment.js";
import { OutsideGrammar } from "./text-cursor.js";

/** What the name of a program may look like: `git`, `./gradlew`, `/usr/bin/env`. */
const PROGRAM = /^(?:[\w./+@-]+|\[|:)$/;
const KEYWORDS = new Set(
  "case coproc do done elif else esac fi for function if in select then until while time [[ ]] { } !".split(" "),
);

/** @throws OutsideGrammar when the first word of a command is not the name of a program, or of a builtin */
export function checkProgram(name: string | null): void {
  if (name === null || !PROGRAM.test(name)) throw new OutsideGrammar("the name of a program is not a plain word");
  if (KEYWORDS.has(name)) throw new OutsideGrammar(`"${name}" changes how the line is read`);
}

/** Why a variable may not be set to this, `null` for a value that is not plain: programs read it as a setting. */
export function settingIn(name: string, value: string | null): OutsideGrammar | null {
  return isSetting(name, value) ? new OutsideGrammar(`"${name}" can change what programs do`) : null;
}
