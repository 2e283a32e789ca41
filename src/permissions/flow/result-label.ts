// The source of a call's result, as far as the checker knows it better than the tool.
import { basename } from "node:path";
import type { Label, LabelHints } from "../../contracts/label.js";
import type { PermissionRequest } from "../../contracts/permission.js";
import type { Workspace } from "../../contracts/workspace.js";
import { joinLabels, NO_LABEL } from "../../labels/join-labels.js";
import { labelFrom, readHints } from "../../labels/read-label.js";
import { treeOf } from "../lookup/disk-view.js";
import { followsLinks } from "../lookup/search-scope.js";
import type { PlacedEffect, ShellCall } from "../request/read-command.js";
import type { ResolvedPath } from "../request/resolve-path.js";
import type { ResolvedRequest } from "../request/resolved-request.js";
import { hostOf } from "../rules/input-pattern.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { findProgram } from "../shell/programs/table.js";
import { isStream } from "../shell/words/paths.js";
import { type FileOrigins, labelOfSource, type Search } from "./file-origins.js";
import { type FlowOptions, namesSource } from "./flow-options.js";

/**
 * The label of a call's result, where the checker knows it better than the tool, or the host has said so. `ofFiles`: that of what it
 * reads of files.
 */
export function labelOfCall(
  call: ResolvedRequest,
  request: PermissionRequest,
  flow: FlowOptions,
  ofFiles: LabelHints | undefined,
): LabelHints | undefined {
  const found = ofFiles ?? labelOfPage(call, request);
  if (!found && !flow.private && !flow.untrusted && !flow.trusted) return undefined;
  // A tool that says that its results are untrusted knows it better.
  const declared = declaredBy(request);
  const known = declared.integrity === "untrusted" ? undefined : found;
  const sources = known?.sources ?? declared.sources ?? [];
  const audience = namesSource(flow.private ?? [], call.canonical, sources) ? { audience: [] } : undefined;
  if (namesSource(flow.untrusted ?? [], call.canonical, sources))
    return { ...declared, ...known, ...audience, integrity: "untrusted" };
  // Content of several places is trusted if all of them are.
  const others = sources.filter(({ untrusted }) => untrusted);
  const suspects = others.length > 0 ? others : sources;
  const { trusted = [] } = flow;
  const isExcepted = suspects.length > 0 && suspects.every((each) => namesSource(trusted, "", [each]));
  if (isExcepted || namesSource(trusted, call.canonical, []))
    return { ...declared, ...known, ...audience, integrity: "trusted" };
  return audience ? { integrity: "untrusted" as const, ...declared, ...known, ...audience } : known;
}

/** The tool's hints about all of its results. */
function declaredBy({ tool }: PermissionRequest): LabelHints {
  const { returns } = Object(tool) as { readonly returns?: unknown };
  return readHints(returns) ?? {};
}

function labelOfPage({ canonical }: ResolvedRequest, { input }: PermissionRequest): LabelHints | undefined {
  if (canonical !== "web_fetch") return undefined;
  const host = hostOf(String(Object(input).url));
  return host === null ? undefined : { integrity: "untrusted", sources: [{ kind: "web", name: host }] };
}

/** The label of what a call shows of files, and of what a command line prints; what was written from untrusted content is as untrusted. */
export async function labelOfFiles(
  call: ResolvedRequest,
  { kept, input, tool }: PermissionRequest,
  origins: FileOrigins,
): Promise<LabelHints> {
  const tree = treeOf(tool);
  if (call.shell) return labelOfLine(call.shell, origins, tree);
  // An edit says how the file is where it does not fit.
  const read = call.places.filter(({ access }) => access === "read" || call.canonical === "edit_file");
  // A file that a glob names is opened although git ignores it.
  const leavesOut = Object(input).glob === undefined ? "ignored" : "ignored directories";
  const isNames = call.canonical === "glob" || call.canonical === "list_dir";
  let label = await origins.writtenFrom(read.map(({ real }) => real));
  for (const place of read) {
    const search = { leavesOut, follows: false } as const;
    const foreign = isNames ? foreignName(place, origins) : await foreignIn(place, search, origins, tree);
    const own = labelOfSource("workspace", foreign ?? place.path, foreign !== undefined);
    label = joinLabels(label, kept?.(place.real) ?? own);
  }
  return read.length > 0 ? label : labelOfSource("workspace", call.places[0]?.path ?? ".", false);
}

