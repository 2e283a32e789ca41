// The effects of a command line and their targets, for lines after untrusted content. A line that is not plainly known runs and sends.
import { basename, join } from "node:path";
import type { EffectName, Target } from "../../contracts/label.js";
import { parseRule } from "../../rules/parse-rule.js";
import type { NamesOnDisk } from "../lookup/disk-view.js";
import type { PlacedEffect, ShellCall } from "../request/read-command.js";
import type { ResolvedPath } from "../request/resolve-path.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { messagesIn } from "../shell/invocation/options.js";
import { findProgram } from "../shell/programs/table.js";
import { effectsOnPlace } from "./place-flow.js";

/** One effect of a call, and the targets that have to be known for it: one without a target is never known. */
export interface Need {
  readonly effect: EffectName;
  readonly targets: readonly Target[];
  /** The place of a change that outlives the call, wherever the call runs. */
  readonly place?: ResolvedPath | undefined;
  /** It asks a service that no word of it chooses: only private content may not get there. */
  readonly isFixed?: boolean | undefined;
}

/** The needs of a line; none for one that only reads, or keeps to the files of the project and its own checks. */
export function needsOfLine(shell: ShellCall, rules: RuleSet): readonly Need[] {
  const { analysis, script, effects, isUnclear } = shell;
  const line: Target = { field: "command", kind: "path", value: script.trim() };
  if (isRuledByName(script.trim(), rules)) return [];
  const isOpen = analysis.opaque || analysis.outsideGrammar.length > 0 || analysis.unparsed !== null || isUnclear;
  if (isOpen) return bothOf([line]);
  const isSet = analysis.commands.some(
    ({ program, assignments }) => assignments.length > 0 || SETS.test(program ?? ""),
  );
  const ofCommands = analysis.commands.flatMap((command, index) => {
    if (command.impliedByParent || isRuledByName(command.text, rules)) return [];
    const isNetwork = analysis.effects.some((effect) => effect.kind === "network" && effect.command === index);
    const needs = needsOfCommand(command, isNetwork, line);
    // A variable may say which service it is.
    return isSet ? needs.map((need) => ({ ...need, isFixed: false })) : needs;
  });
  const ofPlaces = effects.flatMap((each): readonly Need[] => {
    const { effect, place } = each;
    if (effect.kind !== "write") return [];
    const isGone = effect.how === "delete" && !isMoved(each, shell);
    const gone = isGone ? [{ effect: "deletes" as const, targets: [place ? pathTarget(place.path) : line] }] : [];
    if (!place) return effect.path === null ? [{ effect: "writes", targets: [line] }, ...gone] : gone;
    const targets = [pathTarget(place.path)];
    const behind = filesBehind(each, place, shell);
    const fills = behind === null || fillsDirectory(each, shell) ? (["runs"] as const) : [];
    const does = new Set([...fills, ...[place, ...(behind ?? [])].flatMap(effectsOnPlace)]);
    return [...gone, ...[...does].map((name) => ({ effect: name, targets, place }))];
  });
  const lost = shell.destructions.length > 0 ? [{ effect: "deletes" as const, targets: [line] }] : [];
  return [...ofCommands, ...ofPlaces, ...lost];
}

/** Whether `mv` moves the file inside the workspace, so that it is not gone: no link, which leads elsewhere from there. */
function isMoved({ effect }: PlacedEffect, { analysis, effects, carried }: ShellCall): boolean {
  const isOfIt = (other: PlacedEffect) => other.effect.command === effect.command && other.effect.kind === "write";
  return (
    basename(analysis.commands[effect.command]!.program ?? "") === "mv" &&
    carried.length === 0 &&
    effects.filter(isOfIt).every(({ place }) => place?.status === "inside")
  );
}

/** The files that a wildcard writes: those that are there, and those that its command reads by one. `null`: nobody knows. */
function filesBehind({ effect, names }: PlacedEffect, place: ResolvedPath, { effects }: ShellCall) {
  if (effect.kind !== "write" || !effect.pattern) return [];
  const read = effects.filter((other) => {
    return other.effect.command === effect.command && other.effect.kind === "read" && other.effect.pattern;
  });
  if (names === null || read.some((other) => other.names === null)) return null;
  const all = ({ files, links }: NamesOnDisk) => [...files, ...links];
  const put = read.flatMap((other) => all(other.names!)).map((file) => join(place.real, basename(file)));
  return [...all(names), ...put].map((real): ResolvedPath => ({ ...place, real }));
}

const DIRECTORY_ITSELF = /^(?:mkdir|touch|chmod|chown|chgrp)$/;

