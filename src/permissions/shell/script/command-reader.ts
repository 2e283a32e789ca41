import type { Assignment, Command, CommandArgument, Redirection, Word } from "unbash";
import type { CommandAssignment, EffectPath } from "../analysis.js";
import { BUILTINS } from "../builtins/builtins.js";
import { mentionFiles } from "../invocation/mentions.js";
import { parseOptions } from "../invocation/options.js";
import { reportInvocation } from "../invocation/report-invocation.js";
import { HARMLESS_WRAPPERS } from "../programs/machine/wrappers.js";
import { findProgram } from "../programs/table.js";
import { assignmentWord, readAssignment } from "../words/assignments.js";
import { isHazardous, isOwnModules, isTuning, namesProgram } from "../words/environment.js";
import { type Directories, joinDirectories, type Outcome, pathsElsewhere } from "../words/paths.js";
import { readWord } from "../words/read-word.js";
import { literalWord, type ShellWord, withAndWithout } from "../words/shell-word.js";
import type { CommandDraft } from "./findings.js";
import { MAX_ARGUMENTS, MAX_ASSIGNMENTS, MAX_REDIRECTIONS, MAX_WRAPPERS } from "./limits.js";
import { programCall } from "./program-call.js";
import { inputOf, type ReadRedirect, readRedirect, redirectEffects, surelyOpens } from "./redirections.js";
import type { ScriptReader } from "./script-reader.js";
import { isShell, readShellCall } from "./shells.js";
import { Starter } from "./starter.js";

/** A simple command on its way through the wrappers. */
export interface Invocation {
  readonly words: readonly ShellWord[];
  readonly assignments: readonly CommandAssignment[];
  readonly redirects: readonly ReadRedirect[];
  readonly directories: Directories;
}

/** Reads simple commands: their words, redirections and assignments, through wrappers, down to what each program does. */
export class CommandReader {
  readonly #script: ScriptReader;
  readonly #starter: Starter;

  constructor(script: ScriptReader) {
    this.#script = script;
    this.#starter = new Starter(script, (invocation) => this.start(invocation));
  }

  read(node: Command, directories: Directories): Outcome {
    const script = this.#script;
    const scope = script.scope(directories);
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
      if (part.type === "Word") words.push(...readWord(part, scope));
      else if (part.type === "Assignment") words.push(assignmentWord(part, scope));
    }
    const redirects = this.#redirects(node.redirects, directories);

    const input = inputOf(redirects) ?? script.surroundings.input;
    const outcome = script.within({ input }, () => {
      if (words.length > 0) return this.#runEach(withAndWithout(words), { assignments, redirects, directories });
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
    const scope = this.#script.scope(directories);
    const paths = nodes.flatMap((node) => readWord(node, scope)).flatMap((word) => pathsElsewhere(word, directories));
    if (paths.length === 0) return;
    const draft = this.open({ words: [], assignments: [], redirects: [], directories });
    draft.reads = true;
    this.#lists(draft, paths);
  }

  /** The redirections of a compound command. */
  /** Those of a compound command, which does not run when one of them fails: whether that may be. */
  redirectionsOnly(nodes: readonly Redirection[], directories: Directories): boolean {
    const redirects = this.#redirects(nodes, directories);
    this.#redirectionsOnly(redirects, directories);
    for (const node of nodes) this.#script.expansions.scan(node, directories);
    return !redirects.every(surelyOpens);
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
    const scope = this.#script.scope(directories);
    return this.#within(MAX_REDIRECTIONS, nodes, "redirections").map((redirect) => readRedirect(redirect, scope));
  }

  /** Runs a command in each of the forms it may have. */
  #runEach(forms: readonly (readonly ShellWord[])[], rest: Omit<Invocation, "words">): Outcome {
    const outcomes = forms.map((words) => this.run({ ...rest, words }));
    return outcomes.reduce((left, right) => ({
      ok: joinDirectories(left.ok, right.ok),
      fail: joinDirectories(left.fail, right.fail),
    }));
  }

  /** Runs words: a builtin, a function, a wrapper or a program. */
  run(invocation: Invocation): Outcome {
    const { words, directories } = invocation;
    const script = this.#script;
    const stays: Outcome = { ok: directories, fail: directories };
    const [head] = words;
    if (!head || script.findings.isFull) return stays;
    const name = head.value;
    if (name !== null && script.functionNames.has(name)) return this.#callFunction(name, invocation);
    return this.runPastFunctions(invocation);
  }

