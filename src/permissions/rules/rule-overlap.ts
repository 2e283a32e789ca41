// Whether one rule says all that another says, as far as two patterns can be compared.

import type { AnalyzedCommand } from "../shell/analysis.js";
import { analyzeCommand } from "../shell/analyze-command.js";
import type { CommandPattern } from "./command-pattern.js";
import type { CompiledRule } from "./rules.js";

/** Whether every call that `narrow` is about is one that `broad` is about. Says no when in doubt. */
export function covers(broad: CompiledRule, narrow: CompiledRule): boolean {
  if (!broad.speaksOf(narrow.parsed.canonical)) return false;
  const { about } = broad;
  const other = narrow.about;
  if (about.subject === "everything") return true;
  if (other.subject === "everything" || about.subject !== other.subject) return false;
  if (about.subject === "command" && other.subject === "command")
    return commandCovers(broad, about.pattern, other.pattern);
  const content = narrow.parsed.content!;
  if (about.subject === "path" && other.subject === "path") {
    const { place } = other.pattern;
    return place !== null && (isDeny(broad) ? about.pattern.matchesGenerously(place) : about.pattern.matches(place));
  }
  if (about.subject === "path" || other.subject === "path" || about.subject === "command") return false;
  return about.pattern.covers([content.replace(/^domain:/, "")]);
}

function commandCovers(broad: CompiledRule, a: CommandPattern, b: CommandPattern): boolean {
  const command = analyzedPrefix(b);
  if (!command || b.kind === "line" || a.kind === "line") return false;
  if (a.kind === "exact" && b.kind !== "exact") return false;
  return isDeny(broad) ? a.catches(command) : a.covers(command);
}

/** The command a rule spells out; a string stands where it has a wildcard. */
export function analyzedPrefix({ words }: CommandPattern): AnalyzedCommand | undefined {
  const { commands } = analyzeCommand(words.join(" ").replaceAll("*", "x"));
  return commands.length === 1 ? commands[0] : undefined;
}

function isDeny({ ref }: CompiledRule): boolean {
  return ref.behavior !== "allow";
}