/** The names of files count as the project's own. */
function foreignName({ real, path }: ResolvedPath, origins: FileOrigins): string | undefined {
  return origins.isProjects(real) ? undefined : path;
}

async function foreignIn(
  { real, path }: ResolvedPath,
  search: Search,
  origins: FileOrigins,
  tree: Workspace | undefined,
) {
  const found = await origins.foreignBelow(real, search, tree);
  return found === real ? path : found;
}

/** The label of a line's output: untrusted where the line connects, or may, and where it reads files that are not the user's own. */
async function labelOfLine(shell: ShellCall, origins: FileOrigins, tree: Workspace | undefined): Promise<LabelHints> {
  const { analysis, script, effects, isUnclear, disk } = shell;
  const isOpen = analysis.opaque || analysis.unparsed !== null || isUnclear;
  const connects = analysis.effects.some(({ kind }) => kind === "network");
  // Code reads whatever it likes, and says what it was told to by files.
  const runsCode = analysis.commands.some(({ readOnly, program }) => !readOnly && program !== "");
  const isOthersGit = analysis.repositories.some(
    ({ path, pattern }) => pattern || !origins.isOwnRepository(path, disk),
  );
  const isNobodys = origins.why !== null && analysis.commands.some(runsProject);
  let isForeign = isOpen || connects || isOthersGit || isNobodys;
  for (const each of effects) isForeign ||= await showsForeign(each, shell, origins, tree);
  const read = effects.flatMap(({ effect, place }) => (effect.kind === "read" && place ? place.real : []));
  const name = script.trim().split("\n")[0]!.slice(0, 80);
  const own = labelOfSource("command", name, isForeign);
  return joinLabels(await origins.writtenFrom(runsCode ? "all" : read), own);
}

function mayRunCode({ analysis, isUnclear }: ShellCall): boolean {
  const { opaque, unparsed, outsideGrammar, commands } = analysis;
  const isOpen = opaque || unparsed !== null || outsideGrammar.length > 0 || isUnclear;
  return (
    isOpen || commands.some((command) => runsProject(command) || command.doubts.some(({ kind }) => kind !== "edit"))
  );
}

/** A program that runs what files of the project say: its words are not all that it reads. */
function runsProject({ readOnly, program, known }: AnalyzedCommand): boolean {
  if (readOnly || program === "") return false;
  const reach = program === null || !known ? undefined : findProgram(basename(program))?.does;
  return reach?.runs !== "nothing" && reach?.runs !== "named";
}

/** Whether an effect of a line may show what is in a file that is not the user's own. */
async function showsForeign(
  { effect, place, names }: PlacedEffect,
  { analysis, disk, makers }: ShellCall,
  origins: FileOrigins,
  tree: Workspace | undefined,
) {
  if (effect.kind !== "read") return false;
  const command = analysis.commands[effect.command]!;
  const isProjects = runsProject(command);
  if (!place) return !isProjects && effect.only !== "names" && !effect.isWord && !isStream(effect.path);
  const { real, status } = place;
  if (status === "outside" || origins.isPackage(real)) return true;
  if (effect.isWord) return false;
  if (effect.tracked || effect.only === "names") return !origins.isProjects(real);
  const isForeign = (path: string) => !origins.isTrusted(disk.realPathOf(path) ?? path);
  if (names && effect.pattern && names.files.some(isForeign)) return true;
  const kind = disk.kindOf(real);
  if (kind === "file") return isForeign(real);
  // Where nothing is, and the line makes nothing, git takes a word for a revision.
  const isRevision = kind === null && makers.size === 0 && nameOf(command) === "git";
  const isUnopened = kind === "directory" && command.readOnly && !effect.recursive && !effect.pattern;
  if (isRevision || isUnopened || (isProjects && kind !== "unknown")) return false;
  const search = { leavesOut: leftOutBy(command), follows: followsLinks(command) };
  // Directories that match a wildcard are not opened where it does not go deeper.
  const isFlat = effect.pattern && names && effect.only === "files" && !effect.recursive;
  const directories = isFlat ? [] : names && effect.pattern ? names.directories : [real];
  for (const path of directories) if ((await origins.foreignBelow(path, search, tree)) !== undefined) return true;
  return false;
}

