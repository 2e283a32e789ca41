// A command line, read once: what it does, which files that is about, and where they lie.

import { basename, dirname, join, normalize } from "node:path";
import { isInside } from "../../paths/inside.js";
import { type DiskView, fixedPart, textOf } from "../lookup/disk-view.js";
import {
  type Carried,
  carriedIn,
  isPastFile,
  madeIn,
  makersIn,
  PathExpansion,
  type SeenEffect,
} from "../lookup/expand-paths.js";
import {
  createGitIgnore,
  lookalikeOf,
  programInSettings,
  refLikeOption,
  repositoryOf,
  topLevelOf,
} from "../lookup/repository.js";
import { steers } from "../lookup/steering-files.js";
import type { RuleDirectories } from "../rules/path-pattern.js";
import type { AnalyzedCommand, CommandAnalysis, Destruction, Effect, EffectPath } from "../shell/analysis.js";
import { analyzeCommand } from "../shell/analyze-command.js";
import { assessDestruction } from "../shell/destruction/destruction.js";
import { isStream } from "../shell/words/paths.js";
import { isPublicFact, type PathResolver, type ResolvedPath, whenAll } from "./resolve-path.js";

/** A command line, taken apart. */
export interface ShellCall {
  readonly script: string;
  readonly analysis: CommandAnalysis;
  readonly destructions: readonly Destruction[];
  /** The effects of the analysis, and one for each file behind their wildcards and lists that is looked at by itself. */
  readonly effects: readonly PlacedEffect[];
  /** The positions of commands that may make files or links: what is there now says nothing of what others reach. */
  readonly makers: ReadonlySet<number>;
  /** It touches more than can be looked at. */
  readonly isUnclear: boolean;
  /** The places where the line itself puts links, or directories that hold or may hold some. */
  readonly carried: readonly Carried[];
  /** A directory that git may take for a repository; `null` when there is not one, or when it runs no git. */
  readonly lookalike: string | null;
  /** Whether git ignores an absolute path. */
  readonly isIgnored: (path: string) => boolean;
  /** The view of its files. */
  readonly disk: DiskView;
  /** A setting or hook of the repository that makes git run a program; `null` when none does, or no git runs. */
  readonly repositorySetting: string | null;
  /** A branch or tag that looks like an option; `null` when there is not one, or it is no word of the line. */
  readonly refLikeOption: string | null;
}

/** An effect, with what there is where it happens. */
export interface PlacedEffect extends SeenEffect {
  /** The place its path leads to; `null` without a known one. */
  readonly place: ResolvedPath | null;
}

/** More paths in one line are not looked up, but compared with rules by their text: the call is then unclear. */
const MAX_PLACES = 100;
/** The most words that are looked up as possible files; the others are compared with rules by their text. */
const MAX_GUESSES = 50;
/** The same for the names in all of them: each is a look at the disk. */
const MAX_NAMES = 1_000;

/** No system opens a longer path; where it would lead behind links is not looked up. Unit: characters. */
const MAX_PATH_LENGTH = 4_096;
/** The most climbs of one path. */
const MAX_CLIMBS = 50;
/** The most names in climbing paths that are followed behind links; beyond it their places are unknown. */
const MAX_FOLLOWED = 1_000;

/** A larger file of code is not read. Unit: bytes. */
const MAX_CODE = 64_000;

/** The directory in which a session's shell stands, and the one that `$TMPDIR` names there. */
interface ShellPlace {
  readonly cwd: string;
  readonly sessionId: string;
  readonly temporary: string | undefined;
}

