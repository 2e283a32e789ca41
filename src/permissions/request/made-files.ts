// The files a line makes itself, so that the files there now do not show those its commands meet.
import { dirname } from "node:path";
import { foldCase } from "../../paths/fold.js";
import { isInside } from "../../paths/inside.js";
import { type DiskView, fixedPart } from "../lookup/disk-view.js";
import { isNotable } from "../lookup/expand-paths.js";
import { listedFiles } from "../lookup/listed-files.js";
import type { AnalyzedCommand, CommandAnalysis, Effect } from "../shell/analysis.js";
import { baseName, findProgram } from "../shell/programs/table.js";
import { isStream } from "../shell/words/paths.js";

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
  if (!/^(?:cp|mv)$/.test(commands[effect.command]!.program ?? "") || disk.kindOf(target) !== "file") return false;
  // It stays a file unless another command puts something in its place.
  const staysThere = (other: Effect) =>
    other.kind !== "write" ||
    other.command === effect.command ||
    (other.path !== null && !other.pattern && !isInside(target, other.path));
  return (
    commands.every(({ readOnly, program }) => readOnly || NAMES_WRITES.test(program ?? "?")) &&
    effects.every(staysThere)
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
