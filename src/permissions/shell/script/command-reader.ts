import type { Assignment, Command, CommandArgument, Redirection, Word, WordPart } from "unbash";
import type { CommandAssignment } from "../analysis.js";
import { builtinNamed } from "../builtins/builtins.js";
import { whyNotPlain } from "../builtins/plain-words.js";
import { assignmentWord, readAssignment } from "../words/assignments.js";
import { pathsElsewhere } from "../words/paths.js";
import { readWord } from "../words/read-word.js";
import { type Directories, type Outcome, type ShellWord, withAndWithout } from "../words/shell-word.js";
import { WordScope } from "../words/word-scope.js";
import { CommandFollower } from "./command-follower.js";
import { MAX_ARGUMENTS, MAX_ASSIGNMENTS, MAX_REDIRECTIONS } from "./findings.js";
import { inputOf, readRedirect, surelyOpens } from "./redirections.js";
import type { ReadRedirect, ShellScript } from "./script.js";
import { notShown } from "./surroundings.js";

/** Reads simple commands: their words, redirections and assignments. What they run is up to the `CommandFollower`. */
export class CommandReader {
  readonly #script: ShellScript;
  readonly #follower: CommandFollower;

  constructor(script: ShellScript) {
    this.#script = script;
    this.#follower = new CommandFollower(script);
  }

  read(node: Command, directories: Directories): Outcome {
    const script = this.#script;
    const scope = new WordScope(this.#script, directories);
    const first = script.findings.commands.length;
    const prefix = this.#within(MAX_ASSIGNMENTS, node.prefix, "assignments");
    const assignments = prefix.flatMap((part) => (part.type === "Assignment" ? readAssignment(part, scope) : []));
    const words = node.name ? [...readWord(node.name, scope)] : [];
    const suffix = this.#within(MAX_ARGUMENTS, node.suffix, "words");
    for (const part of suffix) {
      if (words.length > MAX_ARGUMENTS) {
        script.findings.leaveUnparsed(suffix.map(textOf).join(" "), "A command has too many words to follow each");
        break;
      }
      if (part.type === "Word") words.push(...this.#shown(readWord(part, scope), part, node.name?.value ?? ""));
      else if (part.type === "Assignment") words.push(assignmentWord(part, scope));
    }
    const redirects = this.#redirects(node.redirects, directories);
    const why = whyNotPlain(words);
    if (why !== null) script.outside(why);

    const input = inputOf(redirects) ?? script.surroundings.input;
    const outcome = script.within({ input }, () => {
      if (words.length > 0)
        return this.#follower.runEach(withAndWithout(words), { assignments, redirects, directories });
      this.#sticky(assignments);
      if (redirects.length > 0) this.#redirectionsOnly(redirects, directories);
      return { ok: directories, fail: directories };
    });

    const within = script.findings.commands.length > first ? first : null;
    script.within({ parentIndex: within, input: { kind: "unknown" } }, () => {
      for (const part of prefix) script.expansions.scan(part, directories);
      if (node.name) script.expansions.scan(node.name, directories);
      for (const part of suffix) script.expansions.scan(part, directories);
    });
    return outcome;
  }

  /** The words a loop goes through. */
  listed(nodes: readonly Word[], directories: Directories): void {
    const scope = new WordScope(this.#script, directories);
    const words = nodes.flatMap((node) => this.#shown(readWord(node, scope), node, null));
    const paths = words.flatMap((word) => pathsElsewhere(word, directories));
    if (paths.length === 0) return;
    const draft = this.#follower.open({ words: [], assignments: [], redirects: [], directories });
    draft.reads = true;
    this.#follower.lists(draft, paths);
  }

  /** The redirections of a compound command, which does not run when one of them fails. Returns whether that may be. */
  redirectionsOnly(nodes: readonly Redirection[], directories: Directories): boolean {
    const redirects = this.#redirects(nodes, directories);
    this.#redirectionsOnly(redirects, directories);
    for (const node of nodes) this.#script.expansions.scan(node, directories);
    return !redirects.every(surelyOpens);
  }

  /** A variable without quotes may become any words unless the line shows its values, or they are names of files. */
  #shown(words: readonly ShellWord[], { parts }: Word, program: string | null): readonly ShellWord[] {
    if (program === "echo") return words;
    const isBuiltin = builtinNamed(program) !== undefined;
    if (!words.some(({ splits, listed }) => splits && (!listed || isBuiltin))) return words;
    const name = parts?.map(variableIn).find((each) => each !== null) ?? undefined;
    // A list may be whatever a command prints.
    const isList = program === null && name !== undefined && this.#script.variables.outputIn(name) !== null;
    if (name !== undefined && !isList) this.#script.outside(notShown(name));
    return words;
  }

  /** The first of the parts of a command; the others are left to a search by words. */
  #within<Part extends Assignment | CommandArgument | Redirection>(
    most: number,
    parts: readonly Part[],
    what: string,
  ): readonly Part[] {
    if (parts.length <= most) return parts;
    const rest = parts.slice(most).map(textOf);
    this.#script.findings.leaveUnparsed(rest.join(" "), `A command has more than ${most} ${what}`);
    return parts.slice(0, most);
  }

  #redirects(nodes: readonly Redirection[], directories: Directories): readonly ReadRedirect[] {
    const scope = new WordScope(this.#script, directories);
    return this.#within(MAX_REDIRECTIONS, nodes, "redirections").map((redirect) => readRedirect(redirect, scope));
  }

  #redirectionsOnly(redirects: readonly ReadRedirect[], directories: Directories): void {
    const draft = this.#follower.open({ words: [], assignments: [], redirects, directories });
    draft.reads = true;
  }

  /** Variables that a script sets for all that follows. */
  #sticky(assignments: readonly CommandAssignment[]): void {
    for (const { name, value } of assignments) {
      this.#script.findings.setsVariable(name, value);
      this.#script.set.add(name);
    }
  }
}

function textOf(part: Assignment | CommandArgument | Redirection): string {
  if ("text" in part) return part.text;
  return "target" in part ? (part.target?.text ?? "") : "";
}

/** The variable that stands there without more: the grammar speaks about other expansions. */
function variableIn(part: WordPart): string | null {
  if (part.type === "SimpleExpansion") return part.text.slice(1);
  return part.type === "ParameterExpansion" && !part.operation ? part.parameter : null;
}
