// Substitutions whose output is known, or known to be one word that is not an option.
import type { ParsedScript } from "unbash";

/** What a script prints when it is only `cat` with a here-document that is not expanded; else `null`. */
export function knownOutput({ commands }: ParsedScript): string | null {
  const node = commands.length === 1 ? commands[0]!.command : undefined;
  if (node?.type !== "Command" || node.name?.value !== "cat" || node.name.text !== "cat") return null;
  const [redirect, ...more] = node.redirects;
  const words = node.suffix.filter(({ type }) => type === "Word" || type === "Assignment");
  if (node.prefix.length + words.length + more.length > 0 || redirect?.type !== "HereDoc") return null;
  if (!redirect.delimiter?.quoted || redirect.operator !== "<<") return null;
  return redirect.body.text.replace(/\n+$/, "");
}

const REVISION =
  /^git (?:merge-base|describe|branch --show-current|rev-parse(?: (?:--short|--verify|--abbrev-ref))*)(?: (?:--tags|--abbrev=0|--always|--all|--is-ancestor|[\w@{}~^./][\w@{}~^./-]*))*$/;

/** The script prints the name of one commit or branch: one word that is not an option. */
export function namesRevision({ commands }: ParsedScript): boolean {
  const node = commands.length === 1 ? commands[0]!.command : undefined;
  if (node?.type !== "Command" || node.prefix.length > 0) return false;
  const words = [node.name, ...node.suffix].map((part) => (part?.type === "Word" && !part.parts ? part.value : "\n"));
  return REVISION.test(words.join(" "));
}

/** It prints one number, and nothing else: how many processors there are. */
export function printsNumber(script: ParsedScript): boolean {
  return /^(?:nproc|nproc --all|getconf _NPROCESSORS_ONLN|sysctl -n hw\.n?(?:logical)?cpu)$/.test(onlyCommand(script));
}

/** It prints where the shell stands, and nothing else. */
export function printsPlace(script: ParsedScript): boolean {
  return onlyCommand(script) === "pwd";
}

/** The text of a script that is one simple command without redirections; else nothing. */
function onlyCommand(script: ParsedScript): string {
  const [statement, ...others] = script.commands;
  const command = statement?.command;
  if (others.length > 0 || command?.type !== "Command" || command.prefix.length + command.redirects.length > 0)
    return "";
  return [command.name, ...command.suffix].map((part) => (part && "text" in part ? part.text : "?")).join(" ");
}
