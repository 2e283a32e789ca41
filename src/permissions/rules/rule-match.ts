// Which rules speak about a call: generously for those that deny or ask, literally for those that allow.
import { isPlainName } from "../../paths/fold.js";
import { isInside } from "../../paths/inside.js";
import { type DiskView, fixedPart, type NamesOnDisk } from "../lookup/disk-view.js";
import type { ShellCall } from "../request/read-command.js";
import type { ResolvedPath } from "../request/resolve-path.js";
import type { ResolvedRequest } from "../request/resolved-request.js";
import type { CommandAnalysis, Effect } from "../shell/analysis.js";
import { type TakenPaths, takePaths } from "./path-names.js";
import type { CompiledRule } from "./rules.js";
import { mayName, unparsedText } from "./unparsed-files.js";

/** What of a call a deny or ask rule is about, in words; `null` when it is not about it. */
export function matchesRestrictively(rule: CompiledRule, call: ResolvedRequest): string | null {
  if (call.shell) return matchesCommandLine(rule, call.shell);
  if (!speaksOf(rule, call)) return null;
  const { about } = rule;
  switch (about.subject) {
    case "everything":
      return `the tool "${call.tool}"`;
    case "path": {
      const place = call.places.find((each) => isCaught(rule, each));
      return place ? `the path "${place.path}"` : null;
    }
    case "command":
      return null;
    default:
      return about.pattern.catches(call.texts) ? `the ${about.subject === "url" ? "host" : "input"}` : null;
  }
}

/** Whether an allow rule is about all of a call that is not a command. */
export function isAllowedBy(rule: CompiledRule, call: ResolvedRequest): boolean {
  if (!speaksOf(rule, call)) return false;
  const { about } = rule;
  switch (about.subject) {
    case "everything":
      return true;
    case "path":
      return !call.isUnclear && call.places.every(({ real }) => about.pattern.matches(real));
    case "command":
      return false;
    default:
      return !call.isUnclear && about.pattern.covers(call.texts);
  }
}

/** Whether an allow rule for files is about this one. `target`: only one that names it, not one that is about all files. */
export function allowsPlace(rule: CompiledRule, place: ResolvedPath, { target = false } = {}): boolean {
  if (!rulesEffect(rule, place.access)) return false;
  const { about } = rule;
  if (about.subject !== "path") return about.subject === "everything" && !target;
  return (
    about.pattern.matches(place.real) &&
    (!target || about.pattern.names(place.real) || about.pattern.names(place.lexical))
  );
}

/** Whether a rule for files speaks about what commands read or write. */
export function rulesEffect({ parsed, speaksOf: speaks }: CompiledRule, kind: "read" | "write"): boolean {
  if (parsed.tool.includes("*") || parsed.canonical === "create_dir") return false;
  return kind === "read" ? parsed.canonical === "read_file" : speaks("write_file");
}

/** What lies below a directory that a command reads whole, although a rule denies or asks for it. */
export function ruledBelow(
  rules: readonly CompiledRule[],
  place: ResolvedPath,
  disk: DiskView,
): CompiledRule | undefined {
  return rules.find(({ ref, about, ...rest }) => {
    if (ref.behavior === "allow" || about.subject !== "path") return false;
    if (!rulesEffect({ ref, about, ...rest }, "read") || about.pattern.place === null) return false;
    return isInside(about.pattern.place, place.lexical) && disk.kindOf(about.pattern.place) !== null;
  });
}

/** A rule about what wildcards or a list match, although it denies or asks. */
export function ruledAmong(
  rules: readonly CompiledRule[],
  effect: FileEffect,
  place: ResolvedPath,
  found: NamesOnDisk,
): CompiledRule | undefined {
  return rules.find(
    (rule) => rule.ref.behavior !== "allow" && speaksOfEffect(rule, effect) && isAmong(rule, effect, place, found),
  );
}

/** A rule about what wildcards may match, once the command line has made more files. */
export function ruledLater(
  rules: readonly CompiledRule[],
  effect: FileEffect & { readonly path: string },
): CompiledRule | undefined {
  return rules.find(
    (rule) =>
      rule.ref.behavior !== "allow" &&
      rule.about.subject === "path" &&
      speaksOfEffect(rule, effect) &&
      rule.about.pattern.meets(effect.path),
  );
}

