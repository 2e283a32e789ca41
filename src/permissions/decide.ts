// The fixed order of decisions. Pure: everything a decision needs was looked up when the call was read.
//   deny → ask rules and hooks' ask → allow rules → the tool's own ask → mode → (hook's allow → classifier → ask)
import type { RuleRef } from "../contracts/permission.js";
import type { PathAccess } from "../contracts/workspace.js";
import { decideCommand, isCoveredByName } from "./decide-command.js";
import { allow, ask, type Decision, deny, TEMPORARY } from "./decision.js";
import type { ShellCall } from "./request/read-command.js";
import type { ResolvedPath } from "./request/resolve-path.js";
import type { ResolvedRequest } from "./request/resolved-request.js";
import { rulesEffect } from "./rules/effect-match.js";
import { allowsPlace, isAllowedBy, matchesRestrictively, namesOutside, settles } from "./rules/rule-match.js";
import type { RuleSet } from "./rules/rule-set.js";
import type { CompiledRule } from "./rules/rules.js";
import type { Effect } from "./shell/analysis.js";

/** The decision of the rules, strongest source first, and of the mode. `blocked`: acts that nothing may do outside the workspace. */
export function decideRequest(
  call: ResolvedRequest,
  rules: RuleSet,
  blocked: ReadonlySet<PathAccess> = new Set(),
): Decision {
  return (
    refusal(call, rules) ??
    unruled(call, rules, blocked) ??
    beyond(call, blocked) ??
    question(call, rules) ??
    permission(call, rules)
  );
}

function refusal(call: ResolvedRequest, rules: RuleSet): Decision | null {
  const ruled = firstCatch(call, rules.deny);
  if (ruled) return deny("deny-rule", `The rule "${ruled.rule.rule}" denies ${ruled.what}.`, ruled.rule);
  if (call.own?.behavior === "deny") {
    return deny("tool-deny", call.own.reason ?? `"${call.tool}" denies this input.`, call.own.rule);
  }
  const guarded = [...call.places, ...(call.shell ? certainPlaces(call.shell) : [])].find(
    (place) => place.status === "protected",
  );
  if (guarded) {
    // The workspace answers with a whole sentence.
    const why = guarded.why?.endsWith(".") ? guarded.why : `"${guarded.path}" is protected: ${guarded.why}.`;
    return deny("protected-path", why);
  }
  const catastrophe = call.shell?.destructions.find(({ tier }) => tier === "catastrophic");
  if (catastrophe) return deny("catastrophic-command", `${catastrophe.reason}. No rule or mode can allow it.`);
  return inPlan(call) ?? outOfReach(call, rules);
}

/** Tools on which a restriction is one of an agent's own tools, too. */
const RESTRICTED = ["bash", "read_file", "write_file", "edit_file", "web_fetch"];

/** An agent with tools of its own does what no rule decides, so that none of what is denied would be kept from it. */
function unruled(
  { tool, ownTools }: ResolvedRequest,
  rules: RuleSet,
  blocked: ReadonlySet<PathAccess>,
): Decision | null {
  if (ownTools !== "refused") return null;
  const broken = rules.deny.find(({ speaksOf }) => RESTRICTED.some(speaksOf));
  if (!broken && blocked.size === 0) return null;
  const what = broken ? `the rule "${broken.ref.rule}" denies` : "settings keep inside the workspace";
  const reason = `"${tool}" starts an agent whose own tools no rule reaches, so it could do what ${what}. The host can accept that: ownTools: "accepted".`;
  return deny("own-tools", reason, broken?.ref);
}

function beyond({ places, shell }: ResolvedRequest, blocked: ReadonlySet<PathAccess>): Decision | null {
  if (blocked.size === 0) return null;
  const named = (shell?.effects ?? []).flatMap(({ effect, place }) => (place && effect.kind !== "exec" ? place : []));
  const place = [...places, ...named].find(({ status, access }) => status === "outside" && blocked.has(access));
  if (!place) return null;
  const verb = place.access === "read" ? "read" : "written";
  return deny("protected-path", `"${place.path}" is outside the workspace, where settings let nothing be ${verb}.`);
}

/** The places where a command line surely reads the content of a file, and all that it may write to. */
function certainPlaces({ effects }: ShellCall): readonly ResolvedPath[] {
  return effects.flatMap(({ effect, place }) => {
    const isSure =
      effect.kind !== "read" || (effect.certainty !== "possible" && effect.only !== "names" && !effect.isWord);
    return place && isSure ? place : [];
  });
}

/** `plan` promises that nothing changes, whatever the rules allow. */
function inPlan(call: ResolvedRequest): Decision | null {
  if (call.mode !== "plan" || onlyReads(call)) return null;
  return deny("mode", `Mode "plan" runs only what cannot change anything, and "${call.tool}" could.`);
}

function onlyReads({ permission, shell }: ResolvedRequest): boolean {
  if (!shell) return permission === "none" || permission === "read_only";
  const { commands, effects, opaque, outsideGrammar } = shell.analysis;
  return (
    !opaque &&
    outsideGrammar.length === 0 &&
    commands.every(({ readOnly }) => readOnly) &&
    effects.every(({ kind }) => kind === "read" || kind === "exec") &&
    !shell.effects.some(({ effect }) => mayBeOption(effect))
  );
}

