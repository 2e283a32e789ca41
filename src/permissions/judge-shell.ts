// A command line is allowed only if every command in it is: by a rule, or because it plainly only reads in the workspace.
import type { Call, ShellCall } from "./call.js";
import { isHarmlessDevice } from "./call.js";
import { allow, ask, firmest, type Judgement } from "./judgement.js";
import { allowsPlace, isWalk, ruledAmong, ruledBelow, rulesEffect } from "./matching.js";
import type { CompiledRule } from "./rules.js";
import type { AnalyzedCommand, CommandDoubt, Effect } from "./shell/analysis.js";
import { deniedInside, type ReadTexts } from "./unknown-program.js";

export interface ShellStance {
  /** File edits inside the workspace need no rule. */
  readonly acceptsEdits: boolean;
}

/** How closely the rule that covers a command speaks about it. */
type Closeness = "exact" | "named" | "bare";

interface Cover {
  readonly rule: CompiledRule;
  readonly closeness: Closeness;
  /** The rule spells out the whole command line. */
  readonly line: boolean;
}

interface Part {
  readonly command: AnalyzedCommand;
  readonly cover: Cover | null;
  readonly effects: readonly (readonly [Effect, number])[];
}

/** Programs that do nothing but write the files they name. To delete is not to edit. */
const FILE_PROGRAMS: ReadonlySet<string> = new Set(["mkdir", "touch", "cp", "mv", "tee", "sed", "truncate"]);
/** Programs that go through folders by name alone, or show only what git keeps. */
const LISTING_PROGRAMS: ReadonlySet<string> = new Set(
  "ls dir vdir tree find fd du stat file test cd pushd pwd realpath git".split(" "),
);
const FOLDER_PROGRAMS: ReadonlySet<string> = new Set(["cd", "pushd"]);

/** Each look goes through a folder, or through git's index. */
const MAX_LOOKS = 6;

/** What allow rules and the nature of the commands say. Deny and ask rules have been asked before. */
export function judgeShell(call: Call, rules: readonly CompiledRule[], stance: ShellStance): Judgement {
  const shell = call.shell!;
  const allows = rules.filter(({ ref }) => ref.behavior === "allow");
  const mayHideDenied = rules.some(isDenyForShell);
  const parts = partsOf(shell, allows);
  const mayMakeFiles = shell.analysis.commands.some(({ readOnly }) => !readOnly) || shell.effects.some(isWrite);
  const context: Context = {
    shell,
    rules,
    allows,
    mayHideDenied,
    mayMakeFiles,
    looks: { left: MAX_LOOKS },
    stance,
    tails: new Map(),
  };
  const asks = [...parts.flatMap((part) => doubtsOf(part, context)), ...wholeDoubts(call, parts, context)];
  const firm = firmest(asks);
  if (firm) return firm;
  const used = parts.find(({ cover, command }) => cover && !command.readOnly) ?? parts.find(({ cover }) => cover);
  const rule = used?.cover?.rule.ref;
  if (rule) return allow("allow-rule", `The rule "${rule.rule}" allows it.`, rule);
  const plain = parts.every(({ command }) => command.readOnly);
  return allow(
    "mode",
    plain ? "It only reads inside the workspace." : `Mode "${call.mode}" lets it edit files inside the workspace.`,
  );
}

/** Whether every command is covered by a rule that says which it means. */
export function isCoveredByName(call: Call, rules: readonly CompiledRule[]): boolean {
  const allows = rules.filter(({ ref }) => ref.behavior === "allow");
  return partsOf(call.shell!, allows).every(({ cover }) => cover !== null && cover.closeness !== "bare");
}

interface Context {
  readonly shell: ShellCall;
  readonly rules: readonly CompiledRule[];
  readonly allows: readonly CompiledRule[];
  /** What cannot be read may be what a rule denies. */
  readonly mayHideDenied: boolean;
  /** The command line may make files, so what is on the disk says nothing of what a part of it lists. */
  readonly mayMakeFiles: boolean;
  /** How often it may still be looked up what a list of names holds. */
  readonly looks: { left: number };
  readonly stance: ShellStance;
  /** The commands that unknown programs may run, by their text, as far as they were looked at. */
  readonly tails: ReadTexts;
}

