import type { ParsedScript } from "unbash";
import type { ListedNames } from "../names/found-names.js";
import type { PlainKind, PlainOutput } from "./plain-output.js";

/** What words are read with. */
export interface WordScope {
  readonly home: string | undefined;
  /** The current directory when there is exactly one it can be. */
  readonly directory: string | undefined;
  /** The values the script gives a variable anywhere, as far as they are literal. */
  valuesOf(name: string): readonly string[];
  /** All the values it can have; `null` when the script alone does not say. */
  allValuesOf(name: string): readonly string[] | null;
  /** The variable is set before the word is read. */
  isSet(name: string): boolean;
  /** Wildcards that represent nothing may vanish. */
  readonly vanishes: boolean;
  /** The script may change this variable. */
  changes(name: string): boolean;
  /** The directory in which the working tree begins, when that is what a script prints. */
  topLevelBy(script: ParsedScript): string | undefined;
  /** The same for a variable that holds it. */
  topLevelIn(name: string): string | undefined;
  /** A directory is there when the line starts. */
  isDirectory(path: string): boolean;
  /** The names of files that a script lists, when it does nothing else. */
  listedBy(script: ParsedScript): ListedNames | null;
  /** The same for a variable that holds them, or one of them. */
  listedIn(name: string, isQuoted: boolean): ListedNames | null;
  /** What a script prints, when that is surely numbers, commits or names of branches and tags. */
  plainOutputOf(script: ParsedScript): PlainOutput | null;
  /** The same for a variable whose value is always one word of such, or nothing. */
  plainIn(name: string): PlainKind | null;
  /** Names of branches or tags become words. */
  takesRefs(): void;
  /** What a script prints, as far as that is plain to see. */
  printedBy(script: ParsedScript): readonly string[];
}