/** A name behind wildcards or in a list looks like an option, or that cannot be known. */
function mayBeOption(effect: Effect): boolean {
  return effect.kind === "read" && effect.only === "names" && effect.listing !== undefined && effect.path === null;
}

/**
 * The sandbox would refuse it after any approval, so nobody is asked. Under `bypassPermissions`, and for a path that a
 * rule allows, the tool says so itself.
 */
function outOfReach({ places, mode }: ResolvedRequest, rules: RuleSet): Decision | null {
  if (mode === "bypassPermissions") return null;
  const allows = rules.allow.filter(({ about }) => about.subject === "path");
  const isMeant = (each: ResolvedPath) => allows.some((rule) => allowsPlace(rule, each) || settles(rule, each));
  const place = places.find((each) => each.status === "outside" && !isMeant(each));
  return place ? deny("protected-path", place.why ?? `"${place.path}" is outside the workspace.`) : null;
}

function question(call: ResolvedRequest, rules: RuleSet): Decision | null {
  const ruled = firstCatch(call, rules.ask);
  if (ruled) return ask("ask-rule", `The rule "${ruled.rule.rule}" asks about ${ruled.what}.`, "nothing", ruled.rule);
  if (call.hook?.behavior !== "ask") return null;
  return ask("hook-ask", call.hook.reason ?? `A hook asks about "${call.tool}".`, "nothing");
}

function permission(call: ResolvedRequest, rules: RuleSet): Decision {
  const found = call.shell ? decideCommand(call, rules) : byRule(call, rules);
  const own = ownQuestion(call, rules);
  if (own) return own;
  if (found.behavior === "allow" || found.yieldsTo === "nothing") return found;
  return byMode(call, found);
}

function byRule(call: ResolvedRequest, rules: RuleSet): Decision {
  // It may be what a rule denies, or asks about.
  if (call.isUnclear && rules.limits.some((each) => isAboutInput(each, call)))
    return ask("not-understood", `What "${call.tool}" would act on could not be read from its input.`, "nothing");
  const rule = rules.allow.find((each) => isAllowedBy(each, call))?.ref;
  if (rule) return allow("allow-rule", `The rule "${rule.rule}" allows it.`, rule);
  return ask("default", `No rule allows "${call.tool}".`, "anything");
}

function isAboutInput({ about, speaksOf }: CompiledRule, { canonical }: ResolvedRequest): boolean {
  return about.subject !== "everything" && speaksOf(canonical);
}

/** The question of the tool itself, or of the workspace for it; only a rule that names the target answers that. */
function ownQuestion(call: ResolvedRequest, rules: RuleSet): Decision | null {
  const place = call.places.find(({ asked }) => asked !== null);
  if (call.own?.behavior !== "ask" && !place) return null;
  if (isTargetNamed(call, rules)) return null;
  const reason =
    call.own?.reason ??
    (place ? `"${place.path}" needs approval: ${place.asked}.` : `"${call.tool}" asks about this input.`);
  return ask("tool-ask", reason, "nothing", call.own?.rule);
}

function isTargetNamed(call: ResolvedRequest, rules: RuleSet): boolean {
  if (call.shell) return isCoveredByName(call, rules);
  if (call.places.length === 0)
    return rules.allow.some((rule) => rule.about.subject !== "everything" && isAllowedBy(rule, call));
  const speaking = rules.allow.filter((rule) => rule.speaksOf(call.canonical));
  return call.places.every((place) => speaking.some((rule) => isNamed(rule, place)));
}

function isNamed(rule: CompiledRule, place: ResolvedRequest["places"][number]): boolean {
  if (rulesEffect(rule, place.access)) return settles(rule, place);
  if (place.isOnlyOutside) return namesOutside(rule, place.real, place.access);
  const { about } = rule;
  return about.subject === "path" && about.pattern.matches(place.real) && about.pattern.names(place.real);
}

function byMode(call: ResolvedRequest, found: Decision): Decision {
  const { mode, permission: touches, own, places } = call;
  if (mode === "bypassPermissions") return allow("mode", 'Mode "bypassPermissions" allows what nothing denies.');
  if (call.shell) return found;
  const isTemporary = places.length > 0 && places.every(({ status }) => status === "temporary");
  if (touches === "read_write" && isTemporary) return allow("mode", TEMPORARY);
  const isInside = places.length > 0 && places.every(({ status }) => status === "inside" || status === "temporary");
  if (touches === "none" || (touches === "read_only" && (isInside || places.length === 0))) {
    return allow("mode", `"${call.tool}" changes nothing.`);
  }
  if (mode === "acceptEdits" && touches === "read_write" && isInside) {
    return allow("mode", 'Mode "acceptEdits" lets files inside the workspace be edited.');
  }
  if (own?.behavior === "allow" && found.yieldsTo === "anything")
    return allow("mode", own.reason ?? `"${call.tool}" allows this input.`);
  return found;
}

function firstCatch(
  call: ResolvedRequest,
  rules: readonly CompiledRule[],
): { readonly rule: RuleRef; readonly what: string } | null {
  for (const each of rules) {
    const what = matchesRestrictively(each, call);
    if (what !== null) return { rule: each.ref, what };
  }
  return null;
}
