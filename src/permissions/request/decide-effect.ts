// The reasons why the files a command reads or writes need approval.

import { basename } from "node:path";
import { isInside } from "../../paths/inside.js";
import { ask, type Decision, inQuotes, mayBeRuled, notUnderstood } from "../decision.js";
import { fixedPart, type NamesOnDisk } from "../lookup/disk-view.js";
import { matchesHidden } from "../lookup/expand-paths.js";
import { skipsHidden } from "../lookup/search-scope.js";
import { ruledAmong, ruledBelow, ruledInto, ruledLater, rulesEffect } from "../rules/effect-match.js";
import type { Part } from "../rules/rule-coverage.js";
import { allowsPlace, settles } from "../rules/rule-match.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { CompiledRule } from "../rules/rules.js";
import type { AnalyzedCommand, Effect } from "../shell/analysis.js";
import type { ProgramRow } from "../shell/programs/program-row.js";
import { findProgram } from "../shell/programs/table.js";
import { MOVES } from "../shell/script/findings.js";
import { isStream } from "../shell/words/paths.js";
import type { TakenDirectories } from "./directory-arguments.js";
import type { PlacedEffect, ShellCall } from "./read-command.js";
import { isPublicFact, type ResolvedPath } from "./resolve-path.js";

type FileEffect = Extract<Effect, { kind: "read" | "write" }>;

/** A file read or written, where that is known. */
interface FileTouch<Touch extends FileEffect> {
  readonly effect: Touch;
  readonly place: ResolvedPath;
  readonly names: NamesOnDisk | null;
}

/** The context that decides on the effects of a line. */
export interface EffectContext {
  readonly shell: ShellCall;
  readonly rules: RuleSet;
  /** A part that cannot be read may be one that a rule denies, or asks about. */
  readonly mayHideDenied: boolean;
  /** File edits inside the workspace need no rule. */
  readonly acceptsEdits: boolean;
  readonly taken: TakenDirectories;
}

/** The reason why one effect needs approval; `null` when it does not. While rules are about files, it may be what they are about. */
export function decideEffect(placed: PlacedEffect, part: Part, context: EffectContext): Decision | null {
  const found = firstDoubt(placed, part, context);
  return found && context.rules.limits.some(isLimitForFiles) ? { ...found, mayBeRuled: true } : found;
}

function firstDoubt(placed: PlacedEffect, part: Part, context: EffectContext): Decision | null {
  const { effect, place, names } = placed;
  if (effect.kind === "network" && effect.redirect) {
    const { text } = part.command;
    return mayBeRuled(
      `A redirection${text === "" ? "" : ` of ${inQuotes(text)}`} opens a connection to another machine.`,
    );
  }
  if (effect.kind === "exec" || effect.kind === "network" || isStream(effect.path)) return null;
  if (effect.isPossible) return takenDoubt({ effect, place, names }, part, context);
  const { shell } = context;
  const { allow: allows, limits } = context.rules;
  const { cover, command } = part;
  const verb = effect.kind === "read" ? "reads" : "writes";
  const makesNames = mayMakeNames(effect, part, shell);
  const isRedirect = effect.kind === "write" && effect.redirect === true;
  if (effect.isElsewhere && (effect.kind === "write" || !place) && cover && cover.closeness !== "exact") {
    const reason = `${shownName(command)} ${verb} what a link on the way, and ".." behind it, lead to.`;
    return notUnderstood(reason, context);
  }
  if (!place || (effect.listing && makesNames)) {
    const mayBeDenied = limits.some(isLimitForFiles);
    if (cover && !isRedirect && !mayBeDenied) {
      // The place lies outside, whatever is there.
      return place && effect.kind === "write" ? decideWrite({ effect, place, names }, part, context) : null;
    }
    const yields = mayBeDenied ? "nothing" : cover || effect.kind === "write" ? "bypass" : "anything";
    return ask("not-understood", `${shownName(command)} ${verb} a path that is not known before it runs.`, yields);
  }
  // `ls -l .env` prints less than what lists the directory; what `find` goes through may be passed on.
  const isListed = showsOnlyNames(effect, place) && effect.kind === "read" && !effect.recursive;
  const asked =
    (isListed ? null : place.asked) ??
    (isGuarded(effect, place) ? place.why : hiddenByPattern(effect, makesNames ? null : names));
  // A rule about a command does not cover the place its output goes, unless it spells out the whole line.
  const isExact = cover?.closeness === "exact" && (!isRedirect || cover.line);
  if (asked && !isExact && !allows.some((rule) => settles(rule, place))) {
    return ask("tool-ask", `${shownName(command)} ${verb} "${effect.path}": ${asked}.`, "nothing");
  }
  if (isCarried(effect, place, context) && cover?.closeness !== "exact") {
    const reason = `${shownName(command)} may reach what the command line itself puts at "${effect.path}".`;
    return notUnderstood(reason, context);
  }
  const later = effect.pattern && makesNames ? laterDoubt(effect, part, context) : null;
  if (later) return later;
  return effect.kind === "read"
    ? readDoubt({ effect, place, names }, part, context)
    : decideWrite({ effect, place, names }, part, context);
}

