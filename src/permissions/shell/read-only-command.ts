import { analyzeCommand } from "./analyze-command.js";
import { MOVES } from "./script/findings.js";

/**
 * Whether a command line plainly does no more than read and print, wherever what it reads lies.
 *
 * Pass it to the bash tool, so that such commands may run beside other readers: `bash: { isReadOnlyCommand }`. A
 * command that moves to another directory is not one: the next command stands there.
 */
export function isReadOnlyCommand(command: string): boolean {
  const { commands, effects, opaque, outsideGrammar, takesRefs } = analyzeCommand(command, ANYWHERE);
  // The names that a repository holds are not looked up here.
  if (opaque || takesRefs || outsideGrammar.length > 0 || commands.length === 0) return false;
  return (
    commands.every(({ readOnly, doubts, program }) => readOnly && doubts.length === 0 && !MOVES.has(program ?? "")) &&
    // Whether a name behind wildcards looks like an option is not looked up here.
    effects.every(
      (effect) => effect.kind === "exec" || (effect.kind === "read" && !(effect.listing && effect.only === "names")),
    )
  );
}

/** A place for commands whose directory and home make no difference. */
const ANYWHERE = { cwd: "/workspace", home: "/home" };