/** Deny rules that a command could run into. */
function isDenyForShell(rule: CompiledRule): boolean {
  if (rule.ref.behavior !== "deny") return false;
  return (
    rule.speaksOf("bash") || rule.about.subject === "url" || rulesEffect(rule, "read") || rulesEffect(rule, "write")
  );
}

function partsOf({ script, analysis, effects: all }: ShellCall, allows: readonly CompiledRule[]): Part[] {
  const effects = all.map((effect, index) => [effect, index] as const);
  const byCommand = new Map<number, (readonly [Effect, number])[]>();
  for (const each of effects) {
    const list = byCommand.get(each[0].command);
    if (list) list.push(each);
    else byCommand.set(each[0].command, [each]);
  }
  const forShell = allows.filter((rule) => rule.speaksOf("bash"));
  const line: Line = {
    script,
    commands: analysis.commands,
    outputs: new Set(analysis.commands.map(({ within }) => within)),
  };
  const parts: Part[] = [];
  for (const [index, command] of analysis.commands.entries()) {
    const { covered, startedBy } = command;
    const cover = covered && startedBy !== null ? parts[startedBy]!.cover : coverOf(index, line, forShell);
    parts.push({ command, cover, effects: byCommand.get(index) ?? [] });
  }
  return parts;
}

interface Line {
  readonly script: string;
  readonly commands: readonly AnalyzedCommand[];
  /** The positions of commands that have others' output among their words. */
  readonly outputs: ReadonlySet<number | null>;
}

const CLOSENESS = ["exact", "named", "bare"] as const;

function coverOf(index: number, line: Line, rules: readonly CompiledRule[]): Cover | null {
  let best: Cover | null = null;
  for (const rule of rules) {
    const closeness = closenessOf(rule, index, line);
    if (closeness && (!best || CLOSENESS.indexOf(closeness) < CLOSENESS.indexOf(best.closeness))) {
      const { about } = rule;
      best = { rule, closeness, line: about.subject === "command" && about.pattern.coversLine(line.script) };
    }
    if (best?.closeness === "exact") break;
  }
  return best;
}

function closenessOf({ about }: CompiledRule, index: number, { script, commands, outputs }: Line): Closeness | null {
  if (about.subject === "everything") return "bare";
  if (about.subject !== "command") return null;
  const { pattern } = about;
  if (pattern.coversLine(script)) return "exact";
  const closeness = pattern.kind === "exact" ? "exact" : "named";
  const covers = (at: number) => isPlain(commands[at]!) && pattern.covers(commands[at]!, outputs.has(at));
  if (covers(index)) return closeness;
  // A rule for what starts it counts when it names this program, too: `xargs rm *`.
  const { program } = commands[index]!;
  const isMeant = closeness === "exact" || (program !== null && pattern.words.slice(1).includes(program));
  for (let at = commands[index]!.startedBy; isMeant && at !== null; at = commands[at]!.startedBy) {
    if (covers(at)) return closeness;
  }
  return null;
}

function isPlain({ wrappers }: AnalyzedCommand): boolean {
  return wrappers.every(({ harmless }) => harmless);
}

function doubtsOf(part: Part, context: Context): Judgement[] {
  const { command, cover } = part;
  const asks = part.effects.flatMap(([effect, index]) => effectDoubt(effect, index, part, context) ?? []);
  const mayEdit = () => needsNoRule(part, context);
  const doubt = command.doubts.find(
    (each) => !isDispelled(each, cover, context) && !(each.kind === "edit" && mayEdit()),
  );
  const hidden =
    context.mayHideDenied && cover?.closeness !== "exact"
      ? deniedInside(command, context.rules, context.tails)
      : undefined;
  if (hidden) {
    const reason = `"${command.program}" is not known, and may run what the rule "${hidden.ref.rule}" denies.`;
    asks.push(ask("doubt", reason, "nothing", hidden.ref));
  } else if (doubt) {
    asks.push(
      ask(
        "doubt",
        `"${command.text}" is not understood: ${doubt.reason}.`,
        context.mayHideDenied ? "nothing" : "bypass",
      ),
    );
  } else if (!cover && !needsNoRule(part, context)) {
    asks.push(ask("nothing-allows", `No rule allows "${command.text}".`, "anything"));
  }
  return asks;
}

