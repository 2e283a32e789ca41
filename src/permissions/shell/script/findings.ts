import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import type { AnalyzedCommand, CommandAssignment, CommandDoubt, Effect, EffectPath } from "../analysis.js";
import { isHarmless, isHazardous } from "../words/environment.js";
import { quoted, type ShellWord } from "../words/shell-word.js";
import type { CommandSurroundings } from "./surroundings.js";

/** Longer scripts are not parsed. Unit: characters. */
const MAX_SCRIPT_LENGTH = 65_536;
/** Deeper nesting is not parsed: the parser's time grows with depth times length. */
const MAX_NESTING = 60;
/** More here-documents are not parsed, for the same reason. */
const MAX_HERE_DOCUMENTS = 200;
/** More commands, or more words in all of them, are not followed. */
export const MAX_COMMANDS = 100;
export const MAX_WORDS = 1_200;
/** More words, assignments or redirections of one command are not followed. */
export const MAX_ARGUMENTS = 300;
export const MAX_ASSIGNMENTS = 100;
export const MAX_REDIRECTIONS = 50;
/** Programs that start programs, one inside the other. */
export const MAX_WRAPPERS = 16;
/** The most strings that are read as scripts because a program may run them; with more of them the line asks. */
export const MAX_TRIALS = 30;
/** More files than this are not looked at: what they are is then unknown. */
export const MAX_EFFECTS = 200;
/** So many words are looked up that may be paths. */
export const MAX_PATHS = 600;
/** And no more of their names. Unit: characters. */
export const MAX_TARGETS = 40_000;
/** More substitutions, expansions or quotes, or more characters that are operators, are not parsed. */
const MAX_SUBSTITUTIONS = 1_000;
const MAX_EXPANSIONS = 5_000;
const MAX_QUOTES = 10_000;
const MAX_OPERATORS = 5_000;
/** Each character of arithmetic may be an operator. */
const MAX_ARITHMETIC = 4_000;
/** Scripts inside scripts: `bash -c "bash -c …"`. */
export const MAX_SCRIPT_DEPTH = 8;

/** `$`, `<`, `>`, `\`` before a bracket. */
const SUBSTITUTES = new Set([..."$<>`"].map((character) => character.charCodeAt(0)));
const OPERATORS = new Set([...";|&<>[!"].map((character) => character.charCodeAt(0)));

/** The reason why a script is not worth parsing; `null` when it is. Takes one pass, whatever the script. */
export function tooLarge(script: string): string | null {
  if (script.length > MAX_SCRIPT_LENGTH) return `it is longer than ${MAX_SCRIPT_LENGTH} characters`;
  let depth = 0;
  let hereDocuments = 0;
  let substitutions = 0;
  let operators = 0;
  let expansions = 0;
  let quotes = 0;
  let arithmetic = 0;
  let isArithmetic = false;
  for (let index = 0; index < script.length; index++) {
    const code = script.charCodeAt(index);
    if (code === 0x28 || code === 0x7b) {
      depth++;
      if (SUBSTITUTES.has(script.charCodeAt(index - 1))) substitutions++;
    }
    if (code === 0x28 || code === 0x29) {
      if (script.charCodeAt(index + 1) === code) isArithmetic = code === 0x28;
    } else if (isArithmetic) arithmetic++;
    if ((code === 0x29 || code === 0x7d) && depth > 0) depth--;
    else if (code === 0x60) substitutions++;
    if (OPERATORS.has(code)) operators++;
    else if (code === 0x24) expansions++;
    else if (code === 0x22 || code === 0x27) quotes++;
    if (code === 0x3c && script.charCodeAt(index + 1) === 0x3c) hereDocuments++;
    if (depth > MAX_NESTING) return `it is nested deeper than ${MAX_NESTING} levels`;
  }
  if (hereDocuments > MAX_HERE_DOCUMENTS) return `it has more than ${MAX_HERE_DOCUMENTS} here-documents`;
  if (substitutions > MAX_SUBSTITUTIONS) return `it has more than ${MAX_SUBSTITUTIONS} substitutions`;
  if (expansions > MAX_EXPANSIONS) return `it has more than ${MAX_EXPANSIONS} expansions`;
  if (arithmetic > MAX_ARITHMETIC) return `it has more than ${MAX_ARITHMETIC} characters of arithmetic`;
  if (quotes > MAX_QUOTES) return `it has more than ${MAX_QUOTES} quotes`;
  return operators > MAX_OPERATORS ? `it has more than ${MAX_OPERATORS} operators` : null;
}

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
  /** The reason why every command runs with a changed environment. */
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

