// A command line is allowed only if every command in it is: by a rule, or since it only reads in the workspace.

import {
  afterColon,
  allow,
  ask,
  type Decision,
  inQuotes,
  mayBeRuled,
  notUnderstood,
  strictest,
  TEMPORARY,
} from "./decision.js";
import { type MadeFile, madeFiles } from "./lookup/expand-paths.js";
import { decideEffect, type EffectContext, isUsersWord, mayWrite } from "./request/decide-effect.js";
import { TakenDirectories } from "./request/directory-arguments.js";
import type { ShellCall } from "./request/read-command.js";
import type { ResolvedPath } from "./request/resolve-path.js";
import type { ResolvedRequest } from "./request/resolved-request.js";
import { deniedInside, InnerTexts } from "./request/unknown-program.js";
import { rulesEffect } from "./rules/effect-match.js";
import { type Cover, isPlain, MentionedRules, type Part, partsOf } from "./rules/rule-coverage.js";
import { allowsPlace, settles } from "./rules/rule-match.js";
import type { RuleSet } from "./rules/rule-set.js";
import type { CompiledRule } from "./rules/rules.js";
import type { CommandDoubt, Effect } from "./shell/analysis.js";
import { WHY_SOURCING } from "./shell/builtins/plain-words.js";
import { baseName, findProgram } from "./shell/programs/table.js";
import { GIVES_VARIABLE } from "./shell/script/script-reader.js";

/** Programs that do nothing but write the files they name. To delete is not to edit. */
export const EDITING_PROGRAMS: ReadonlySet<string> = new Set(["mkdir", "touch", "cp", "mv", "tee", "sed", "truncate"]);

/** The decision of the allow rules and of the commands' nature. Deny and ask rules have been asked before. */
export function decideCommand(call: ResolvedRequest, rules: RuleSet): Decision {
  const shell = call.shell!;
  const { allow: allows } = rules;
  const parts = partsOf(shell, allows);
  const firm = strictest(asksOf(call, parts, contextOf(call, parts, rules)));
  if (firm) return firm;
  const used = parts.find(({ cover, command }) => cover && !command.readOnly) ?? parts.find(({ cover }) => cover);
  const rule = used?.cover?.rule.ref;
  if (rule) return allow("allow-rule", `The rule "${rule.rule}" allows it.`, rule);
  const touched = shell.effects.flatMap(({ effect, place }) => (place && !isGuess(effect) ? place : []));
  const ruled = touched.flatMap((place) => ruleFor(place, allows) ?? [])[0];
  if (ruled) return allow("allow-rule", `The rule "${ruled.ref.rule}" allows it.`, ruled.ref);
  const edits = touched.some(({ access, status }) => access === "write" && status !== "temporary");
  if (!edits && touched.some(({ access }) => access === "write")) return allow("mode", TEMPORARY);
  return allow(
    "mode",
    edits ? `Mode "${call.mode}" lets it edit files inside the workspace.` : "It only reads inside the workspace.",
  );
}

/** Whether a deny or ask rule may be about a part of the line that could not be read. */
export function mayBeRuledInside(call: ResolvedRequest, rules: RuleSet): boolean {
  const parts = partsOf(call.shell!, rules.allow);
  const context = contextOf(call, parts, rules);
  return context.mayHideDenied && [...asksOf(call, parts, context)].some((each) => each.mayBeRuled);
}

function contextOf({ shell: line, mode }: ResolvedRequest, parts: readonly Part[], rules: RuleSet): Context {
  const shell = line!;
  const { limits } = rules;
  const mentioning = () => parts.flatMap((part) => (mayMention(part) ? part.command : []));
  return {
    shell,
    rules,
    mayHideDenied: limits.some(isLimitForShell),
    acceptsEdits: mode === "acceptEdits",
    taken: new TakenDirectories(shell, limits),
    deniesHosts: limits.some(({ about }) => about.subject === "url"),
    mentioned: new MentionedRules(mentioning, limits, shell.script),
    inner: new InnerTexts(),
    made: madeFiles(shell),
  };
}

function isGuess(effect: Effect): boolean {
  return (effect.kind === "read" || effect.kind === "write") && effect.isPossible === true;
}

/** The rule without which a file would not be written, or not be read where it lies. */
function ruleFor(place: ResolvedPath, allows: readonly CompiledRule[]): CompiledRule | undefined {
  if (place.status === "temporary") return undefined;
  if (place.access === "read" && place.status === "inside" && place.asked === null) return undefined;
  return allows.find((rule) => settles(rule, place)) ?? allows.find((rule) => allowsPlace(rule, place));
}

/** One after the other, since the first may decide. */
function* asksOf(call: ResolvedRequest, parts: readonly Part[], context: Context): Generator<Decision> {
  // The parts that were read of a line that is too long say nothing more.
  yield* destructionsIn(call.shell!, parts);
  const isPartlyRead = call.shell!.analysis.unparsed !== null;
  if (isPartlyRead) yield* wholeDoubts(call, parts, context);
  for (const part of parts) yield* doubtsOf(part, context);
  if (!isPartlyRead) yield* wholeDoubts(call, parts, context);
}

