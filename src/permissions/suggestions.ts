// "Always allow" as data: the narrowest rules that would really allow the asked call next time.

import { dirname, relative, sep } from "node:path";
import type { PermissionUpdate } from "../contracts/permission.js";
import { formatRule } from "../rules/parse-rule.js";
import { decideRequest } from "./decide.js";
import { EDITING_PROGRAMS } from "./decide-command.js";
import type { Decision } from "./decision.js";
import { sourceText } from "./flow/flow-options.js";
import type { FlowFinding } from "./flow/judge-flow.js";
import { longPattern } from "./long-pattern.js";
import type { ShellCall } from "./request/read-command.js";
import type { ResolvedPath } from "./request/resolve-path.js";
import type { ResolvedRequest } from "./request/resolved-request.js";
import type { RuleDirectories } from "./rules/path-pattern.js";
import type { RuleCompiler } from "./rules/rule-compiler.js";
import { type RuleSet, ruleSet } from "./rules/rule-set.js";
import type { AnalyzedCommand } from "./shell/analysis.js";
import { outermost } from "./shell/analyze-command.js";
import { messagesIn } from "./shell/invocation/options.js";
import { findProgram } from "./shell/programs/table.js";

/** Steps whose question a rule could answer without giving away more than was asked. */
const ANSWERABLE: ReadonlySet<Decision["step"]> = new Set(["default", "tool-ask", "not-understood"]);
const MAX_RULES = 10;

/**
 * Empty when nothing narrow would do: for what a rule asks about, what destroys, what differs each time, and what is
 * known only at run time. Where no rule for each command is enough, the one for the very line may be.
 */
export function suggestionsFor(
  call: ResolvedRequest,
  rules: RuleSet,
  asked: Decision,
  compiler: RuleCompiler,
  flow?: FlowFinding | null,
): readonly PermissionUpdate[] {
  if (flow && flow.sources.length > 0)
    return [{ type: "trustSources", sources: flow.sources.map(sourceText), destination: "session" }];
  if (!ANSWERABLE.has(asked.step) || call.shell?.analysis.opaque) return [];
  const { commands = [] } = call.shell?.analysis ?? {};
  if (commands.some(isOpen)) return [];
  const { directories } = compiler;
  const narrow = call.shell ? shellRules(call, rules, directories) : toolRules(call, directories);
  const isSame = call.shell && !commands.some(isForOnce);
  const line = isSame ? [formatRule("bash", literally(call.shell.script.trim()))] : [];
  const isEnough = (some: readonly string[]) => {
    if (some.length === 0 || some.length > MAX_RULES) return false;
    try {
      const added = some.map((rule) => compiler.compile({ rule, behavior: "allow", source: "session" }));
      return decideRequest(call, ruleSet([...rules.all, ...added])).behavior === "allow";
    } catch {
      // A name or a path that no rule can spell.
      return false;
    }
  };
  const found = [[...new Set(narrow)], line].find(isEnough);
  if (!found) return [];
  const needed = found.reduceRight((kept, rule) => {
    const fewer = kept.filter((each) => each !== rule);
    return isEnough(fewer) ? fewer : kept;
  }, found);
  return [{ type: "addRules", behavior: "allow", rules: needed, destination: "session" }];
}

/** A rule for the same words would allow other words, or other code in its input. */
function isOpen({ words, doubts }: AnalyzedCommand): boolean {
  return (words.includes(null) && doubts.length > 0) || doubts.some(({ reason }) => reason.endsWith("its input"));
}

function toolRules({ tool, subject, places, texts }: ResolvedRequest, directories: RuleDirectories): string[] {
  if (subject === "path") return places.map((place) => fileRule(place, directories, place.asked === null));
  if (subject === "url") return texts.map((host) => formatRule(tool, `domain:${host}`));
  if (subject === "name") return texts.slice(0, 1).map((name) => formatRule(tool, name));
  return [tool];
}

