import type { EffectPath } from "../analysis.js";
import type { BuiltinCall } from "../builtins/builtin-call.js";
import { builtinNamed } from "../builtins/builtins.js";
import { mentionFiles, mentionPlaces } from "../invocation/mentions.js";
import { parseOptions } from "../invocation/options.js";
import { programCall } from "../invocation/program.js";
import type { ProgramCall, StartOptions } from "../invocation/program-call.js";
import { reportInvocation, saysWhatWordsAre } from "../invocation/report-invocation.js";
import { HARMLESS_WRAPPERS, type WrapperRow } from "../programs/machine/wrappers.js";
import { baseName, findProgram, usualWords } from "../programs/table.js";
import { isHarmless, isHazardous, isTuning, namesProgram } from "../words/environment.js";
import { effectPaths, pathsElsewhere } from "../words/paths.js";
import { type Directories, joinDirectories, literalWord, type Outcome, type ShellWord } from "../words/shell-word.js";
import { type CommandDraft, Findings, MAX_TRIALS, MAX_WRAPPERS } from "./findings.js";
import { redirectEffects } from "./redirections.js";
import type { Follower, Invocation, ShellScript } from "./script.js";
import { isShell, readShellCall } from "./shells.js";
import { startedBy, through } from "./surroundings.js";

export class CommandFollower implements Follower {
  readonly #script: ShellScript;

  constructor(script: ShellScript) {
    this.#script = script;
  }

  /** Runs a command in each of the forms it may have. */
  runEach(forms: readonly (readonly ShellWord[])[], rest: Omit<Invocation, "words">): Outcome {
    const outcomes = forms.map((words) => this.run({ ...rest, words }));
    return outcomes.reduce((left, right) => ({
      ok: joinDirectories(left.ok, right.ok),
      fail: joinDirectories(left.fail, right.fail),
    }));
  }