/** Whether every command is covered by a rule that says which it means. */
export function isCoveredByName(call: ResolvedRequest, rules: RuleSet): boolean {
  return partsOf(call.shell!, rules.allow).every(isNamed);
}

interface Context extends EffectContext {
  readonly deniesHosts: boolean;
  readonly mentioned: MentionedRules;
  readonly made: readonly MadeFile[];
  /** The texts that unknown programs may run. */
  readonly inner: InnerTexts;
}

/** Deny and ask rules that a command could run into. */
function isLimitForShell(rule: CompiledRule): boolean {
  return (
    rule.speaksOf("bash") || rule.about.subject === "url" || rulesEffect(rule, "read") || rulesEffect(rule, "write")
  );
}

function doubtsOf(part: Part, context: Context): Decision[] {
  const { command, cover } = part;
  const asks = part.effects.flatMap((each) => decideEffect(each, part, context) ?? []);
  const mentioned = mayMention(part) ? context.mentioned.find(command, isUsersWord(part)) : undefined;
  if (mentioned) {
    const reason = `${inQuotes(command.text)} names what the rule "${mentioned.ref.rule}" is about.`;
    asks.push(mayBeRuled(reason, mentioned.ref));
  }
  if (context.deniesHosts && cover?.closeness !== "exact" && part.effects.some(({ effect }) => isUnknownHost(effect))) {
    const reason = `${inQuotes(command.text)} connects to a host that is not known, while a rule denies some.`;
    asks.push(mayBeRuled(reason));
  }
  const made = cover && cover.closeness !== "exact" ? runsMade(part, context) : undefined;
  if (made !== undefined) {
    const reason = `${inQuotes(command.text)} runs what this session may have made itself: ${inQuotes(made)}.`;
    asks.push(notUnderstood(reason, context));
  }
  const mayEdit = () => needsNoRule(part, context);
  const doubts = command.doubts.filter(
    (each) => !isDispelled(each, cover, context) && !(each.kind === "edit" && mayEdit()),
  );
  const [doubt] = doubts;
  const hidden =
    context.mayHideDenied && cover?.closeness !== "exact"
      ? deniedInside(part, context.rules.limits, context.inner)
      : undefined;
  if (hidden) {
    const reason = `${inQuotes(command.text)} may run what the rule "${hidden.ref.rule}" denies.`;
    asks.push(mayBeRuled(reason, hidden.ref));
  } else if (doubt) {
    const what = doubt.kind === "opaque" ? "is not understood" : "needs approval";
    const found = notUnderstood(`${inQuotes(command.text)} ${what}: ${afterColon(doubt.reason)}.`, context);
    asks.push({ ...found, mayBeRuled: context.mayHideDenied && doubts.some(({ kind }) => kind !== "script") });
  } else if (!cover && !needsNoRule(part, context)) {
    asks.push(ask("default", `No rule allows ${inQuotes(command.text)}.`, "anything"));
  }
  return asks;
}

/**
 * The code that a command runs and the session made itself: in its own directory for temporary files, or in the same line, so
 * that the file's present content says nothing. A rule that names a program which runs any code covers that code, too.
 */
function runsMade({ command, effects, cover }: Part, { made }: Context): string | undefined {
  const isBare = cover?.closeness === "bare";
  const { does: row, escapes } = findProgram(baseName(command.program ?? "")) ?? {};
  const own = command.readOnly ? undefined : made.find(({ real }) => escapes?.own?.test(baseName(real)));
  if (own) return own.real;
  const isCode =
    isBare &&
    !command.readOnly &&
    (row ? /project|anything/.test(row.runs) : !command.known || command.doubts.some(isScript));
  if (isCode && TEMPORARY_OPERAND.test(command.text)) return command.text;
  const reads = effects.flatMap(({ effect, place }) => (effect.kind === "read" && place ? { effect, place } : []));
  const found = reads.find(({ effect, place }, at) => {
    const runs = effect.loads || (isCode && at === 0);
    return (
      runs &&
      ((isBare && place.status === "temporary") ||
        made.some((each) => each.real === place.real && each.by !== effect.command))
    );
  });
  return found?.place.path;
}

/** Without quotes a variable may become several words, which are then not known. */
const TEMPORARY_OPERAND = /^\S+(?: -\S+)* "?\$\{?TMPDIR\b/;

function isScript({ kind }: CommandDoubt): boolean {
  return kind === "script" || kind === "opaque";
}

/** It may do more than its known effects, and no rule spells it out. */
function mayMention({ command, cover }: Part): boolean {
  return !command.readOnly && cover?.closeness !== "exact";
}

function isUnknownHost(effect: Effect): boolean {
  return effect.kind === "network" && effect.host === null;
}