/**
 * A directory among the words of what does more than read: whatever is below it may be read with it. What builds, tests
 * or checks a project reads as the project says, which nobody can know; unless it packs or sends all that is there.
 */
function takenDoubt(
  { effect, place, names }: PlacedEffect & { readonly effect: FileEffect },
  part: Part,
  context: EffectContext,
): Decision | null {
  const { command } = part;
  const { makers } = context.shell;
  // A wildcard represents the directories it matches, not the one where it is looked up.
  if (effect.pattern && names?.directories.length === 0 && [...makers].every((by) => by === effect.command))
    return null;
  const isTracked = effect.kind === "read" && effect.tracked !== undefined;
  if (!place || (command.readOnly && !isTracked)) return null;
  if (effect.kind === "read" && effect.isWord) return wordDoubt(place, part, context);
  if (isUsersWord(part)) return null;
  if (effect.kind === "write") {
    const into = effect.recursive ? ruledInto(context.rules.limits, place) : undefined;
    const reason = `${shownName(command)} may write what the rule "${into?.ref.rule}" covers.`;
    return into ? mayBeRuled(reason, into.ref) : null;
  }
  if (rowOf(command)?.does?.runs === "project" && !effect.recursive) return null;
  const rule = context.taken.ruledIn(effect, place, command);
  if (!rule) return null;
  const reason = `${shownName(command)} may also read what the rule "${rule.ref.rule}" covers.`;
  return mayBeRuled(reason, rule.ref);
}

/** A word that leads out of the workspace: the program may at least read there, and write unless it is known not to. */
function wordDoubt(place: ResolvedPath, part: Part, context: EffectContext): Decision | null {
  const mayWrite = rowOf(part.command)?.does?.writes !== "nothing";
  const accesses = mayWrite ? (["write"] as const) : (["read", "write"] as const);
  const isAllowed = (rule: CompiledRule) => accesses.some((access) => settles(rule, { ...place, access }));
  if (!part.cover || isSpelled(part, place) || context.rules.allow.some(isAllowed)) return null;
  return ask(
    "not-understood",
    `${shownName(part.command)} may read or write outside the workspace: "${place.path}".`,
    "bypass",
  );
}

/** A rule spells out the place, or a directory above: `Bash(cat /var/log/*)`. */
function isSpelled({ cover, command }: Part, { path }: ResolvedPath): boolean {
  if (cover?.closeness === "exact") return true;
  const about = cover?.rule.about;
  if (about?.subject !== "command") return false;
  const named = about.pattern.words.flatMap(
    (word) => /^[^*]*(?:^|[=\w])(?:\/|~\/|\.\.(?:\/|$))[^*]*/.exec(word)?.[0] ?? [],
  );
  return named.some((start) =>
    command.words.some(
      (word) => word?.startsWith(start) && path.endsWith(word.replace(/^(?:[^/~.]*=)?(?:~|(?:\.\.\/)*)/, "")),
    ),
  );
}