/** Whether the rule speaks about the command in spite of a doubt. */
function isDispelled(doubt: CommandDoubt, cover: Cover | null, { mayHideDenied }: Context): boolean {
  if (!cover) return false;
  const { kind } = doubt;
  const { about } = cover.rule;
  if (about.subject === "command" && about.pattern.spells(doubt)) return true;
  if (cover.closeness === "bare") return !mayHideDenied;
  // The variables in front are no part of what a rule is compared with, unless it spells out the whole line.
  if (kind === "environment") return cover.closeness === "exact" && cover.line;
  return kind === "script" || (kind !== "opaque" && cover.closeness === "exact");
}

function needsNoRule({ command, effects }: Part, context: Context): boolean {
  if (command.readOnly || command.program === "") return true;
  // The words of a function: what its body does with them is judged there.
  const starter = command.startedBy === null ? undefined : context.shell.analysis.commands[command.startedBy];
  if (command.covered && starter?.readOnly) return true;
  const changes = effects.filter(([effect]) => effect.kind === "write" && !effect.redirect);
  if (!FILE_PROGRAMS.has(command.program ?? "") || changes.length === 0 || !isPlain(command)) return false;
  return changes.every(([, index]) => mayWrite(index, context));
}

function mayWrite(index: number, { shell, allows, stance }: Context): boolean {
  const place = shell.places[index];
  return !!place && (stance.acceptsEdits || allows.some((rule) => allowsPlace(rule, place)));
}

function effectDoubt(effect: Effect, index: number, part: Part, context: Context): Judgement | null {
  if (effect.kind === "exec" || effect.kind === "network" || effect.guess || isHarmlessDevice(effect.path)) return null;
  const { shell, allows, mayHideDenied } = context;
  const { cover, command } = part;
  const place = shell.places[index];
  const verb = effect.kind === "read" ? "reads" : "writes";
  if (!place || (effect.listing && context.mayMakeFiles)) {
    const isRedirect = effect.kind === "write" && effect.redirect === true;
    if (cover && !isRedirect && !mayHideDenied) return null;
    const yields = cover || effect.kind === "write" ? (mayHideDenied ? "nothing" : "bypass") : "anything";
    return ask("doubt", `"${command.text}" ${verb} a path that is not known before it runs.`, yields);
  }
  const asked = place.asked ?? hiddenByPattern(effect);
  if (asked && cover?.closeness !== "exact" && !allows.some((rule) => allowsPlace(rule, place, { target: true }))) {
    return ask("own-ask", `"${command.text}" ${verb} "${effect.path}": ${asked}.`, "nothing");
  }
  return effect.kind === "read" ? readDoubt(effect, index, part, context) : writeDoubt(effect, index, part, context);
}

