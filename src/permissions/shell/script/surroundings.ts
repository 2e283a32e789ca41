import type { CommandWrapper } from "../analysis.js";
import type { CommandInput } from "../invocation/program-call.js";
import type { ShellWord } from "../words/shell-word.js";

/** A command's surroundings: its wrappers, the command that starts it, and its input. */
export interface CommandSurroundings {
  readonly wrappers: readonly CommandWrapper[];
  /** The words of each wrapper, outermost first. */
  readonly outer: readonly (readonly ShellWord[])[];
  readonly startedBy: number | null;
  /** The command in whose words, as a substitution, this place is. */
  readonly parentIndex: number | null;
  readonly impliedByParent: boolean;
  /** On another machine, or in a container: its paths are not ours. */
  readonly remote: boolean;
  readonly input: CommandInput;
}

/** The surroundings of the script itself: the shell has no input. */
export const TOP: CommandSurroundings = {
  wrappers: [],
  outer: [],
  startedBy: null,
  parentIndex: null,
  impliedByParent: false,
  remote: false,
  input: { kind: "none" },
};

/** A command that starts others. */
interface Starter {
  readonly index: number;
  readonly words: readonly ShellWord[];
  readonly surroundings: CommandSurroundings;
}

/** Inside of a command: what it starts. `isImplied`: to allow the command is to allow that. */
export function startedBy({ index, words, surroundings }: Starter, isImplied: boolean) {
  const [head] = words;
  return {
    ...through(surroundings, words, { program: head?.value ?? head?.raw ?? "", harmless: false }),
    startedBy: index,
    parentIndex: null,
    impliedByParent: surroundings.impliedByParent || isImplied,
  };
}

/** The reason why a line is outside of the grammar: a variable stands where its values have to be known. */
export function notShown(variable: string): string {
  return `the line does not show every value of "${variable}"`;
}

/** Behind a wrapper with these words. */
export function through(
  { wrappers, outer }: CommandSurroundings,
  words: readonly ShellWord[],
  wrapper: CommandWrapper,
): Pick<CommandSurroundings, "wrappers" | "outer"> {
  return { wrappers: [...wrappers, wrapper], outer: [...outer, words] };
}