function nameOf({ program }: AnalyzedCommand): string {
  return basename(program ?? "");
}

/** The files ignored by git that `rg` leaves out: with a glob, no files that it names. */
function leftOutBy(command: AnalyzedCommand): Search["leavesOut"] {
  const hasOption = (option: RegExp) => command.words.some((word) => word === null || option.test(word));
  if (nameOf(command) !== "rg" || hasOption(/^-[a-zA-Z]*u|^--(?:no-ignore|unrestricted)/)) return "nothing";
  return hasOption(/^-[a-zA-Z]*g|^--i?glob/) ? "ignored directories" : "ignored";
}

/** Whether what an effect is about may be written: by the line itself, or later by another name that the line gives it. */
function mayChange(effect: PlacedEffect["effect"], { analysis }: ShellCall): boolean {
  if (effect.kind !== "read" || effect.isWord) return effect.kind === "write";
  const { program, words } = analysis.commands[effect.command]!;
  const name = basename(program ?? "");
  return name === "ln" || (name === "cp" && words.some((word) => /^(?:-[a-zA-Z]*l|--li)/.test(word ?? "-l")));
}

/** Whether a line writes to a place that nobody knows before it runs. */
function isAnywhere({ effect, place }: PlacedEffect): boolean {
  return effect.kind === "write" && place === null && !(effect.path !== null && isStream(effect.path));
}

/** Whether there may be something to note of a call. */
export function leavesNotes({ shell, places }: ResolvedRequest): boolean {
  return shell !== null || places.some(({ access }) => access === "write");
}

/**
 * Notes which files an allowed call may write from untrusted content: what it was made from, and what its own line reads. What
 * nobody was asked about, since a machine keeps it in (`isHeld`), may write any of them where it runs code or names no place.
 */
export async function noteWrites(
  { shell, places, canonical, sessionId }: ResolvedRequest,
  { context = NO_LABEL, tool }: PermissionRequest,
  said: LabelHints | undefined,
  origins: FileOrigins,
  isHeld: boolean,
): Promise<void> {
  const isFree = isHeld && shell !== null && (mayRunCode(shell) || shell.effects.some(isAnywhere));
  if (isFree && context.integrity === "untrusted") await origins.noteAll(context);
  if (shell && context.integrity === "untrusted") await noteAdded(shell, context, origins, treeOf(tool));
  const label = shell && said ? joinLabels(context, labelFrom(said, NO_LABEL)) : context;
  const written = shell
    ? shell.effects.flatMap(({ effect, place }) => (place && mayChange(effect, shell) ? [place] : []))
    : places.filter(({ access }) => access === "write");
  for (const { real } of written) {
    if (label.integrity === "untrusted") await origins.note(real, label);
    else if (canonical === "write_file") origins.noteOwn(real, sessionId, treeOf(tool));
  }
}

/** Files that git tracks from now on count as the user's in later sessions: those of others stay on record. */
async function noteAdded(
  { analysis, effects }: ShellCall,
  label: Label,
  origins: FileOrigins,
  tree: Workspace | undefined,
): Promise<void> {
  for (const [index, { variants, words }] of analysis.commands.entries()) {
    if (!variants.some((variant) => ADDS.test(variant))) continue;
    const named = effects.filter(({ effect }) => effect.kind === "read" && effect.command === index);
    const isKnown = named.length > 0 && !words.includes(null) && named.every(({ place }) => place !== null);
    const paths = named.flatMap(({ effect, place, names }) =>
      names && effect.kind === "read" && effect.pattern ? [...names.files, ...names.directories] : (place?.real ?? []),
    );
    const leavesOut = words.some((word) => /^(?:-[a-zA-Z]*f|--fo)/.test(word ?? "")) ? "nothing" : "ignored";
    for (const path of isKnown ? paths : origins.roots) {
      const added: string[] = [];
      const rest = await origins.foreignBelow(path, { leavesOut, follows: false }, tree, added);
      for (const file of rest === undefined ? added : [...added, rest]) await origins.note(file, label);
    }
  }
}

const ADDS = /^git (?:add|stage|update-index)(?: |$)/;