  /** Runs a builtin, a wrapper or a program, whatever functions there are. */
  runPastFunctions(invocation: Invocation): Outcome {
    const { words, directories } = invocation;
    const script = this.#script;
    const stays: Outcome = { ok: directories, fail: directories };
    const name = words[0]!.value;
    if (this.#isTooDeep(invocation)) return stays;
    const programs = programsIn(words[0]!);
    if (programs)
      return this.#runEach(
        programs.map((each) => [each, ...words.slice(1)]),
        invocation,
      );
    if (name === null) {
      this.#unknownProgram(invocation);
      return stays;
    }
    const builtin = Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : undefined;
    if (builtin) {
      return (
        builtin({ reader: this, script, invocation, args: words.slice(1), open: () => this.open(invocation) }) ?? stays
      );
    }
    const wrapper = Object.hasOwn(HARMLESS_WRAPPERS, baseName(name)) ? HARMLESS_WRAPPERS[baseName(name)] : undefined;
    if (wrapper && this.#throughHarmless(invocation)) return stays;
    this.#program(name, invocation);
    return stays;
  }

  /** Wrappers inside wrappers without end: what the last one starts is left to a search by words. */
  #isTooDeep({ words }: Invocation): boolean {
    const { findings, surroundings } = this.#script;
    if (findings.isFull) return true;
    if (surroundings.wrappers.length < MAX_WRAPPERS) return false;
    findings.leaveUnparsed(words.map(({ value, raw }) => value ?? raw).join(" "), "Wrappers are nested too deep");
    return true;
  }

