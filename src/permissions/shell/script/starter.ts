import type { StartOptions } from "../invocation/program.js";
import { type Directories, effectPaths } from "../words/paths.js";
import { literalWord, type ShellWord } from "../words/shell-word.js";
import type { Invocation } from "./command-reader.js";
import { type CommandDraft, Findings } from "./findings.js";
import { MAX_TRIALS } from "./limits.js";
import type { ScriptReader } from "./script-reader.js";
import { startedBy } from "./surroundings.js";

/** Follows what one command starts on behalf of the shell. */
export class Starter {
  readonly #script: ScriptReader;
  readonly #start: (invocation: Invocation) => void;

  constructor(script: ScriptReader, start: (invocation: Invocation) => void) {
    this.#script = script;
    this.#start = start;
  }

  /** A program with these words. */
  words(draft: CommandDraft, words: readonly ShellWord[], directories: Directories, options: StartOptions = {}): void {
    if (this.#script.findings.isFull || words.length === 0) return;
    this.#inside(draft, options, () =>
      this.#start({
        words: options.directory ? words.map(expandedElsewhere) : words,
        assignments: options.assignments ?? [],
        redirects: [],
        directories: directoriesOf(options, directories),
      }),
    );
  }

  /** Code that a shell of its own reads: as it stands, or all it may be. */
  code(draft: CommandDraft, code: ShellWord, directories: Directories, options: StartOptions = {}): void {
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

  /** Code, if the text reads as such: for rules that deny. */
  mayRun(draft: CommandDraft, text: string, directories: Directories): void {
    const { findings } = this.#script;
    if (findings.trials++ >= MAX_TRIALS) {
      findings.leaveUnparsed(text, "Too many strings may be run to follow each");
      return;
    }
    const trial = new Findings();
    trial.trials = findings.trials;
    this.#script.readApart(text, directories, trial);
    if (trial.reasons.size === 0) this.code(draft, literalWord(text), directories, { impliedByParent: true });
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
