// Directories that programs are given without saying what they do with them. Whatever is below counts as read, so a
// rule about a file holds although no word names it: `docker build .`, `git add .`, `eslint .` while `Read(.env)` is
// denied and `.env` is there.
import { join } from "node:path";
import { foldCase } from "../../paths/fold.js";
import { isInside } from "../../paths/inside.js";
import type { NamesOnDisk } from "../lookup/disk-view.js";
import { filesBelow } from "../lookup/files-below.js";
import { repositoryOf, trackedIn } from "../lookup/repository.js";
import { ruledAmong, ruledBelow, rulesEffect } from "../rules/effect-match.js";
import type { PathPattern } from "../rules/path-pattern.js";
import type { CompiledRule } from "../rules/rules.js";
import type { AnalyzedCommand, Effect } from "../shell/analysis.js";
import type { ShellCall } from "./read-command.js";
import type { ResolvedPath } from "./resolve-path.js";

/** More directories, or more files in them, are not looked through: a rule that may be about one of them then is. */
const MAX_DIRECTORIES = 10;
const MAX_FILES = 20_000;

/** The directories of one command line, each looked through once, and only while there are rules about reading. */
export class TakenDirectories {
  readonly #shell: ShellCall;
  readonly #rules: readonly CompiledRule[];
  readonly #below = new Map<string, NamesOnDisk | null>();
  readonly #tracked = new Map<string, readonly string[] | null>();
  #files = 0;

  constructor(shell: ShellCall, limits: readonly CompiledRule[]) {
    this.#shell = shell;
    this.#rules = limits.filter((rule) => rule.about.subject === "path" && rulesEffect(rule, "read"));
  }

  /** A rule that denies or asks for something below the directory; none when the path is no directory. */
  ruledIn(effect: Effect & { kind: "read" }, place: ResolvedPath, command: AnalyzedCommand): CompiledRule | undefined {
    const { disk } = this.#shell;
    if (effect.tracked) return this.#ruledInIndex(effect, place);
    if (this.#rules.length === 0 || !/directory|unknown/.test(disk.kindOf(place.real) ?? "")) return undefined;
    const rules = this.#rules.filter(({ about }) => about.subject === "path" && mayHold(place, about.pattern));
    if (rules.length === 0) return undefined;
    const names = this.#namesBelow(place, command);
    if (names === null) return rules[0];
    const here = { ...effect, path: place.lexical, recursive: true };
    if (!isGit(command)) return ruledAmong(rules, here, place, names) ?? ruledBelow(rules, place, disk);
    const files = names.files.filter((path) => !this.#shell.isIgnored(path));
    return ruledAmong(rules, here, place, { ...names, files });
  }

  #ruledInIndex(effect: Effect & { kind: "read" }, { real, ...rest }: ResolvedPath): CompiledRule | undefined {
    if (this.#rules.length === 0 || (effect.tracked === "all" && this.#namesPart(effect.command))) return undefined;
    const names = this.#trackedIn(real);
    if (names === null) return this.#rules[0];
    const files = effect.tracked === "all" ? names : names.filter((path) => isInside(path, real));
    const found = { files, directories: [], links: [] };
    return ruledAmong(this.#rules, { ...effect, recursive: true }, { real, ...rest }, found);
  }

  /** Whether another word of the command is there, so that git shows nothing else. */
  #namesPart(command: number): boolean {
    return this.#shell.effects.some(
      ({ effect, place }) =>
        effect.kind === "read" &&
        effect.command === command &&
        effect.tracked === "below" &&
        place !== null &&
        this.#shell.disk.kindOf(place.real) !== null,
    );
  }

  /** The files tracked in a repository that a rule may be about; `null` when they cannot be known. */
  #trackedIn(directory: string): readonly string[] | null {
    const { disk } = this.#shell;
    const root = repositoryOf(directory, disk);
    if (root === undefined) return [];
    if (!this.#tracked.has(root)) {
      const names = trackedIn(root, disk);
      this.#tracked.set(root, names && this.#ruledOf(names, root));
    }
    return this.#tracked.get(root)!;
  }

  /** The names that a rule may be about. Few rules are about any, which a test of all names together shows quickly. */
  #ruledOf(names: readonly string[], root: string): readonly string[] {
    const start = `${foldCase(root)}/`;
    // No name holds two slashes in a row.
    const all = foldCase(names.join("//"));
    const patterns = this.#rules.flatMap(({ about }) =>
      about.subject === "path" && about.pattern.mayMean(start + all) ? about.pattern : [],
    );
    if (patterns.length === 0) return [];
    const folded = all.split("//");
    const found = names.filter((_, at) => patterns.some((pattern) => pattern.mayMean(start + folded[at])));
    return found.map((name) => join(root, name));
  }

  #namesBelow({ lexical }: ResolvedPath, command: AnalyzedCommand): NamesOnDisk | null {
    const known = this.#below.get(lexical);
    if (known !== undefined) return known;
    const isTooMuch = this.#below.size >= MAX_DIRECTORIES || this.#files > MAX_FILES;
    const found = isTooMuch ? null : filesBelow(lexical, command, this.#shell.disk);
    this.#files += found?.files.length ?? MAX_FILES;
    this.#below.set(lexical, found);
    return found;
  }
}

function mayHold({ lexical, real }: ResolvedPath, pattern: PathPattern): boolean {
  return [lexical, real].some((directory) => pattern.meets(directory === "/" ? "/**" : `${directory}/**`));
}

/** Git leaves out what it ignores, unless it is forced. */
function isGit({ program, words }: AnalyzedCommand): boolean {
  const forces = words.includes("stash") ? /^-[a-z]*a|^--all$/ : /^-[a-zA-Z]*f|^--force$/;
  return program === "git" && words.every((word) => word !== null && !forces.test(word));
}