/** A rule that names the program, and its command where it has some: `Bash(eslint:*)`, `Bash(docker build:*)`. */
export function isUsersWord({ command, cover }: Part): boolean {
  if (!cover || cover.closeness === "bare") return false;
  const { about } = cover.rule;
  const namesMore = about.subject === "command" && about.pattern.words.length > 1;
  return cover.closeness === "exact" || namesMore || rowOf(command)?.globals === undefined;
}

function rowOf({ program }: AnalyzedCommand): ProgramRow | undefined {
  return findProgram(basename(program ?? ""));
}

/** The line may put there what its wildcards meet. What a program makes that a rule names, it may read anyway. */
function mayMakeNames({ kind, command: index }: FileEffect, part: Part, { makers }: ShellCall): boolean {
  if (kind === "write" || !isUsersWord(part)) return makers.size > 0;
  const { impliedByParent, startedBy } = part.command;
  return [...makers].some((maker) => maker !== index && !(impliedByParent && maker === startedBy));
}

function isLimitForFiles(rule: CompiledRule): boolean {
  return rulesEffect(rule, "read") || rulesEffect(rule, "write");
}

/** A command as one would quote it; redirections and loops have no words of their own. */
function shownName({ text }: AnalyzedCommand): string {
  return text === "" ? "The shell" : inQuotes(text);
}

/** `ls -l key.pem` prints nothing of the key; outside the workspace even names need approval. */
function showsOnlyNames(effect: FileEffect, { isBelowRoot }: ResolvedPath): boolean {
  return effect.kind === "read" && effect.only === "names" && isBelowRoot;
}

function isGuarded(effect: FileEffect, place: ResolvedPath): boolean {
  return place.status === "protected" && !showsOnlyNames(effect, place);
}

/** It opens a link that was just put there, or what lies in a directory with some. */
function isCarried(effect: FileEffect, { lexical }: ResolvedPath, { shell }: EffectContext): boolean {
  if (effect.kind === "read" && effect.only === "names") return false;
  if (effect.kind === "write" && !effect.redirect && effect.how !== "modify") {
    // A file that it makes or deletes behind a link lies elsewhere.
    return shell.carried.some(
      ({ by, at, isLink }) => isLink && by !== effect.command && lexical !== at && isInside(lexical, at),
    );
  }
  const goesOn = effect.pattern || effect.recursive;
  return shell.carried.some(({ at, isLink }) => isInside(lexical, at) && (goesOn || isLink || lexical !== at));
}

/** A file the line makes may be met by its wildcards, under a name that a rule is about. */
function laterDoubt(effect: FileEffect, { command, cover }: Part, { rules }: EffectContext): Decision | null {
  if (cover?.closeness === "exact" || (effect.kind === "read" && effect.only === "names")) return null;
  const rule = ruledLater(rules.limits, { ...effect, path: effect.path! });
  return rule ? mayBeRuled(`${shownName(command)} may reach what the rule "${rule.ref.rule}" covers.`, rule.ref) : null;
}

