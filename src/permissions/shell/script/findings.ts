import type { AnalyzedCommand, CommandAssignment, CommandDoubt, Effect, EffectPath } from "../analysis.js";
import { isHarmless, isHazardous } from "../words/environment.js";
import { quoted, type ShellWord } from "../words/shell-word.js";
import { MAX_COMMANDS, MAX_EFFECTS, MAX_PATHS, MAX_TARGETS, MAX_WORDS } from "./limits.js";
import type { CommandSurroundings } from "./surroundings.js";

/** A command while its analysis goes on. */
export interface CommandDraft {
  readonly index: number;
  readonly words: readonly ShellWord[];
  readonly assignments: readonly CommandAssignment[];
  readonly surroundings: CommandSurroundings;
  readonly doubts: CommandDoubt[];
  known: boolean;
  /** Not something that the shell does itself. */
  isProgram: boolean;
  reads: boolean;
  /** It only reads if these directories belong to the repository that the line starts in. */
  readsIn: readonly string[] | null;
  /** The same if none of these files steers it. */
  readsWithout: AnalyzedCommand["readOnlyWithout"];
  acts: boolean;
  /** Its effects are known, though words of it are not. */
  knowsWords: boolean;
  /** The code it is given in files, as far as that was read. */
  code?: string;
}

type EffectOf<Kind> = Kind extends unknown ? Omit<Kind, "command"> : never;

/** Everything found in one script and the scripts inside it. */
export class Findings {
  #words = 0;
  #targets = 0;
  readonly commands: CommandDraft[] = [];
  readonly effects: Effect[] = [];
  /** Words that may be paths, by the command they stand in. */
  readonly paths: ({ readonly command: number } & EffectPath)[] = [];
  /** The directories of repositories. */
  readonly repositories: ({ readonly command: number } & EffectPath)[] = [];
  readonly reasons = new Set<string>();
  /** The commands of one pipe: from `first` up to, not including, `end`. */
  readonly pipelines: { readonly first: number; readonly end: number }[] = [];
  /** Strings that were read because a program may run them. */
  trials = 0;
  forkBomb = false;
  /** Wildcards that represent nothing may vanish. */
  vanishes = false;
  /** Names of branches or tags that git prints become words of commands. */
  takesRefs = false;
  /** Parts of the script outside of the grammar of lines that run without a rule. */
  readonly outsideGrammar = new Set<string>();
  /** Texts that were not parsed. */
  readonly unparsed: string[] = [];
  /** Why every command runs with a changed environment. */
  readonly environment = new Set<string>();
  /** Programs get a variable that is not known to leave them as they are. */
  exports = false;

  /** The rest of the script is not followed. */
  get isFull(): boolean {
    return this.commands.length >= MAX_COMMANDS || this.#words >= MAX_WORDS || this.#isFullOfEffects;
  }

  get #isFullOfEffects(): boolean {
    return this.effects.length >= MAX_EFFECTS || this.#targets > MAX_TARGETS;
  }

  opaque(reason: string): void {
    this.reasons.add(reason);
  }

  /** Keeps a string that is not followed, so that the script asks. */
  leaveUnparsed(text: string, reason: string): void {
    this.opaque(reason);
    this.unparsed.push(text);
  }

  add(
    words: readonly ShellWord[],
    assignments: readonly CommandAssignment[],
    surroundings: CommandSurroundings,
  ): CommandDraft {
    const draft: CommandDraft = {
      index: this.commands.length,
      words,
      assignments,
      surroundings,
      doubts: [],
      known: true,
      isProgram: false,
      reads: false,
      readsIn: null,
      readsWithout: null,
      acts: false,
      knowsWords: words.every(({ value, revision }) => value !== null || revision),
    };
    this.commands.push(draft);
    this.#words += words.length + assignments.length;
    return draft;
  }

  /** A variable stays set: that counts for every command of the script, since its order is not followed. */
  setsVariable(name: string, value: string | null, isExported = false): void {
    if (isExported ? !isHarmless(name, value) : isHazardous(name, value))
      this.environment.add(`"${name}" can change what programs do`);
  }

  doubt(draft: CommandDraft, kind: CommandDoubt["kind"], reason: string): void {
    if (kind === "opaque") this.opaque(reason);
    if (!draft.doubts.some((doubt) => doubt.kind === kind && doubt.reason === reason))
      draft.doubts.push({ kind, reason });
  }

  word(draft: CommandDraft, path: EffectPath): void {
    if (this.paths.length < MAX_PATHS) this.paths.push({ command: draft.index, ...path });
    else this.opaque("The script has more words than can be looked up");
  }

  effect(draft: CommandDraft, effect: EffectOf<Effect>): void {
    const target = "path" in effect ? effect.path : "host" in effect ? effect.host : null;
    this.#targets += target?.length ?? 0;
    if (this.#isFullOfEffects) {
      this.leaveUnparsed(target ?? "", "The script touches more files than can be followed");
    } else this.effects.push({ command: draft.index, ...effect } as Effect);
  }
}

/** A word as it stands in `text`. */
export function shown(word: ShellWord): string {
  return word.value === null ? word.raw.replace(/\\\n/g, "").replace(/\s+/g, " ") : quoted(word.value);
}
