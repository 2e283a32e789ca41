import type { CommandWrapper } from "./analysis.js";
import type { CommandInput } from "./programs/program.js";
import type { ShellWord } from "./shell-word.js";

/** What surrounds a command: who starts it, and what it reads. */
export interface Place {
  readonly wrappers: readonly CommandWrapper[];
  /** The words of each wrapper, outermost first. */
  readonly outer: readonly (readonly ShellWord[])[];
  readonly startedBy: number | null;
  /** The command in whose words, as a substitution, this place is. */
  readonly within: number | null;
  readonly covered: boolean;
  /** On another machine, or in a container: its paths are not ours. */
  readonly remote: boolean;
  readonly input: CommandInput;
}

/** Where the script itself stands: the shell has no input. */
export const TOP: Place = {
  wrappers: [],
  outer: [],
  startedBy: null,
  within: null,
  covered: false,
  remote: false,
  input: { kind: "none" },
};