function shellRules(call: ResolvedRequest, rules: RuleSet, directories: RuleDirectories): string[] {
  const { analysis, effects } = call.shell!;
  const { commands } = analysis;
  const patterns = rules.allow.flatMap(({ about }) => (about.subject === "command" ? about.pattern : []));
  const forCommands = new Set<string>();
  for (const [index, command] of commands.entries()) {
    if (forCommands.size > MAX_RULES) break;
    if (command.readOnly && command.doubts.length === 0) continue;
    const starter = commands[outermost(commands, index)]!;
    const isCovered = patterns.some((pattern) => pattern.covers(command) || pattern.covers(starter));
    if (isCovered) continue;
    const prefix = starter === command || command.impliedByParent ? prefixOf(starter) : null;
    if (prefix === null && isForOnce(starter)) return [];
    const edits = starter === command && prefix === null ? editRules(command, index, call.shell!, directories) : [];
    for (const rule of edits) forCommands.add(rule);
    if (edits.length === 0) forCommands.add(formatRule("bash", prefix ?? literally(starter.text)));
  }
  const forFiles = effects.flatMap(({ effect, place }) => {
    if (!place || effect.kind === "exec" || effect.kind === "network") return [];
    const isRedirect = effect.kind === "write" && effect.redirect === true;
    const isForeignRead = effect.kind === "read" && place.status === "outside" && commands[effect.command]!.readOnly;
    return isRedirect || isForeignRead || place.asked !== null ? [fileRule(place, directories, false)] : [];
  });
  return [...forCommands, ...forFiles];
}

/** Rules that let a command edit the places it writes to, for a command that does nothing else. */
function editRules(
  { program, doubts }: AnalyzedCommand,
  index: number,
  { effects }: ShellCall,
  directories: RuleDirectories,
): readonly string[] {
  if (!EDITING_PROGRAMS.has(program ?? "") || doubts.some(({ kind }) => kind !== "edit")) return [];
  const places = effects.flatMap(({ effect, place }) =>
    effect.command === index && effect.kind === "write" && !effect.redirect ? (place ?? []) : [],
  );
  const rules = [...new Set(places.map((place) => fileRule(place, directories, true)))];
  const isBelow = (rule: string, other: string) => other.endsWith("/**)") && rule.startsWith(other.slice(0, -3));
  const kept = rules.filter((rule) => !rules.some((other) => other !== rule && isBelow(rule, other)));
  return kept.length === 1 || kept.every((rule) => rule.endsWith("/**)")) ? kept : [];
}

/** Words that start the program behind them, or say where it runs. */
const LEADS = longPattern`^(?:(?:npx|bunx|uvx|(?:bundle|pnpm) exec|(?:uv|poetry|pipenv|pdm|hatch) run|
  (?:[\w./-]+\/)?python[\d.]* -m) |git -C [\w./-]+ )(?=\w)`;

function prefixOf({ words, doubts }: AnalyzedCommand): string | null {
  if (doubts.length > 0 || !words[0]) return null;
  const [lead = ""] = LEADS.exec(words.join(" ")) ?? [];
  const rest = words.slice(lead.split(" ").length - 1);
  const isGit = lead.startsWith("git ");
  const [program, second, third] = isGit ? ["git", ...rest] : rest;
  const runs = (name: string | null | undefined) => name && /^[\w@./:-]+$/.test(name) && !name.startsWith("-");
  const row = findProgram(program ?? "");
  const begin = isGit ? lead : `${lead}${program} `;
  if (row?.scripts?.includes("") && runs(second)) return `${begin}${second}:*`;
  if (row?.scripts?.includes(second ?? "-") && runs(third)) return `${begin}${second} ${third}:*`;
  if (row?.repeatable?.includes("")) return `${lead}${program}:*`;
  if (row?.repeatable?.includes(second ?? "-")) return `${begin}${second}:*`;
  return row?.repeatable?.includes(`${second} ${third}`) ? `${begin}${second} ${third}:*` : null;
}

/** A rule for the very process, or the very text, would never match again. */
function isForOnce({ program, words }: AnalyzedCommand): boolean {
  return program === "kill" || messagesIn(words).size > 0;
}

function literally(text: string): string {
  return text.replace(/[\\*]/g, "\\$&");
}

/** `wide`: also the other files of its directory, for ordinary files below the root. */
function fileRule({ real, access }: ResolvedPath, { root }: RuleDirectories, wide: boolean): string {
  const tool = access === "read" ? "read_file" : "edit_file";
  const inside = relative(root, real).split(sep).join("/");
  if (inside.startsWith("../") || inside === "..") return formatRule(tool, `/${escaped(real)}`);
  const directory = dirname(inside);
  return formatRule(tool, wide && directory !== "." ? `/${escaped(directory)}/**` : `/${escaped(inside)}`);
}

function escaped(path: string): string {
  return path.replace(/[\\*?[\]{}!#]/g, "\\$&").replace(/ $/, "\\ ");
}
