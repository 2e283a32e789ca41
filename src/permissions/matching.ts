// Which rules speak about a call: generously for those that deny or ask, literally for those that allow.
import { existsSync } from "node:fs";
import type { Call, ShellCall } from "./call.js";
import { mayEnter, mayList } from "./listed-files.js";
import { isInside, type Place } from "./places.js";
import type { CompiledRule } from "./rules.js";
import type { CommandAnalysis, Effect, NameListing } from "./shell/analysis.js";
import { mayName, unreadText } from "./unread-files.js";

/** What of a call a deny or ask rule is about, in words; `null` when it is not about it. */
export function caughtBy(rule: CompiledRule, call: Call): string | null {
  if (call.shell) return caughtInShell(rule, call.shell);
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

/** Whether an allow rule is about all of a call that is no command. */
export function coveredBy(rule: CompiledRule, call: Call): boolean {
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
export function allowsPlace(rule: CompiledRule, place: Place, { target = false } = {}): boolean {
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

/** What lies below a folder that a command reads whole, although a rule denies or asks for it. */
export function ruledBelow(rules: readonly CompiledRule[], place: Place): CompiledRule | undefined {
  return rules.find(({ ref, about, ...rest }) => {
    if (ref.behavior === "allow" || about.subject !== "path") return false;
    if (!rulesEffect({ ref, about, ...rest }, "read") || about.pattern.place === null) return false;
    return isInside(about.pattern.place, place.lexical) && existsSync(about.pattern.place);
  });
}

/** What a listed name may be, although a rule denies or asks for it. */
export function ruledAmong(
  rules: readonly CompiledRule[],
  path: string,
  listing: NameListing,
  looks: { left: number },
): CompiledRule | undefined {
  return rules.find((rule) => {
    const { ref, about } = rule;
    if (ref.behavior === "allow" || about.subject !== "path" || !rulesEffect(rule, "read")) return false;
    const { pattern } = about;
    if (!pattern.meets(path)) return false;
    if (pattern.place !== null) {
      return existsSync(pattern.place) && (--looks.left < 0 || mayList(pattern.place, path, listing));
    }
    // A rule for a name: of a file that is listed, or of a folder on the way to one.
    if (path.endsWith("/**") || pattern.meetsName(path)) return true;
    return --looks.left < 0 || mayEnter(path, listing, (folder) => pattern.matchesGenerously(folder));
  });
}

function caughtInShell(rule: CompiledRule, { script, analysis, effects, places }: ShellCall): string | null {
  const { about } = rule;
  if (rule.speaksOf("bash")) {
    if (about.subject === "everything") return "every command";
    if (about.subject !== "command") return null;
    const command = analysis.commands.find((each) => about.pattern.catches(each));
    if (command) return `the command "${command.text}"`;
    return about.pattern.catchesScript(analysis, script) ? "the command line" : null;
  }
  const index = effects.findIndex((effect, at) => isEffectCaught(rule, effect, places[at] ?? null));
  const effect = effects[index];
  if (!effect) return mayBeUnread(rule, analysis) ? "what was not read of the command line" : null;
  if (effect.kind === "exec") return null;
  if (effect.kind === "network") return `the host "${effect.host}"`;
  return `${effect.kind === "read" ? "reading" : "writing"} "${effect.path}"`;
}

/** Whether the part of a command line that was too much to parse may do what a rule for files or hosts is about. */
function mayBeUnread(rule: CompiledRule, analysis: CommandAnalysis): boolean {
  const unread = unreadText(analysis);
  const { about } = rule;
  if (unread === null) return false;
  if (about.subject === "url") return about.pattern.hosts.some((host) => unread.places(host)?.length !== 0);
  if (!rulesEffect(rule, "read") && !rulesEffect(rule, "write")) return false;
  return about.subject === "path" && mayName(unread, about.pattern);
}

function isEffectCaught(rule: CompiledRule, effect: Effect, place: Place | null): boolean {
  const { about } = rule;
  if (effect.kind === "exec") return false;
  if (effect.kind === "network") {
    const host = effect.host?.toLowerCase().replace(/\.$/, "");
    return about.subject === "url" && host !== undefined && about.pattern.catches([host]);
  }
  // What changes a file in place reads it.
  const alsoReads = effect.kind === "write" && effect.how === "modify" && !effect.redirect;
  if (!rulesEffect(rule, effect.kind) && !(alsoReads && rulesEffect(rule, "read"))) return false;
  if (about.subject === "everything") return true;
  if (about.subject !== "path" || effect.path === null) return false;
  if (place === null) return about.pattern.matchesGenerously(effect.path);
  if (effect.pattern) {
    // What a walk through folders comes by is asked about; what it looks for by name is as good as named.
    const isMet = isWalk(effect)
      ? about.pattern.meetsName(effect.path)
      : about.pattern.meets(effect.path) && mayBeThere(rule, effect.path);
    return isMet || isCaught(rule, place);
  }
  if (isCaught(rule, place)) return true;
  const { place: below } = about.pattern;
  const takesAll = effect.kind === "write" && effect.recursive === true;
  return takesAll && below !== null && (isInside(below, place.lexical) || isInside(below, place.real));
}

/** Reads files at any depth below a folder, found by the program or by the shell. */
export function isWalk(effect: Effect): boolean {
  return effect.kind === "read" && effect.pattern === true && (effect.path?.split("/").includes("**") ?? false);
}

/** A bare `*` names whatever there is, so a file or folder that a rule spells out counts when it exists. */
function mayBeThere({ about }: CompiledRule, path: string): boolean {
  const names = path.split("/");
  const isBare = names.includes("**") || names.every((name) => !/[*?[]/.test(name) || /^\*+$/.test(name));
  return !isBare || about.subject !== "path" || about.pattern.place === null || existsSync(about.pattern.place);
}

function isCaught({ about }: CompiledRule, { lexical, real }: Place): boolean {
  if (about.subject !== "path") return about.subject === "everything";
  return about.pattern.matchesGenerously(lexical) || about.pattern.matchesGenerously(real);
}

function speaksOf(rule: CompiledRule, { canonical, tool }: Call): boolean {
  return rule.speaksOf(canonical) || rule.speaksOf(tool);
}
