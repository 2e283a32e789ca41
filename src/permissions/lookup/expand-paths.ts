import { basename, dirname } from "node:path";
import { foldCase } from "../../paths/fold.js";
import { isInside } from "../../paths/inside.js";
import type { AnalyzedCommand, CommandAnalysis, Effect, NameListing } from "../shell/analysis.js";
import { baseName, findProgram } from "../shell/programs/table.js";
import { isStream } from "../shell/words/paths.js";
import { type DiskView, fixedPart, type NamesOnDisk, PRUNED } from "./disk-view.js";
import { filesBelow } from "./files-below.js";
import { listedFiles } from "./listed-files.js";
import { repositoryOf } from "./repository.js";
import { broughtBack, followsLinks, IGNORE_FILES, skipsHidden } from "./search-scope.js";
import { namesBehindWildcards, WILDCARD_BUDGET } from "./wildcard-names.js";

/** An effect, and what its wildcards or its list match; `null` when it has none, or when that cannot be known. */
export interface SeenEffect {
  readonly effect: Effect;
  readonly names: NamesOnDisk | null;
}

interface LookOptions {
  /** So many files behind one effect become effects of their own: one more than are looked up. */
  readonly most: number;
  readonly disk: DiskView;
  /** Whether git ignores a path. */
  readonly isIgnored: (path: string) => boolean;
}

type FileEffect = Extract<Effect, { kind: "read" | "write" }>;

/** More lists of names than this in one command line are not looked through. */
const MAX_LISTINGS = 4;
/** Links behind links. */
const MAX_DEPTH = 8;
/** More links that a search comes to are not followed. */
const MAX_LINKS = 50;
/** Files that a workspace may protect, or want approval for, whatever reaches them. */
const NOTABLE_TO_READ = /\/\.env|\/id_[^/]*$|\.(?:pem|key|ppk|p12|pfx)[. ]*$/;
const NOTABLE_TO_WRITE = /\/\.|\/git~|\/config\.fish$/;

/** Looks up what the wildcards and lists of one command line match at the time it is decided. */
export class PathExpansion {
  readonly #options: LookOptions;
  readonly #budget = { left: WILDCARD_BUDGET };
  readonly #listings = new Map<string, NamesOnDisk | null>();
  readonly #isDeep: boolean;
  /** The line itself may write what brings hidden files back. */
  readonly #mayBringBack: boolean;

  readonly #commands: CommandAnalysis["commands"];
  readonly #searched = new Map<string, NamesOnDisk | null>();
  readonly #followed = new Set<string>();