function matchesCommandLine(rule: CompiledRule, shell: ShellCall): string | null {
  const { script, analysis, effects } = shell;
  const { about } = rule;
  if (rule.speaksOf("bash")) {
    if (about.subject === "everything") return "every command";
    if (about.subject !== "command") return null;
    const command = analysis.commands.find((each) => about.pattern.catches(each));
    if (command) return `the command "${command.text}"`;
    return about.pattern.catchesScript(analysis, script) ? "the command line" : null;
  }
  const index = effects.findIndex((effect, at) => isEffectCaught(rule, effect, at, shell));
  const effect = effects[index];
  if (!effect) return mayBeUnparsed(rule, analysis) ? "what was not read of the command line" : null;
  if (effect.kind === "exec") return null;
  if (effect.kind === "network") return `the host "${effect.host}"`;
  return `${effect.kind === "read" ? "reading" : "writing"} "${effect.path}"`;
}

/** Whether the part of a command line that was too much to parse may do what a rule for files or hosts is about. */
function mayBeUnparsed(rule: CompiledRule, analysis: CommandAnalysis): boolean {
  const unparsed = unparsedText(analysis);
  const { about } = rule;
  if (unparsed === null) return false;
  if (about.subject === "url") return about.pattern.hosts.some((host) => unparsed.places(host)?.length !== 0);
  if (!rulesEffect(rule, "read") && !rulesEffect(rule, "write")) return false;
  return about.subject === "path" && mayName(unparsed, about.pattern);
}

type FileEffect = Extract<Effect, { kind: "read" | "write" }>;

function isEffectCaught(rule: CompiledRule, effect: Effect, index: number, { places, found }: ShellCall): boolean {
  const { about } = rule;
  if (effect.kind === "exec") return false;
  if (effect.kind === "network") {
    const host = effect.host?.toLowerCase().replace(/\.$/, "");
    return about.subject === "url" && host !== undefined && about.pattern.catches([host]);
  }
  if (!speaksOfEffect(rule, effect)) return false;
  if (about.subject === "everything") return true;
  if (about.subject !== "path" || effect.path === null || effect.certainty) return false;
  const place = places[index] ?? null;
  if (place === null) return about.pattern.matchesGenerously(effect.path);
  if (isCaught(rule, place)) return true;
  if (effect.pattern) {
    // What is looked for by its name is as good as named, and what is reached counts when it is there.
    if (about.pattern.isSpelt(effect.path)) return true;
    const names = found[index];
    const isAsked = effect.kind === "read" && (effect.listing !== undefined || effect.only === "names");
    if (!isAsked && names && isAmong(rule, effect, place, names)) return true;
    // What `find` would change behind links cannot be looked up.
    if (effect.kind === "write" && !effect.listing && effect.path.includes("/**"))
      return about.pattern.meets(effect.path);
  }
  return takesBelow(rule, effect, effect.pattern ? (found[index]?.directories ?? []) : [place.lexical, place.real]);
}

/** Whether a rule is about something in one of the directories that are changed with all that is below. */
function takesBelow({ about }: CompiledRule, effect: FileEffect, directories: readonly string[]): boolean {
  if (effect.kind !== "write" || !effect.recursive || about.subject !== "path") return false;
  const { place } = about.pattern;
  return place !== null && directories.some((directory) => isInside(place, directory));
}

function speaksOfEffect(rule: CompiledRule, effect: FileEffect): boolean {
  if (rulesEffect(rule, effect.kind)) return true;
  // What changes a file in place reads it.
  return effect.kind === "write" && effect.how === "modify" && !effect.redirect && rulesEffect(rule, "read");
}

const taken = new WeakMap<readonly string[], TakenPaths>();
const plain = new WeakMap<readonly string[], boolean>();
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

function areAllPlain(paths: readonly string[]): boolean {
  const known = plain.get(paths) ?? paths.every(isPlainName);
  plain.set(paths, known);
  return known;
}

function takenApart(paths: readonly string[]): TakenPaths {
  const known = taken.get(paths) ?? takePaths(paths);
  taken.set(paths, known);
  return known;
}

/** Where paths really lie whose first part, of some length, is another way to a directory. Every rule asks for the same. */
function behind(paths: readonly string[], real: string, start: number): readonly string[] {
  const last = moved.get(paths);
  if (last?.real === real) return last.paths;
  const found = paths.map((path) => real + path.slice(start));
  moved.set(paths, { real, paths: found });
  return found;
}

function isCaught({ about }: CompiledRule, { lexical, real }: ResolvedPath): boolean {
  if (about.subject !== "path") return about.subject === "everything";
  return about.pattern.matchesGenerously(lexical) || about.pattern.matchesGenerously(real);
}

function speaksOf(rule: CompiledRule, { canonical, tool }: ResolvedRequest): boolean {
  return rule.speaksOf(canonical) || rule.speaksOf(tool);
}
