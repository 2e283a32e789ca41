// The rules that speak about a call: read generously when they deny or ask, literally when they allow.
import type { PathAccess } from "../../contracts/workspace.js";
import { inQuotes } from "../decision.js";
import type { ShellCall } from "../request/read-command.js";
import type { ResolvedPath } from "../request/resolve-path.js";
import type { ResolvedRequest } from "../request/resolved-request.js";
import { matchesWildcard } from "./command-pattern.js";
import { caughtEffect, isCaught, rulesEffect } from "./effect-match.js";
import type { CompiledRule } from "./rules.js";

/** The part of a call a deny or ask rule is about, in words; `null` when it is not about it. */
export function matchesRestrictively(rule: CompiledRule, call: ResolvedRequest): string | null {
  if (call.shell) return matchesCommandLine(rule, call.shell);
  // A server that is offered as a whole, as `mcp__github`, can call each of its tools.
  const server = call.isOffer && /^(mcp__.+?)__/.exec(rule.parsed.tool)?.[1];
  if (server && matchesWildcard(server, call.tool)) return `a tool of the server "${call.tool}"`;
  if (!speaksOf(rule, call)) return null;
  const { about } = rule;
  if (call.isOffer && about.subject !== "everything")
    return `some calls of "${call.tool}", and which ones its server makes cannot be known`;
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

/** Whether an allow rule for files is about this one. `target`: only one that names it, not one about all files. */
export function allowsPlace(rule: CompiledRule, place: ResolvedPath, { target = false } = {}): boolean {
  if (!rulesEffect(rule, place.access)) return false;
  const { about } = rule;
  if (about.subject !== "path") return about.subject === "everything" && !target;
  return (
    about.pattern.matches(place.real) &&
    (!target || about.pattern.names(place.real) || about.pattern.names(place.lexical))
  );
}

/** Whether an allow rule names a place outside, as `Edit(//tmp/**)` all below `/tmp`, and for reading `/tmp` itself. */
export function namesOutside({ about }: CompiledRule, path: string, access: PathAccess): boolean {
  if (about.subject !== "path") return false;
  return about.pattern.matches(path) || (access === "read" && about.pattern.whole === path);
}

/**
 * Whether an allow rule gives the approval a place needs. Where a path below the root cannot be followed, none does.
 */
export function settles(rule: CompiledRule, place: ResolvedPath): boolean {
  if (place.status === "outside" && place.isBelowRoot) return false;
  if (place.isOnlyOutside && rulesEffect(rule, place.access)) return namesOutside(rule, place.real, place.access);
  return allowsPlace(rule, place, { target: true });
}

function matchesCommandLine(rule: CompiledRule, shell: ShellCall): string | null {
  const { script, analysis } = shell;
  const { about } = rule;
  if (rule.speaksOf("bash")) {
    if (about.subject === "everything") return "every command";
    if (about.subject !== "command") return null;
    const command = analysis.commands.find((each) => about.pattern.catches(each));
    if (command) return `the command ${inQuotes(command.text)}`;
    return about.pattern.catchesLine(script) ? "the command line" : null;
  }
  const effect = caughtEffect(rule, shell);
  if (!effect || effect.kind === "exec") return null;
  if (effect.kind === "network") return `the host "${effect.host}"`;
  return `${effect.kind === "read" ? "reading" : "writing"} "${effect.path}"`;
}

function speaksOf(rule: CompiledRule, { canonical, tool }: ResolvedRequest): boolean {
  return rule.speaksOf(canonical) || rule.speaksOf(tool);
}