/** Whether files are unpacked, patched or copied into a directory that is there: they may be any of its files, also one that runs. */
function fillsDirectory({ effect, place }: PlacedEffect, { analysis, effects, disk }: ShellCall): boolean {
  if (effect.kind !== "write" || effect.how === "delete" || effect.pattern || place?.status !== "inside") return false;
  if (!["directory", "unknown"].includes(disk.kindOf(place.real) ?? "")) return false;
  const isOfTree = (other: PlacedEffect) =>
    other.effect.command === effect.command && other.effect.kind === "read" && other.effect.recursive === true;
  const isOfIt = DIRECTORY_ITSELF.test(basename(analysis.commands[effect.command]!.program ?? ""));
  return !isOfIt && (effect.how === "modify" || effects.some(isOfTree));
}

function needsOfCommand(command: AnalyzedCommand, isNetwork: boolean, line: Target): readonly Need[] {
  const { program, readOnly, doubts, known, words } = command;
  if (readOnly && !isNetwork) return [];
  // Which files an option makes it change is among the effects.
  const isPlain = known && doubts.every(({ kind }) => kind === "edit");
  if (isNetwork) return [{ effect: "sends", targets: namedIn(words, line), isFixed: isPlain && onlyAsks(command) }];
  if (!isPlain) return program === "" ? [] : bothOf([line]);
  if (command.variants.some((variant) => SETTINGS.test(variant)) && !showsSettings(command))
    return [{ effect: "remembers", targets: namedIn(words, line, SETTING_ACTS) }];
  const reach = program === null ? undefined : findProgram(basename(program))?.does;
  const isFixed = (extent: string) => extent === "nothing" || extent === "named";
  if (reach ? isFixed(reach.runs) && isFixed(reach.connects) : doubts.length > 0 || program === "") return [];
  return bothOf([line]);
}

function bothOf(targets: readonly Target[]): readonly Need[] {
  return [
    { effect: "runs", targets },
    { effect: "sends", targets },
  ];
}

/** They export variables. */
const SETS = /^(?:export|declare|typeset|local|readonly|env)$/;
/** Git's own settings say where later commands push to, and what they run. */
const SETTINGS = /^git (?:config|remote (?:-\S+ )*(?:add|rename|set-[a-z]+)|submodule (?:-\S+ )*set-[a-z]+) /;
const SETTING_ACTS = /^(?:remote|add|config|set-url|submodule)$/;
const SHOWS = /^(?:-l|--list|--get[a-z-]*)$/;

/** `git config` with a name alone, or an option by which it prints. */
function showsSettings({ words }: AnalyzedCommand): boolean {
  const [first, ...more] = words.slice(words.indexOf("config") + 1);
  if (!words.includes("config") || words.includes("remote") || words.includes("submodule")) return false;
  const isName = more.length === 0 && /^[^-]/.test(first ?? "-");
  return isName || first === "list" || first === "get" || words.some((word) => SHOWS.test(word ?? ""));
}

/** A word that is no place, and no text for one. */
const SIMPLE = /^-{0,2}\w+(?:[-,]\w+)*$/;

/** It asks the one service that the program is for, or the remote that the repository itself names, and changes nothing there. */
function onlyAsks({ program, words }: AnalyzedCommand): boolean {
  const [, act, what, ...rest] = words;
  if (program === "git")
    return (
      /^(?:fetch|pull)$/.test(act ?? "") && words.slice(2).every((word) => word === "origin" || FLAG.test(word ?? ""))
    );
  const { host, repeatable = [] } = findProgram(program ?? "") ?? {};
  return (
    host?.is !== undefined && repeatable.includes(`${act} ${what}`) && rest.every((word) => SIMPLE.test(word ?? ""))
  );
}

/** An option without a value: with one, the value may be where something goes. */
const FLAG = /^--?[A-Za-z][A-Za-z-]*$/;
/** The commands of `git` and `gh` as their first words, and the remote that the repository itself names; their objects follow. */
const ACTS =
  /^(?:origin|push|pull|fetch|clone|pr|issue|repo|run|release|view|list|create|comment|edit|checkout|diff|status)$/;

/** The words of a command that say where something goes and what: its acts, flags and texts for people left out. */
function namedIn(words: AnalyzedCommand["words"], line: Target, acts = ACTS): readonly Target[] {
  const messages = messagesIn(words);
  const hasActs = words[0] === "git" || words[0] === "gh";
  const named = words.flatMap((word, at) => {
    if (word === null) return [line];
    if (at === 0 || messages.has(at) || FLAG.test(word) || (hasActs && at < 3 && acts.test(word))) return [];
    // A number is known behind the word for what it is the number of: `gh pr view 330`.
    const field = /^\d+$/.test(word) ? (words[1] ?? "command") : "command";
    return [{ field, kind: word.includes("://") ? "url" : "path", value: word } as const];
  });
  return named.length > 0 ? named : [line];
}

function pathTarget(path: string): Target {
  return { field: "command", kind: "path", value: path };
}

/** Whether a rule of the host or the user is this line, letter by letter: then it is theirs. */
function isRuledByName(text: string, { allow }: RuleSet): boolean {
  return allow.some(({ ref }) => {
    const { canonical, content } = parseRule(ref.rule);
    return canonical === "bash" && content !== null && !content.includes("*") && content === text;
  });
}