function readDoubt(effect: Effect & { kind: "read" }, index: number, part: Part, context: Context): Judgement | null {
  const { shell, rules, allows } = context;
  const { cover, command } = part;
  const place = shell.places[index]!;
  if (place.status === "outside" && effect.loads && cover?.closeness !== "exact" && cover?.closeness !== "bare") {
    return ask(
      "doubt",
      `"${command.text}" takes settings or code from outside the workspace: "${effect.path}".`,
      "bypass",
    );
  }
  if (place.status === "outside") {
    const isMove = FOLDER_PROGRAMS.has(command.program ?? "");
    if (isMove ? cover && cover.closeness !== "bare" : cover || allows.some((rule) => allowsPlace(rule, place)))
      return null;
    const what = isMove ? "leaves the workspace for" : "reads outside the workspace:";
    return ask("doubt", `"${command.text}" ${what} "${effect.path}".`, isMove ? "bypass" : "anything");
  }
  const isListing = LISTING_PROGRAMS.has(command.program ?? "") || /^rg (?:.* )?--files(?: |$)/.test(command.text);
  const takesAll = (effect.recursive === true || isWalk(effect)) && !isListing;
  const seen = SKIPS_HIDDEN.test(command.text) ? rules.filter((rule) => !isHidden(rule)) : rules;
  const below = !takesAll
    ? undefined
    : effect.listing
      ? ruledAmong(seen, effect.path!, effect.listing, context.looks)
      : ruledBelow(seen, place);
  if (!below || cover?.closeness === "exact") return null;
  const reason = `"${command.text}" also reads what the rule "${below.ref.rule}" is about.`;
  return ask("doubt", reason, "nothing", below.ref);
}

function isWrite(effect: Effect): boolean {
  return effect.kind === "write" && !isHarmlessDevice(effect.path);
}

/** Searches that leave out hidden files unless told otherwise. */
const SKIPS_HIDDEN = /^(?:rg|ag)(?!.* (?:--hidden|--unrestricted|--no-ignore\S*|-[a-zA-Z]*[.u]))/;

function isHidden({ about }: CompiledRule): boolean {
  return about.subject === "path" && (about.pattern.place?.includes("/.") ?? false);
}

function writeDoubt(effect: Effect & { kind: "write" }, index: number, part: Part, context: Context): Judgement | null {
  const { cover, command } = part;
  const place = context.shell.places[index]!;
  if (place.status === "outside") {
    if (!effect.redirect && cover?.closeness === "exact") return null;
    return ask("doubt", `"${command.text}" writes outside the workspace: "${effect.path}".`, "bypass");
  }
  // What a rule says of a command, it does not say of where its output goes, unless it spells out the whole line.
  const isCovered = effect.redirect ? cover && (cover.closeness === "bare" || cover.line) : cover;
  if (isCovered || mayWrite(index, context)) return null;
  if (!effect.redirect) return null; // The command itself needs a rule, which is said elsewhere.
  return ask("nothing-allows", `"${command.text}" writes "${effect.path}", which no file rule allows.`, "anything");
}

/** Doubts about a command line that no single command shows. */
function wholeDoubts(call: Call, parts: readonly Part[], context: Context): Judgement[] {
  const { analysis, destructions } = call.shell!;
  const asks: Judgement[] = [];
  const isAllAllowed = context.allows.some((rule) => rule.speaksOf("bash") && rule.about.subject === "everything");
  if (call.isUnclear || (analysis.opaque && (context.mayHideDenied || !isAllAllowed))) {
    const why = call.isUnclear ? "it touches more than can be looked at" : analysis.reasons.join("; ");
    asks.push(
      ask("doubt", `The command line is not understood: ${why}.`, context.mayHideDenied ? "nothing" : "bypass"),
    );
  }
  for (const { tier, reason, command } of destructions) {
    if (tier === "recoverable" && !isNamed(command === null ? undefined : parts[command])) {
      asks.push(ask("destruction", `${reason}.`, "bypass"));
    }
  }
  return asks;
}

/** Whether a rule spells out the program that destroys. */
function isNamed(part: Part | undefined): boolean {
  const about = part?.cover?.rule.about;
  return about?.subject === "command" && (about.pattern.kind === "line" || about.pattern.program !== null);
}

/** `cat .e*` may read what it does not name. */
function hiddenByPattern(effect: Effect & { kind: "read" | "write" }): string | null {
  if (!effect.pattern || effect.path === null) return null;
  const name = effect.path.split("/").find((each) => each.startsWith(".") && /[*?[]/.test(each));
  return name ? `"${name}" may stand for files that need a yes` : null;
}