function readDoubt(touch: FileTouch<Effect & { kind: "read" }>, part: Part, context: EffectContext): Decision | null {
  const { effect, place } = touch;
  const { allow: allows } = context.rules;
  const { cover, command } = part;
  if (place.status === "outside" && effect.loads && !isSpelled(part, place)) {
    return ask(
      "not-understood",
      `${shownName(command)} loads settings or code from outside the workspace: "${effect.path}".`,
      "bypass",
    );
  }
  // A program that only reads files does not open a directory.
  const isUnopened = cover && effect.only === "files" && context.shell.disk.kindOf(place.real) === "directory";
  if (place.status === "outside" && !isPublicFact(effect.path) && !isUnopened) {
    const isMove = MOVES.has(command.program ?? "");
    const isRead = (rule: CompiledRule) => allowsPlace(rule, place) || settles(rule, place);
    if (isMove ? cover && cover.closeness !== "bare" : isSpelled(part, place) || allows.some(isRead)) return null;
    const what = isMove ? "leaves the workspace for" : "reads outside the workspace:";
    const yields = isMove || cover ? "bypass" : "anything";
    return ask("not-understood", `${shownName(command)} ${what} "${effect.path}".`, yields);
  }
  const below = ruledInside(touch, command, context);
  if (!below || cover?.closeness === "exact") return null;
  const reason = `${shownName(command)} also reads what the rule "${below.ref.rule}" covers.`;
  return mayBeRuled(reason, below.ref);
}

/** A rule about what is read on the way, without being named. */
function ruledInside(
  { effect, place, names }: FileTouch<Effect & { kind: "read" }>,
  command: AnalyzedCommand,
  { shell, rules: { limits } }: EffectContext,
): CompiledRule | undefined {
  if (effect.only === "names") return undefined;
  if (effect.listing) return names ? ruledAmong(limits, effect, place, names) : undefined;
  if (!effect.recursive) return undefined;
  const below = names && ruledAmong(limits, effect, place, names);
  if (below) return below;
  return ruledBelow(skipsHidden(command) ? limits.filter((rule) => !isHidden(rule)) : limits, place, shell.disk);
}

function isHidden({ about }: CompiledRule): boolean {
  return about.subject === "path" && (about.pattern.place?.includes("/.") ?? false);
}

function decideWrite(
  touch: FileTouch<Effect & { kind: "write" }>,
  { cover, command }: Part,
  context: EffectContext,
): Decision | null {
  const { effect, place } = touch;
  if (place.status === "outside") {
    if (!effect.redirect && cover?.closeness === "exact") return null;
    if (context.rules.allow.some((rule) => settles(rule, place))) return null;
    return ask("not-understood", `${shownName(command)} writes outside the workspace: "${effect.path}".`, "bypass");
  }
  // To let a program start another one is to let that have its output.
  const isCovered =
    effect.redirect && !command.impliedByParent ? cover && (cover.closeness === "bare" || cover.line) : cover;
  if (isCovered || mayWrite(touch, context)) return null;
  if (!effect.redirect) return null; // The command itself needs a rule, which is said elsewhere.
  return ask("default", `${shownName(command)} writes "${effect.path}", which no file rule allows.`, "anything");
}

/** `cat .e*` may read what it does not name, unless each file behind it is looked at. */
function hiddenByPattern(effect: FileEffect, names: NamesOnDisk | null): string | null {
  if (!effect.pattern || effect.path === null || (effect.kind === "read" && effect.only === "names")) return null;
  if (effect.kind === "read" && names && matchesHidden(effect.path)) return null;
  const name = effect.path.split("/").find((each) => each.startsWith(".") && /[*?[]/.test(each));
  return name ? `"${name}" may match files that need approval` : null;
}

/** Whether a file may be written without a rule for the command that does. */
export function mayWrite({ effect, place, names }: PlacedEffect, context: EffectContext): boolean {
  const { shell, rules, acceptsEdits } = context;
  if (!place) return false;
  if (acceptsEdits || place.status === "temporary" || rules.allow.some((rule) => allowsPlace(rule, place))) return true;
  if (!names || shell.makers.size > 0 || effect.kind !== "write" || effect.path === null) return false;
  // All that wildcards or a list match may be written.
  const start = fixedPart(effect.path).length;
  const isAllowed = (path: string) => {
    const real = place.real + path.slice(start);
    return rules.allow.some((rule) => allowsPlace(rule, { ...place, lexical: path, real }));
  };
  return names.files.length > 0 && [...names.files, ...names.directories].every(isAllowed);
}