  /** Runs words: a function, a builtin, a wrapper or a program. */
  run(invocation: Invocation): Outcome {
    const { words, directories } = invocation;
    if (words.length === 0 || this.#script.findings.isFull) return { ok: directories, fail: directories };
    const name = words[0]!.value;
    if (name !== null && this.#script.facts.functionNames.has(name)) return this.#callFunction(name, invocation);
    return this.runPastFunctions(invocation);
  }

  runPastFunctions(invocation: Invocation): Outcome {
    const { words, directories } = invocation;
    const stays: Outcome = { ok: directories, fail: directories };
    if (this.#isTooDeep(invocation)) return stays;
    const builtin = builtinNamed(words[0]!.value);
    if (builtin) return builtin(this.#builtinCall(invocation)) ?? stays;
    this.start(invocation);
    return stays;
  }

  start(invocation: Invocation): void {
    const name = invocation.words[0]?.value;
    if (name === undefined || this.#isTooDeep(invocation)) return;
    if (name === null) {
      const { guesses, complete, splits } = invocation.words[0]!;
      const args = invocation.words.slice(1);
      // `for c in node npm; do $c --version; done`: it is each of them in turn.
      if (complete && guesses.length > 0 && guesses.every((guess) => /^[\w./-]+$/.test(guess) || !splits))
        for (const guess of guesses) this.start({ ...invocation, words: [literalWord(guess), ...args] });
      else this.#unknownProgram(invocation);
      return;
    }
    const wrapper = harmlessWrapper(name);
    const builtin = findProgram(name) ? undefined : builtinNamed(name);
    if (wrapper) this.#wrapper(wrapper, name, invocation);
    else if (builtin) builtin(this.#builtinCall(invocation));
    else this.#program(name, invocation);
  }

  #builtinCall(invocation: Invocation): BuiltinCall {
    const open = () => this.open(invocation);
    return { follower: this, script: this.#script, invocation, args: invocation.words.slice(1), open };
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
    const draft = findings.add(invocation.words, invocation.assignments, surroundings);
    for (const { name, value } of invocation.assignments) {
      // Fields are split for the builtin alone.
      if (name === "IFS" && invocation.words[0]?.value === "read") continue;
      if (!isTuning(name, value)) draft.acts = true;
      if (isData(invocation.words[0]) ? !isHazardous(name, value) : isHarmless(name, value, invocation.words[0]?.value))
        continue;
      findings.doubt(draft, "environment", `"${name}" can change what programs do`);
      if (value && namesProgram(name)) this.mayRun(draft, value.replace(/^[|!\s-]+/, ""), invocation.directories);
    }
    redirectEffects(findings, draft, invocation.redirects, invocation.directories);
    this.lists(
      draft,
      invocation.words.flatMap((word) => pathsElsewhere(word, invocation.directories)),
    );
    const program = invocation.words[0]?.value ?? null;
    if (invocation.words.length > 0) findings.effect(draft, { kind: "exec", program });
    return draft;
  }

  lists(draft: CommandDraft, paths: readonly EffectPath[]): void {
    for (const path of paths) this.#script.findings.effect(draft, { kind: "read", only: "names", ...path });
  }

  #unknownProgram(invocation: Invocation): void {
    const draft = this.open(invocation);
    const { findings } = this.#script;
    const [head, ...args] = invocation.words;
    findings.doubt(draft, "opaque", `The program ${head!.raw} is known only at run time`);
    draft.known = false;
    for (const guess of head!.guesses) {
      const words = head!.splits ? guess.split(/\s+/).filter(Boolean) : [guess];
      if (words.length > 0)
        this.startInside(draft, [...words.map(literalWord), ...args], invocation.directories, {
          impliedByParent: true,
        });
    }
    // An unset variable leaves the next word as the program.
    if (head!.splits && args.length > 0)
      this.startInside(draft, args, invocation.directories, { impliedByParent: true });
  }

  #callFunction(name: string, invocation: Invocation): Outcome {
    const script = this.#script;
    const draft = this.open(invocation);
    const known = findProgram(name) !== undefined || builtinNamed(name) !== undefined || isShell(name);
    if (known) script.findings.doubt(draft, "opaque", `"${name}" is a function here, not the program`);
    else if (script.functions.has(name)) draft.reads = true;
    // The body may run its arguments.
    this.startInside(draft, invocation.words.slice(1), invocation.directories, { impliedByParent: true });
    const moved = script.facts.movesInFunctions ? null : invocation.directories;
    return { ok: moved, fail: moved };
  }

  /** The command that a wrapper starts takes its place, where its options are understood. */
  #wrapper(row: WrapperRow, name: string, invocation: Invocation): void {
    const args = invocation.words.slice(1);
    const { operands, unknown, uncertain, lists } = parseOptions(row, args);
    const isClear = unknown.length === 0 && !uncertain;
    const words = operands.slice(row.skip);
    if (words.length > 0 && isClear && lists.length === 0) {
      const inner = through(this.#script.surroundings, invocation.words, { program: name, harmless: true });
      // They start programs: builtins and functions are out of their reach.
      this.#script.within(inner, () => this.start({ ...invocation, words }));
      return;
    }
    const { draft, call } = this.#programCall(name, invocation);
    mentionItself(call, name);
    if (isClear && operands.length === 0) {
      call.onlyReads();
      return;
    }
    this.#script.findings.doubt(draft, "opaque", `which program "${call.program}" starts is not clear`);
    for (const index of args.slice(0, 8).keys()) call.start(args.slice(index), { impliedByParent: true });
  }

  #programCall(name: string, invocation: Invocation): { readonly draft: CommandDraft; readonly call: ProgramCall } {
    const draft = this.open(invocation);
    draft.isProgram = true;
    const started = {
      draft,
      program: baseName(name),
      args: invocation.words.slice(1),
      directories: invocation.directories,
    };
    return { draft, call: programCall(started, this.#script, this) };
  }

  #program(name: string, invocation: Invocation): void {
    const { draft, call } = this.#programCall(name, invocation);
    if (isShell(call.program)) {
      readShellCall(call, draft, this.#script);
      return;
    }
    mentionItself(call, name);
    // What it does by its usual name counts, too.
    const usual = usualWords(call.program)?.map(literalWord);
    if (usual) call.start([...usual, ...call.args], { impliedByParent: true, keepsInput: true });
    const entry = findProgram(call.program);
    if (!entry) {
      draft.known = false;
      mentionFiles(call);
      mentionPlaces(call, this.#script.shell.home);
      // Any word may be a file, also one that is not known.
      for (const word of call.args) if (word.value === null && !word.pattern && !word.complete) call.read(word);
      return;
    }
    // It is not known either which of its words it may run.
    if (entry.anyOptions && entry.kind !== "reads") draft.known = saysWhatWordsAre(entry);
    reportInvocation(entry, call);
    // A program of that name in another directory may be anything.
    if (name !== call.program && !/^\/(?:usr\/)?s?bin\/[^/]+$/.test(name)) draft.acts = true;
    // The role of the words is known for a program that only reads.
    if (draft.acts || !draft.reads) mentionPlaces(call, this.#script.shell.home);
  }

  startInside(
    draft: CommandDraft,
    words: readonly ShellWord[],
    directories: Directories,
    options: StartOptions = {},
  ): void {
    if (this.#script.findings.isFull || words.length === 0) return;
    this.#inside(draft, options, () =>
      this.start({
        words: options.directory ? words.map(expandedElsewhere) : words,
        assignments: options.assignments ?? [],
        redirects: [],
        directories: directoriesOf(options, directories),
      }),
    );
  }

  readInside(draft: CommandDraft, code: ShellWord, directories: Directories, options: StartOptions = {}): void {
    const script = this.#script;
    if (code.value === null) {
      script.findings.doubt(draft, "opaque", `What "${draft.words[0]?.raw}" runs is known only at run time`);
    }
    const texts = code.value === null ? code.guesses : [code.value];
    for (const text of texts) {
      if (script.findings.isFull) return;
      this.#inside(draft, code.value === null ? { ...options, impliedByParent: true } : options, () => {
        script.readApart(text, directoriesOf(options, directories));
      });
    }
  }

  mayRun(draft: CommandDraft, text: string, directories: Directories): boolean {
    const { findings } = this.#script;
    if (findings.trials++ >= MAX_TRIALS) {
      findings.leaveUnparsed(text, "Too many strings may be run to follow each");
      return false;
    }
    const trial = new Findings();
    trial.trials = findings.trials;
    this.#script.within({ impliedByParent: true }, () => this.#script.readApart(text, directories, trial));
    if (trial.reasons.size > 0) return false;
    this.readInside(draft, literalWord(text), directories, { impliedByParent: true });
    return true;
  }

  #inside(draft: CommandDraft, options: StartOptions, action: () => void): void {
    const { remote, input } = this.#script.surroundings;
    const changed = {
      ...startedBy(draft, options.impliedByParent ?? false),
      remote: remote || (options.remote ?? false),
      input: options.keepsInput ? input : ({ kind: "unknown" } as const),
    };
    this.#script.within(changed, action);
  }
}

/** A variable in front of a builtin is given to no program. */
function isData(head: ShellWord | undefined): boolean {
  return (
    builtinNamed(head?.value ?? null) !== undefined && !/^(?:builtin|command|eval|exec|source|\.)$/.test(head!.value!)
  );
}

/** A program is a file, too. */
function mentionItself(call: ProgramCall, name: string): void {
  if (name === call.program) return;
  call.mayRead(literalWord(name));
  if (/^\/|(?:^|\/)\.\.\//.test(name)) call.mayReach(literalWord(name));
}

function harmlessWrapper(name: string): WrapperRow | undefined {
  const base = baseName(name);
  return Object.hasOwn(HARMLESS_WRAPPERS, base) ? HARMLESS_WRAPPERS[base] : undefined;
}

/** The shell has put names in the place of wildcards before the program starts in another directory. */
function expandedElsewhere(word: ShellWord): ShellWord {
  return word.pattern ? { ...word, known: null, pattern: false } : word;
}

function directoriesOf(options: StartOptions, directories: Directories): Directories {
  if (options.elsewhere || options.remote) return null;
  if (!options.directory) return directories;
  const paths = effectPaths(options.directory, directories).map(({ path, isPossible }) => (isPossible ? null : path));
  return paths.every((path): path is string => path !== null) ? paths : null;
}