// ── facts about a parsed script: the things it may do, wherever in it ────────────────────────────────────────────────

/** Builtins that change the current directory. */
export const MOVES = new Set(["cd", "pushd", "popd"]);
const MOVING = /\b(?:cd|pushd|popd|source|eval)\b/;
/** `cd src && …`: what follows all stands there. */
const FIRST_MOVE = /^\s*cd (?:"[^"]*"|'[^']*'|[^\s;&|()<>'"]+)\s*(?:&&|;(?!;)|\n|\|\|\s*exit(?: \d+)?\s*(?:;(?!;)|\n))/;
/** `IFS=, read`: it splits nothing but what that reads. */
const FIELDS_OF_READ = /\bIFS=(?:[\w.,:|/+-]*|'[^'\n]*'|\$'[^'\\\n]*(?:\\[tn])?') read\b/g;

/** Without one of these it defines no function. */
const MAY_DEFINE = /\(\s*\)|\\\n|function/;

/** Things a script may do, wherever in it. */
export class ScriptFacts {
  /** Names of all functions. */
  readonly functionNames = new Set<string>();
  movesInFunctions = false;
  movesAnywhere = false;
  /** It may go on in another directory than the one its first command goes to. */
  movesLater = false;
  /** It may change where the shell splits what a command prints. */
  splitsAnywhere = false;
  #isStarted = false;

  collect(script: string, parsed: ParsedScript): void {
    const isFirst = !this.#isStarted;
    this.#isStarted = true;
    this.movesAnywhere ||= MOVING.test(script) || containsMove(parsed);
    const rest = isFirst ? script.replace(FIRST_MOVE, "") : script;
    this.movesLater ||= MOVING.test(rest) || countMoves(parsed) > (rest === script ? 0 : 1);
    this.splitsAnywhere ||= /\bIFS\b/.test(script.replace(FIELDS_OF_READ, ""));
    if (MAY_DEFINE.test(script)) this.#collectFunctions(parsed);
  }

  #collectFunctions(node: SyntaxNode): void {
    if (node.type === "Function") {
      this.functionNames.add(node.name.value);
      this.movesInFunctions ||= containsMove(node.body);
    }
    forEachChild(node, (child) => this.#collectFunctions(child));
  }
}

/** Whether a part of a script may leave the shell in another directory. */
export function containsMove(node: SyntaxNode): boolean {
  return countMoves(node) > 0;
}

/** The number of its commands that may. */
function countMoves(node: SyntaxNode): number {
  if (node.type === "Subshell" || node.type === "CommandExpansion" || node.type === "ProcessSubstitution") return 0;
  if (node.type === "Command")
    return /^(?:cd|pushd|popd|eval|builtin|command|source|\.)$/.test(node.name?.value ?? "") ? 1 : 0;
  let moves = 0;
  forEachChild(node, (child) => {
    moves += countMoves(child);
  });
  return moves;
}

/** Whether a function, in a pipe or in the background, runs the function again. */
export function startsItself(node: SyntaxNode, name: string, beside: boolean): boolean {
  if (node.type === "Command") return beside && node.name?.value === name;
  const more =
    beside ||
    (node.type === "Pipeline" && node.commands.length > 1) ||
    (node.type === "Statement" && node.background === true);
  let found = false;
  forEachChild(node, (child) => {
    found ||= startsItself(child, name, more);
  });
  return found;
}

const COMPOUND = new Set("If While For Select ArithmeticFor Case BraceGroup Subshell Function Coproc".split(" "));

export function hasNestedHereDocument(node: SyntaxNode, inside: boolean): boolean {
  if (node.type === "HereDoc") return inside;
  let found = false;
  forEachChild(node, (child) => {
    found ||= hasNestedHereDocument(child, inside || COMPOUND.has(node.type));
  });
  return found;
}