/** Reads command lines that start in a directory. Answers at once when no path has to be waited for. */
export function createShellReader(find: PathResolver, directories: RuleDirectories, disk: DiskView) {
  const root = disk.realPathOf(directories.root) ?? directories.root;
  const real = { root, home: disk.realPathOf(directories.home) ?? directories.home };
  return (script: string, { cwd, sessionId, temporary }: ShellPlace): ShellCall | Promise<ShellCall> => {
    const read = analyzeCommand(script, {
      cwd,
      home: directories.home,
      temporary,
      isDirectory: (path) => disk.kindOf(path) === "directory",
      textOf: (path) =>
        isInside(disk.realPathOf(path) ?? "/", root) ? (textOf(disk, path, MAX_CODE) ?? undefined) : undefined,
      topLevelOf: (directory) => topLevelOf(directory, disk),
    });
    const analysis = elsewhere(withoutSteering(inRepository(read, cwd, disk), directories.root, disk), cwd, disk);
    const isIgnored = createGitIgnore(directories.root, disk);
    const destructions = assessDestruction(asFollowed(analysis, disk), { ...real, isRegenerable: isIgnored });
    const there = new PathExpansion(analysis, { most: MAX_PLACES + 1, disk, isIgnored });
    const carried = carriedIn(analysis, directories.root, disk);
    const links = { left: MAX_FOLLOWED };
    const isOwn = ownPlaces([directories.root, temporary ?? directories.root], directories.home, disk);
    const words = analysis.words.flatMap((word) => (isOwn(word) ? [] : ({ ...word, ...WORD } as const)));
    const seen = [...analysis.effects.filter((effect) => !isPastFile(effect, analysis, disk)), ...words]
      .flatMap((effect) => {
        // Behind a link that is not there yet, `..` leads nobody knows where.
        return followed(effect, disk, meetsNew(effect, carried) ? { left: 0 } : links);
      })
      .flatMap((effect) => there.behind(effect));
    const known = new Map<string, ResolvedPath | Promise<ResolvedPath>>();
    let names = 0;
    const looked = seen.map(({ effect }) => {
      if (effect.kind !== "read" && effect.kind !== "write") return null;
      if (effect.path === null || isStream(effect.path)) return null;
      const path = effect.pattern ? fixedPart(effect.path) : effect.path;
      const key = `${effect.kind} ${path}`;
      const most = effect.isPossible ? MAX_GUESSES : MAX_PLACES;
      if (!known.has(key) && known.size < most && names < MAX_NAMES) {
        names += path.split("/").length;
        known.set(key, find(path, effect.kind, sessionId));
      }
      return known.get(key) ?? null;
    });
    const makers = makersIn(analysis);
    const isUnclear = known.size >= MAX_PLACES || names >= MAX_NAMES;
    return whenAll(looked, (places) => ({
      script,
      analysis,
      destructions,
      effects: seen.map((each, index) => ({ ...each, place: places[index]! })),
      makers,
      isUnclear,
      carried,
      lookalike: lookalikeIn(analysis, cwd, disk),
      isIgnored,
      disk,
      repositorySetting: runsGit(analysis) ? programInSettings(cwd, disk, makers.size > 0) : null,
      refLikeOption: analysis.takesRefs ? refLikeOption(cwd, disk) : null,
    }));
  };
}

/** The same, with the commands that read in a directory of the repository the line starts in. */
function inRepository(analysis: CommandAnalysis, cwd: string, disk: DiskView): CommandAnalysis {
  if (analysis.commands.every(({ readOnlyIn }) => readOnlyIn === null)) return analysis;
  const home = repositoryOf(cwd, disk);
  const isMade = madeIn(analysis);
  const isOwn = (directory: string) =>
    home !== undefined &&
    disk.realPathOf(directory) === directory &&
    repositoryOf(directory, disk) === home &&
    lookalikeOf(directory, isMade, disk) === undefined;
  const commands = analysis.commands.map((command) =>
    command.readOnlyIn?.every(isOwn) ? { ...command, readOnly: true } : command,
  );
  return { ...analysis, commands };
}

/**
 * The same, with a doubt about each command in a repository other than the one the line starts in, whose settings name
 * programs.
 */
function elsewhere(analysis: CommandAnalysis, cwd: string, disk: DiskView): CommandAnalysis {
  const others = analysis.repositories.filter(({ path }) => path !== cwd);
  if (others.length === 0) return analysis;
  const home = repositoryOf(cwd, disk);
  const isMade = madeIn(analysis);
  const makesFiles = makersIn(analysis).size > 0;
  const found = new Map<number, string>();
  for (const { command, path, pattern } of others) {
    const { readOnly, readOnlyIn } = analysis.commands[command]!;
    for (const directory of path !== null && pattern ? directoriesIn(path, disk) : [path]) {
      const steering =
        directory === null
          ? "where it stands is not known"
          : repositoryOf(directory, disk) === home &&
              lookalikeOf(directory, isMade, disk) === lookalikeOf(cwd, isMade, disk)
            ? null
            : (programInSettings(directory, disk, makesFiles, !readOnly && readOnlyIn === null) ??
              lookalikeOf(directory, isMade, disk));
      if (steering) found.set(command, steering);
    }
  }
  if (found.size === 0) return analysis;
  const commands = analysis.commands.map((each, index) => {
    const steering = found.get(index);
    if (steering === undefined) return each;
    const reason = `"git" may run what another repository names: "${steering}"`;
    return { ...each, readOnly: false, doubts: [...each.doubts, { kind: "code", reason } as const] };
  });
  return { ...analysis, commands };
}

/** The directories that wildcards at the end of a path may match; `null` among them when that is not known. */
function directoriesIn(path: string, disk: DiskView): readonly (string | null)[] {
  const start = fixedPart(path);
  const entries = /^[^/]+\/?$/.test(path.slice(start.length + 1)) ? disk.entriesOf(start) : null;
  return entries?.map(({ name }) => join(start, name)) ?? [null];
}

/** The same, with the commands that read where no file of the project says what they run. */
function withoutSteering(analysis: CommandAnalysis, root: string, disk: DiskView): CommandAnalysis {
  const { commands, effects } = analysis;
  const mayMakeOne =
    commands.some(({ readOnly, readOnlyWithout }) => !readOnly && readOnlyWithout === null) ||
    effects.some((effect) => effect.kind === "write" && !effect.isPossible && !isStream(effect.path));
  if (mayMakeOne || commands.every(({ readOnlyWithout }) => readOnlyWithout === null)) return analysis;
  const isSteered = ({ files, directories }: NonNullable<AnalyzedCommand["readOnlyWithout"]>) =>
    directories.flatMap((at) => upTo(root, at)).some((at) => files.some((file) => steers(join(at, file), disk)));
  const settled = commands.map((command) =>
    command.readOnlyWithout && !isSteered(command.readOnlyWithout) ? { ...command, readOnly: true } : command,
  );
  return { ...analysis, commands: settled };
}