/** Whether the rule speaks about the command in spite of a doubt. */
function isDispelled(doubt: CommandDoubt, cover: Cover | null, { mayHideDenied }: Context): boolean {
  if (!cover) return false;
  const { kind } = doubt;
  const { about } = cover.rule;
  if (about.subject === "command" && about.pattern.spells(doubt)) return true;
  // The variables in front are not part of what a rule is compared with, unless it spells out the whole line.
  if (kind === "environment") return cover.closeness === "exact" && cover.line;
  if (kind === "opaque") return false;
  if (kind === "code") return cover.closeness === "exact";
  // The files it edits are known, so that rules about files have been asked.
  if (cover.closeness === "bare") return !mayHideDenied || kind === "edit";
  return kind === "script" || cover.closeness === "exact";
}

function needsNoRule({ command, effects }: Part, context: Context): boolean {
  if (command.readOnly || command.program === "") return true;
  // The words of a function: what its body does with them is decided there.
  const starter = command.startedBy === null ? undefined : context.shell.analysis.commands[command.startedBy];
  if (command.impliedByParent && starter?.readOnly) return true;
  const changes = effects.filter(({ effect }) => effect.kind === "write" && !effect.redirect);
  const isOwn = changes.every(({ place }) => place?.status === "temporary");
  const program = command.program ?? "";
  if (!EDITING_PROGRAMS.has(program) && !(isOwn && /^rm(?:dir)?$/.test(program))) return false;
  if (changes.length === 0) return false;
  // The command that passes the names is decided on its own.
  const isHandedOver = changes.every(({ effect }) => effect.kind === "write" && (effect.listing || effect.certainty));
  if (!isPlain(command) && !isHandedOver) return false;
  return changes.every((each) => mayWrite(each, context));
}

/** Doubts about a command line that no single command shows. */
function wholeDoubts(call: ResolvedRequest, parts: readonly Part[], context: Context): Decision[] {
  const { analysis, script, lookalike, repositorySetting, refLikeOption } = call.shell!;
  const asks: Decision[] = [];
  const isAllAllowed = context.rules.allow.some((rule) => rule.speaksOf("bash") && rule.about.subject === "everything");
  if (call.isUnclear || (analysis.opaque && (context.mayHideDenied || !isAllAllowed))) {
    const why = call.isUnclear
      ? "it touches more files than can be checked"
      : analysis.reasons.map(afterColon).join("; ");
    asks.push(notUnderstood(`The command line is not understood: ${why}.`, context));
  }
  const mayGive =
    !/<<</.test(script) && parts.some(isNamed) && parts.every((part) => isNamed(part) || onlyPassesOn(part));
  const outside = analysis.outsideGrammar.find((why) => !mayGive || !GIVEN.includes(why));
  const isCovered = parts.length > 0 ? parts.every(({ cover }) => cover) : isAllAllowed;
  if (outside !== undefined && !isCovered) {
    const reason = `Without a rule for each command, only simple lines run, and this one is not: ${outside}.`;
    asks.push(notUnderstood(reason, context));
  }
  if (lookalike !== null && !parts.every(isNamed)) {
    const why = `because it contains "HEAD", and run what its settings name`;
    const reason = `"git" may treat "${lookalike}" as a repository, ${why}.`;
    asks.push(notUnderstood(reason, context));
  }
  if (repositorySetting !== null && !parts.every(isNamed)) {
    const what = `"${repositorySetting}" of this repository is not known to be harmless`;
    const reason = `"git" may run a program or fetch something: ${what}.`;
    asks.push(notUnderstood(reason, context));
  }
  if (refLikeOption !== null && !parts.every(({ cover }) => cover?.closeness === "exact")) {
    const reason = `"git" may print the name of a branch or tag that looks like an option: "${refLikeOption}".`;
    asks.push(notUnderstood(reason, context));
  }
  return asks;
}

/** A decision for each destruction that no rule names. */
function destructionsIn({ destructions }: ShellCall, parts: readonly Part[]): Decision[] {
  return destructions.flatMap(({ tier, reason, command }) =>
    tier === "recoverable" && !namesProgram(command === null ? undefined : parts[command])
      ? ask("destructive-command", `${reason}.`, "bypass")
      : [],
  );
}

/** Beside commands that rules name this is no doubt: `PORT=x npm test | tail`, `source .venv/bin/activate && ls`. */
const GIVEN: readonly string[] = [GIVES_VARIABLE, ...WHY_SOURCING];
const PASSES_ON: ReadonlySet<string | null> = new Set("cat cd echo grep head ls sort tail true wc which".split(" "));

/** A rule says which command it means. */
function isNamed({ cover }: Part): boolean {
  return cover !== null && cover.closeness !== "bare";
}

/** It writes nothing, and shows no variables. */
function onlyPassesOn({ command, effects }: Part): boolean {
  if (!command.readOnly || !PASSES_ON.has(command.program) || command.words.includes(null)) return false;
  return effects.every(({ effect }) => effect.kind === "read" || effect.kind === "exec");
}

/** Whether a rule spells out the program that destroys. */
function namesProgram(part: Part | undefined): boolean {
  const about = part?.cover?.rule.about;
  return about?.subject === "command" && (about.pattern.kind === "line" || about.pattern.program !== null);
}
