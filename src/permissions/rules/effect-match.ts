// The deny and ask rules that speak about what a command line reads, writes and connects to.
import { isPlainName } from "../../paths/fold.js";
import { isInside } from "../../paths/inside.js";
import { type DiskView, fixedPart, type NamesOnDisk } from "../lookup/disk-view.js";
import { onceForEach } from "../once-for-each.js";
import type { PlacedEffect, ShellCall } from "../request/read-command.js";
import type { ResolvedPath } from "../request/resolve-path.js";
import type { Effect } from "../shell/analysis.js";
import { type TakenPaths, takePaths } from "./path-names.js";
import type { CompiledRule } from "./rules.js";

type FileEffect = Extract<Effect, { kind: "read" | "write" }>;

/** Whether a rule for files speaks about what commands read or write. */
export function rulesEffect({ parsed, speaksOf: speaks }: CompiledRule, kind: "read" | "write"): boolean {
  if (parsed.tool.includes("*") || parsed.canonical === "create_dir") return false;
  return kind === "read" ? parsed.canonical === "read_file" : speaks("write_file");
}

/** The rule that denies or asks for a file below a directory that a command reads whole. */
export function ruledBelow(
  limits: readonly CompiledRule[],
  place: ResolvedPath,
  disk: DiskView,
): CompiledRule | undefined {
  return limits.find((rule) => {
    if (rule.about.subject !== "path" || !rulesEffect(rule, "read")) return false;
    const ruled = rule.about.pattern.place;
    return ruled !== null && isInside(ruled, place.lexical) && disk.kindOf(ruled) !== null;
  });
}

/** A rule about what wildcards or a list match, although it denies or asks. */
export function ruledAmong(
  limits: readonly CompiledRule[],
  effect: FileEffect,
  place: ResolvedPath,
  found: NamesOnDisk,
): CompiledRule | undefined {
  return limits.find((rule) => speaksOfEffect(rule, effect) && isAmong(rule, effect, place, found));
}

/** A rule about what wildcards may match, once the command line has made more files. */
export function ruledLater(
  limits: readonly CompiledRule[],
  effect: FileEffect & { readonly path: string },
): CompiledRule | undefined {
  return limits.find(
    (rule) => rule.about.subject === "path" && speaksOfEffect(rule, effect) && rule.about.pattern.meets(effect.path),
  );
}

/** The first effect of a command line that a rule is about. */
export function caughtEffect(rule: CompiledRule, shell: ShellCall): Effect | undefined {
  const { named, open } = lineEffects(shell);
  // Most rules are about none of the paths: to know that takes one look at all their names.
  const isNamed = rule.about.subject !== "path" || rule.about.pattern.matchesAny(named);
  return (isNamed ? shell.effects : open).find((each) => isEffectCaught(rule, each, isNamed))?.effect;
}

interface LineEffects {
  /** All paths the line is known to touch. */
  readonly named: TakenPaths;
  /** The effects that reach more than the path they name. */
  readonly open: readonly PlacedEffect[];
}

const lineEffects = onceForEach(({ effects }: ShellCall): LineEffects => {
  const paths = new Set<string>();
  const open: PlacedEffect[] = [];
  for (const each of effects) {
    const { effect, place } = each;
    if ((effect.kind !== "read" && effect.kind !== "write") || effect.path === null) continue;
    for (const path of place ? [place.lexical, place.real] : [effect.path]) paths.add(path);
    if (effect.pattern || (effect.kind === "write" && effect.recursive)) open.push(each);
  }
  return { named: takePaths([...paths]), open };
});