  constructor({ commands, effects }: CommandAnalysis, options: LookOptions) {
    this.#options = options;
    this.#mayBringBack = effects.some(
      (effect) => effect.kind === "write" && (effect.path === null || IGNORE_FILES.has(basename(effect.path))),
    );
    this.#commands = commands;
    this.#isDeep = commands.some(({ words }) => words.some((word) => word?.includes("globstar")));
  }

  /** An effect, and those of the links and other files behind it that have to be looked at by themselves. */
  behind(effect: Effect, depth = 0): SeenEffect[] {
    if (effect.kind !== "read" && effect.kind !== "write") return [{ effect, names: null }];
    if (effect.path !== null && !effect.pattern && this.#isSearch(effect)) return this.#below(effect, effect.path);
    if (!effect.pattern || effect.path === null) return [{ effect, names: null }];
    const found = effect.listing ? this.#listed(effect.path, effect.listing) : this.#expanded(effect.path);
    const names = found && removesNames(effect) ? withLinksAsFiles(found) : found;
    if (names === null || depth > MAX_DEPTH) {
      return [
        { effect, names: null },
        { effect: { ...effect, path: null }, names: null },
      ];
    }
    return [
      { effect, names },
      ...names.links.flatMap((path) => {
        const pattern = !effect.listing && /[*?[]/.test(path);
        return this.behind({ ...effect, path, pattern }, depth + 1);
      }),
      ...this.#notable(effect, names),
      ...this.#searchedIn(effect, names),
    ];
  }

  /** `grep -r x *`: what has to be looked at by itself below the directories among the names. */
  #searchedIn({ listing: _, ...effect }: FileEffect, { directories }: NamesOnDisk): SeenEffect[] {
    if (!this.#isSearch(effect)) return [];
    const entered = directories.filter((path) => !PRUNED.has(basename(path)));
    return entered.flatMap((path) => this.#below({ ...effect, path, pattern: false }, path).slice(1));
  }

  /** A search, or a copy of all that is below: its files are read like those that wildcards match. */
  #below(effect: FileEffect, path: string): SeenEffect[] {
    const command = this.#commands[effect.command]!;
    const names = this.#searched.get(path) ?? filesBelow(path, command, this.#options.disk);
    this.#searched.set(path, names);
    if (names === null)
      return [
        { effect, names },
        { effect: { ...effect, path: null }, names },
      ];
    const behindLinks = names.links.flatMap((link) => this.#behindLink(effect, link, path));
    if (!skipsHidden(command)) return [{ effect, names }, ...behindLinks, ...this.#notable(effect, names)];
    const isBack = broughtBack(path, names.files, this.#options.disk);
    const files = names.files.filter((file) => this.#mayBringBack || isBack(file) || !this.#isSkipped(file, path));
    return [{ effect, names: null }, ...behindLinks, ...this.#notable(effect, { ...names, files })];
  }

  /** The targets of a link below a directory, each once; targets in the directory itself are read anyway. */
  #behindLink(effect: FileEffect, link: string, start: string): SeenEffect[] {
    const { disk } = this.#options;
    const real = disk.realPathOf(link);
    if (real !== null && (this.#followed.has(real) || isInside(real, disk.realPathOf(start) ?? start))) return [];
    if (real === null || this.#followed.size >= MAX_LINKS) return [{ effect: { ...effect, path: null }, names: null }];
    this.#followed.add(real);
    return this.behind({ ...effect, path: link });
  }

  /** True for files that `rg` leaves out below a directory: hidden ones, and those that git ignores. */
  #isSkipped(file: string, start: string): boolean {
    if (file.slice(start.length).includes("/.")) return true;
    return (
      isNotable(file, "read") && repositoryOf(start, this.#options.disk) !== undefined && this.#options.isIgnored(file)
    );
  }

  #isSearch(effect: FileEffect): boolean {
    if (effect.kind !== "read" || !effect.recursive || effect.isPossible) return false;
    return effect.only !== "names" || followsLinks(this.#commands[effect.command]!);
  }

  #listed(path: string, listing: NameListing): NamesOnDisk | null {
    const key = `${path} ${JSON.stringify(listing)}`;
    const known = this.#listings.get(key);
    if (known !== undefined) return known;
    if (this.#listings.size >= MAX_LISTINGS) return null;
    const names = listedFiles(path, listing, this.#options.disk);
    this.#listings.set(key, names);
    return names;
  }

  #expanded(path: string): NamesOnDisk | null {
    return namesBehindWildcards(path, this.#budget, this.#isDeep, this.#options.disk);
  }

  #notable(effect: FileEffect, { files, directories }: NamesOnDisk): SeenEffect[] {
    if (effect.kind === "read" && effect.only === "names") return [];
    const { listing, ...rest } = effect;
    // A file only met on the way is asked about; a file that a line writes counts as named.
    const certainty = effect.kind === "read" || (listing && !listing.whole) ? "possible" : "certain";
    const of = (path: string): SeenEffect => ({ effect: { ...rest, path, pattern: false, certainty }, names: null });
    const isAsked = effect.path !== null && matchesHidden(effect.path);
    const found = files.filter((path) => isAsked || isNotable(path, effect.kind)).map(of);
    // A list of directories is read with all that is below them.
    if (effect.kind === "read" && effect.recursive && listing && !listing.filesOnly) found.push(...directories.map(of));
    return found.slice(0, this.#options.most);
  }
}

/** To remove a link is not to touch what is behind it. */
function removesNames(effect: FileEffect): boolean {
  return effect.kind === "write" && effect.how === "delete" && !effect.recursive && effect.listing !== undefined;
}

function withLinksAsFiles({ files, directories, links }: NamesOnDisk): NamesOnDisk {
  return { files: [...files, ...links], directories, links: [] };
}

/** `.eslintrc*` asks for hidden files, so that each may need approval. `.*` and `.?` take in the directory above. */
export function matchesHidden(pattern: string): boolean {
  return /^(?:\/(?!\.[*?[])[^/]*)*$/.test(pattern) && /\/\.[\w-][^/]*[*?[]/.test(pattern);
}

/** It needs approval by its name, or may. */
function isNotable(path: string, kind: "read" | "write"): boolean {
  const folded = foldCase(path);
  return NOTABLE_TO_READ.test(folded) || (kind === "write" && NOTABLE_TO_WRITE.test(folded));
}

// ── the files a line makes itself, so that the files there now do not show those its commands meet ───────────────────

/** `isLink`: it is one itself. `by`: the position of the command. */
export interface Carried {
  readonly by: number;
  readonly at: string;
  readonly isLink: boolean;
}

/** Programs that write what their effects say, and nothing else. */
const NAMES_WRITES = /^(?:cp|mv|rm|rmdir|mkdir|touch|tee|sed|truncate)?$/;

/** `cp a b`, where `b` is a file: nothing is put into it. */
export function isPastFile(effect: Effect, { commands, effects }: CommandAnalysis, disk: DiskView): boolean {
  if (effect.kind !== "write" || effect.how !== "create" || effect.path === null) return false;
  const target = dirname(effect.path);
  if (!/^(?:cp|mv|install)$/.test(commands[effect.command]!.program ?? "") || disk.kindOf(target) !== "file")
    return false;
  // It stays a file unless another command puts something in its place.
  const staysThere = (other: Effect) =>
    other.kind !== "write" ||
    other.command === effect.command ||
    (other.path !== null && !other.pattern && !isInside(target, other.path));
  return (
    commands.every(({ readOnly, program }, at) => {
      return at === effect.command || readOnly || NAMES_WRITES.test(program ?? "?");
    }) && effects.every(staysThere)
  );
}

/** `cp -r` and `mv` take along links, and files that need approval; `ln` makes links, perhaps of directories. */
export function carriedIn({ commands, effects }: CommandAnalysis, root: string, disk: DiskView): readonly Carried[] {
  const isPlain = (path: string, isLink: boolean) =>
    isLink ? isInside(path, root) && disk.kindOf(path) === "file" : holdsPlainFiles(path, disk);
  return effects.flatMap((effect) => {
    if (effect.kind !== "write" || effect.how !== "create" || effect.path === null) return [];
    const program = baseName(commands[effect.command]!.program ?? "");
    if (!/^(?:cp|mv|ln|link)$/.test(program)) return [];
    const isLink = program.startsWith("l");
    // It goes into a directory that is there.
    if (isLink && disk.realPathOf(effect.path) === effect.path && disk.kindOf(effect.path) === "directory") return [];
    const isGuarded = effects.some(
      (source) =>
        source.command === effect.command &&
        ((source.kind === "read" && !source.isPossible) || (source.kind === "write" && source.how === "delete")) &&
        (source.recursive || isLink) &&
        !(source.path !== null && isPlain(fixedPart(source.path), isLink)),
    );
    return isGuarded ? { by: effect.command, at: fixedPart(effect.path), isLink } : [];
  });
}

function holdsPlainFiles(directory: string, disk: DiskView): boolean {
  const found = listedFiles(`${directory}/**`, ALL_BELOW, disk);
  return found?.links.length === 0 && !found.files.some((file) => isNotable(file, "read"));
}

const ALL_BELOW = { nul: true, from: "disk", skips: [] } as const;

/** Whether the line itself may put a file there: by its name, or with a directory that is copied, moved or unpacked. */
export function madeIn({ commands, effects }: CommandAnalysis): (file: string) => boolean {
  const made = effects.flatMap((effect) => {
    if (effect.kind !== "write" || effect.how === "delete" || effect.path === null) return [];
    const start = effect.pattern ? fixedPart(effect.path) : effect.path;
    return { start, isWhole: effect.pattern || commands[effect.command]!.program !== "mkdir" };
  });
  return (file) =>
    made.some(({ start, isWhole }) => foldCase(start) === foldCase(file) || (isWhole && isInside(file, start)));
}

export function makersIn({ commands, effects }: CommandAnalysis): ReadonlySet<number> {
  const acting = commands.flatMap((command, index) => (command.readOnly || staysWithNames(command) ? [] : index));
  const writing = effects.flatMap((effect) =>
    effect.kind === "write" && !isStream(effect.path) && !staysWithNames(commands[effect.command]!)
      ? effect.command
      : [],
  );
  return new Set([...acting, ...writing]);
}

/** It only removes files, or changes those that are there, and makes no others but copies of them. */
function staysWithNames({ doubts, program, assignments }: AnalyzedCommand): boolean {
  if (program === "rm" || program === "rmdir") return doubts.length === 0 && assignments.length === 0;
  return doubts.length > 0 && doubts.every(({ kind }) => kind === "edit");
}

interface PlacedLine {
  readonly analysis: CommandAnalysis;
  readonly effects: readonly { readonly effect: Effect; readonly place: { readonly real: string } | null }[];
}

/** A file that the line makes, and the position of the command that does. */
export interface MadeFile {
  readonly real: string;
  readonly by: number;
}

/** The files a line makes; a compiler or a build makes what the project says. */
export function madeFiles({ effects, analysis }: PlacedLine): readonly MadeFile[] {
  return effects.flatMap(({ effect, place }) => {
    if (effect.kind !== "write" || effect.how === "delete" || effect.isPossible || !place) return [];
    const program = baseName(analysis.commands[effect.command]!.program ?? "");
    if (/^(?:ch(?:mod|own|grp)|touch|mkdir)$/.test(program) || findProgram(program)?.does?.writes === "project")
      return [];
    return { real: place.real, by: effect.command };
  });
}