/** A directory of the project and all above it that are; elsewhere all above. */
function upTo(root: string, directory: string): readonly string[] {
  const above = dirname(directory);
  return directory === root || above === directory ? [directory] : [directory, ...upTo(root, above)];
}

/** The effect at the place to which `..` behind a link leads the program, next to the place to which the text leads. */
function followed(effect: Effect, disk: DiskView, links: { left: number }): Effect | Effect[] {
  if ((effect.kind !== "read" && effect.kind !== "write") || !effect.asWritten || effect.path === null) return effect;
  const { asWritten, ...rest } = effect;
  if (asWritten.length > MAX_PATH_LENGTH && !effect.pattern) return rest;
  links.left -= asWritten.split("/").length;
  if (links.left < 0) return [rest, { ...rest, path: null, isElsewhere: true }];
  const [start, written] = effect.pattern ? [fixedPart(effect.path), fixedPart(asWritten)] : [effect.path, asWritten];
  const real = disk.realPathOf(written);
  if (real !== null && real === disk.realPathOf(start)) return rest;
  return [rest, { ...rest, path: effect.pattern ? null : real, isElsewhere: true }];
}

/** A link that the line itself makes is on the way to one of the `..` of a path; a great many count as such. */
function meetsNew(effect: Effect, carried: readonly Carried[]): boolean {
  if ((effect.kind !== "read" && effect.kind !== "write") || !effect.asWritten) return false;
  const others = carried.filter(({ by }) => by !== effect.command);
  if (others.length === 0) return false;
  const names = effect.asWritten.split("/");
  const climbs = names.flatMap((name, at) => (name === ".." ? at : []));
  if (climbs.length > MAX_CLIMBS) return true;
  const places = climbs.map((at) => normalize(names.slice(0, at).join("/")));
  return others.some(({ at }) => places.some((place) => isInside(place, at)));
}

/**
 * The same analysis, with the paths that are deleted or changed as the kernel follows them: name by name, links with
 * them.
 */
function asFollowed(analysis: CommandAnalysis, disk: DiskView): CommandAnalysis {
  const effects = analysis.effects.map((effect) => {
    if (effect.kind !== "write" || effect.how === "create" || effect.path === null) return effect;
    const { path, asWritten = path, how, pattern } = effect;
    const start = pattern ? fixedPart(asWritten) : asWritten;
    // To delete a link is not to delete what is behind it, unless a slash follows its name.
    const isItself = how === "delete" && !pattern && !/(?:^|\/)\.{0,2}$/.test(asWritten);
    const real = disk.realPathOf(isItself ? dirname(start) : start);
    if (real === null) return effect;
    return { ...effect, path: isItself ? join(real, basename(start)) : real + asWritten.slice(start.length) };
  });
  return { ...analysis, effects };
}

const WORD = { kind: "read", isWord: true, isPossible: true } as const;

/** Programs and their parts, where everybody has them: in the home directory those that a person installs. */
const INSTALLED =
  /^\/(?:(?:usr\/)?(?:local\/)?s?bin\/[^/]+$|(?:usr\/)?(?:local\/)?(?:include|lib\w*|share)(?:\/|$)|opt\/)/;
const INSTALLED_AT_HOME = /^\/(?:\.[\w-]+\/(?:[\w.@+-]+\/)*|go\/)?bin\/[^/]+$/;

/** Whether a word leads into one of these directories, or is no path to a place that is there. */
function ownPlaces(roots: readonly string[], home: string, disk: DiskView) {
  const real = new Set(roots.map((root) => disk.realPathOf(root) ?? root));
  const isThere = (path: string) => disk.kindOf(path) !== null;
  return ({ path, asWritten, pattern }: EffectPath): boolean => {
    if (path === null || isStream(path) || isPublicFact(path) || INSTALLED.test(path)) return true;
    if (path.startsWith(`${home}/`) && INSTALLED_AT_HOME.test(path.slice(home.length))) return true;
    const written = asWritten ?? path;
    const place = disk.realPathOf(pattern ? fixedPart(written) : written) ?? path;
    // `/api/users`: nothing of that name is at the root.
    return (
      [...real].some((root) => isInside(place, root)) || !isThere(place.slice(0, place.indexOf("/", 1) + 1 || Infinity))
    );
  };
}

function runsGit({ commands }: CommandAnalysis): boolean {
  return commands.some(({ program }) => program === "git" || program?.endsWith("/git"));
}

function lookalikeIn(analysis: CommandAnalysis, cwd: string, disk: DiskView): string | null {
  return runsGit(analysis) ? (lookalikeOf(cwd, madeIn(analysis), disk) ?? null) : null;
}