  /** Starts the entry of a command, with its assignments, redirections, and the directories its wildcards list. */
  open(invocation: Invocation): CommandDraft {
    const { findings, surroundings } = this.#script;
    const draft = findings.add({
      words: invocation.words,
      assignments: [...invocation.assignments],
      wrappers: surroundings.wrappers,
      outer: surroundings.outer,
      startedBy: surroundings.startedBy,
      parentIndex: surroundings.parentIndex,
      impliedByParent: surroundings.impliedByParent,
      input: surroundings.input.kind === "text" ? surroundings.input.text : null,
    });
    for (const { name, value } of invocation.assignments) {
      // Fields are split for the builtin alone.
      if (name === "IFS" && invocation.words[0]?.value === "read") continue;
      if (!isTuning(name, value)) draft.acts = true;
      if (!isHazardous(name, value) || isOwnModules(name, value, invocation.words[0]?.value)) continue;
      findings.doubt(draft, "environment", `"${name}" can change what programs do`);
      if (value && namesProgram(name))
        this.#starter.mayRun(draft, value.replace(/^[|!\s-]+/, ""), invocation.directories);
    }
    redirectEffects(findings, draft, invocation.redirects, invocation.directories);
    this.#lists(
      draft,
      invocation.words.flatMap((word) => pathsElsewhere(word, invocation.directories)),
    );
    const program = invocation.words[0]?.value ?? null;
    if (invocation.words.length > 0) findings.effect(draft, { kind: "exec", program });
    return draft;
  }

  #lists(draft: CommandDraft, paths: readonly EffectPath[]): void {
    for (const path of paths) this.#script.findings.effect(draft, { kind: "read", only: "names", ...path });
  }

  #redirectionsOnly(redirects: readonly ReadRedirect[], directories: Directories): void {
    const draft = this.open({ words: [], assignments: [], redirects, directories });
    draft.reads = true;
  }

  /** Variables that a script sets for all that follows. */
  #sticky(assignments: readonly CommandAssignment[]): void {
    for (const { name, value } of assignments) {
      this.variable(name, value);
      this.#script.set.add(name);
    }
  }

  /** A variable that stays set: it counts for every command of the script, since its order is not followed. */
  variable(name: string, value: string | null): void {
    if (isHazardous(name, value)) this.#script.findings.environment.add(`"${name}" can change what programs do`);
  }

  #unknownProgram(invocation: Invocation): void {
    const draft = this.open(invocation);
    const { findings } = this.#script;
    const [head, ...args] = invocation.words;
    findings.doubt(draft, "opaque", `The program "${head!.raw}" is known only at run time`);
    draft.known = false;
    for (const guess of head!.guesses) {
      const words = head!.splits ? guess.split(/\s+/).filter(Boolean) : [guess];
      if (words.length > 0)
        this.#starter.words(draft, [...words.map(literalWord), ...args], invocation.directories, {
          impliedByParent: true,
        });
    }
    // An unset variable leaves the next word as the program.
    if (head!.splits && args.length > 0)
      this.#starter.words(draft, args, invocation.directories, { impliedByParent: true });
  }

  #callFunction(name: string, invocation: Invocation): Outcome {
    const script = this.#script;
    const draft = this.open(invocation);
    const known = findProgram(name) !== undefined || Object.hasOwn(BUILTINS, name) || isShell(name);
    if (known) script.findings.doubt(draft, "opaque", `"${name}" is a function here, not the program`);
    else if (script.functions.has(name)) draft.reads = true;
    // The body may run its arguments.
    this.#starter.words(draft, invocation.words.slice(1), invocation.directories, { impliedByParent: true });
    const moved = script.movesInFunctions ? null : invocation.directories;
    return { ok: moved, fail: moved };
  }

  /** Whether the wrapper's options are understood, so that what it starts stands in its place. */
  #throughHarmless(invocation: Invocation): boolean {
    const script = this.#script;
    const { surroundings } = script;
    const name = invocation.words[0]!.value!;
    const entry = HARMLESS_WRAPPERS[baseName(name)]!;
    const options = parseOptions(entry, invocation.words.slice(1));
    if (options.unknown.length > 0 || options.uncertain || options.lists.length > 0) return false;
    const words = options.operands.slice(entry.skip);
    if (words.length === 0) return false;
    const inner = {
      wrappers: [...surroundings.wrappers, { program: name, harmless: true }],
      outer: [...surroundings.outer, invocation.words],
    };
    // They start programs: builtins and functions are out of their reach.
    script.within(inner, () => this.start({ ...invocation, words }));
    return true;
  }

  /** Runs words as a program, never as a builtin that acts on the shell itself. */
  start(invocation: Invocation): void {
    const name = invocation.words[0]?.value;
    if (name === undefined || this.#isTooDeep(invocation)) return;
    if (name === null) {
      this.#unknownProgram(invocation);
      return;
    }
    if (Object.hasOwn(HARMLESS_WRAPPERS, baseName(name)) && this.#throughHarmless(invocation)) return;
    if (Object.hasOwn(BUILTINS, name) && !findProgram(name)) {
      const outside = BUILTINS[name];
      outside?.({
        reader: this,
        script: this.#script,
        invocation,
        args: invocation.words.slice(1),
        open: () => this.open(invocation),
      });
      return;
    }
    this.#program(name, invocation);
  }

  #program(name: string, invocation: Invocation): void {
    const draft = this.open(invocation);
    draft.isProgram = true;
    const base = baseName(name);
    const args = invocation.words.slice(1);
    const call = programCall(
      { draft, program: base, args, directories: invocation.directories },
      this.#script,
      this.#starter,
    );
    if (isShell(base)) {
      readShellCall(call, draft, this.#script);
      return;
    }
    const entry = findProgram(base) ?? (Object.hasOwn(HARMLESS_WRAPPERS, base) ? HARMLESS_WRAPPERS[base] : undefined);
    if (!entry) {
      draft.known = false;
      mentionFiles(call);
      return;
    }
    if (entry === HARMLESS_WRAPPERS[base]) {
      const { operands, unknown, uncertain } = parseOptions(entry, args);
      if (unknown.length === 0 && !uncertain && operands.length === 0) {
        call.onlyReads();
        return;
      }
      this.#script.findings.doubt(draft, "opaque", `which program "${base}" starts is not clear`);
      for (const index of args.slice(0, 8).keys()) call.start(args.slice(index), { impliedByParent: true });
      return;
    }
    // Which of its words it may run is not known either.
    if (entry.anyOptions && entry.kind === "acts") draft.known = entry.analyze !== undefined;
    reportInvocation(entry, call);
    // A program of that name in another directory may be anything.
    if (name !== base && !/^\/(?:usr\/)?s?bin\/[^/]+$/.test(name)) draft.acts = true;
  }
}

/** The programs that a word can be when all its values are known to be such: `for c in node npm; do $c --version; done`. */
function programsIn({ complete, vanishes, splits, guesses }: ShellWord): readonly ShellWord[] | null {
  const isKnown = complete && !vanishes && !splits && guesses.length > 0;
  return isKnown && guesses.every((guess) => /^[a-z][\w.+-]*$/.test(guess)) ? guesses.map(literalWord) : null;
}

function textOf(part: Assignment | CommandArgument | Redirection): string {
  if ("text" in part) return part.text;
  return "target" in part ? (part.target?.text ?? "") : "";
}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