function isEffectCaught(rule: CompiledRule, { effect, place, names }: PlacedEffect, isNamed: boolean): boolean {
  const { about } = rule;
  if (effect.kind === "exec") return false;
  if (effect.kind === "network") {
    const host = effect.host?.toLowerCase().replace(/\.$/, "");
    return about.subject === "url" && host !== undefined && about.pattern.catches([host]);
  }
  if (!speaksOfEffect(rule, effect)) return false;
  if (about.subject === "everything") return true;
  if (about.subject !== "path" || effect.path === null || effect.certainty) return false;
  if (place === null) return isNamed && about.pattern.matchesGenerously(effect.path);
  if (isNamed && isCaught(rule, place)) return true;
  if (effect.pattern) {
    // A file looked for by its name is as good as named, and one that is reached counts when it is there.
    if (about.pattern.isSpelt(effect.path)) return true;
    const isAsked = effect.kind === "read" && (effect.listing !== undefined || effect.only === "names");
    if (!isAsked && names && isAmong(rule, effect, place, names)) return true;
    // Files `find` would change behind links, and files on another machine, cannot be looked up.
    const isHidden = names === null || (effect.kind === "write" && effect.path.includes("/**"));
    if (isHidden && !isAsked && !effect.listing) return about.pattern.meets(effect.path);
  }
  return takesBelow(rule, effect, effect.pattern ? (names?.directories ?? []) : [place.lexical, place.real]);
}

/** Whether a rule is about something in one of the directories that are changed with all that is below. */
function takesBelow({ about }: CompiledRule, effect: FileEffect, directories: readonly string[]): boolean {
  if (effect.kind !== "write" || !effect.recursive || effect.isPossible) return false;
  return isBelow(about, directories);
}

function isBelow(about: CompiledRule["about"], directories: readonly string[]): boolean {
  if (about.subject !== "path") return false;
  const { place } = about.pattern;
  return place !== null && directories.some((directory) => isInside(place, directory));
}

/** A rule about a place below a directory, where a program may put something. */
export function ruledInto(limits: readonly CompiledRule[], { lexical, real }: ResolvedPath): CompiledRule | undefined {
  return limits.find((rule) => rulesEffect(rule, "write") && isBelow(rule.about, [lexical, real]));
}

function speaksOfEffect(rule: CompiledRule, effect: FileEffect): boolean {
  if (rulesEffect(rule, effect.kind)) return true;
  // A change to a file in place reads it.
  return effect.kind === "write" && effect.how === "modify" && !effect.redirect && rulesEffect(rule, "read");
}

const takenApart = onceForEach(takePaths);
const areAllPlain = onceForEach((paths: readonly string[]) => paths.every(isPlainName));
const moved = new WeakMap<readonly string[], { readonly real: string; readonly paths: readonly string[] }>();

/** Whether a rule is about one of the names that wildcards or a list match. */
function isAmong({ about }: CompiledRule, effect: FileEffect, place: ResolvedPath, found: NamesOnDisk): boolean {
  if (about.subject !== "path") return about.subject === "everything";
  const { pattern } = about;
  const isElsewhere = place.real !== place.lexical;
  // Quick, where the text says it all: brackets may have been quoted, and `find` distinguishes no hidden names.
  const saysAll = effect.pattern && !isElsewhere && !effect.listing && !/[[\\]/.test(effect.path!);
  if (saysAll && !pattern.meets(effect.path!) && areAllPlain(found.files) && areAllPlain(found.directories))
    return false;
  const lists = effect.kind === "read" && effect.only === "files" ? [found.files] : [found.files, found.directories];
  const start = fixedPart(effect.path!).length;
  return lists.some(
    (paths) =>
      pattern.matchesAny(takenApart(paths)) ||
      (isElsewhere && pattern.matchesAny(takenApart(behind(paths, place.real, start)))),
  );
}

/** The real places of paths whose first part, of some length, is another way to a directory. */
function behind(paths: readonly string[], real: string, start: number): readonly string[] {
  const last = moved.get(paths);
  if (last?.real === real) return last.paths;
  const found = paths.map((path) => real + path.slice(start));
  moved.set(paths, { real, paths: found });
  return found;
}

/** Whether a rule that denies or asks is about a path, by its name or where it really lies. */
export function isCaught({ about }: CompiledRule, { lexical, real }: ResolvedPath): boolean {
  if (about.subject !== "path") return about.subject === "everything";
  return about.pattern.matchesGenerously(lexical) || about.pattern.matchesGenerously(real);
}
