import type { PermissionDecision, PermissionMode, RuleRef } from "../contracts/permission.js";
import { clip } from "../text/cut.js";
import { afterColon, type DecisionStep, inQuotes } from "./decision.js";
import { sourceText } from "./flow/flow-options.js";
import type { FlowFinding } from "./flow/judge-flow.js";
import type { ShellCall } from "./request/read-command.js";
import type { ResolvedRequest } from "./request/resolved-request.js";
import { allowsPlace, isAllowedBy, matchesRestrictively } from "./rules/rule-match.js";
import type { RuleSet } from "./rules/rule-set.js";
import type { CompiledRule } from "./rules/rules.js";
import type { AnalyzedCommand } from "./shell/analysis.js";
import type { Extent } from "./shell/programs/program-row.js";
import { baseName, findProgram } from "./shell/programs/table.js";

/** One rule that was considered for a call. */
export interface ConsideredRule extends RuleRef {
  readonly matched: boolean;
  /** The part of the call that the rule is about, when it matched. */
  readonly about: string | null;
  /** It is the rule the decision names. */
  readonly won: boolean;
}

/** The reason why a call is decided as it is. */
export interface Explanation {
  readonly decision: PermissionDecision;
  readonly mode: PermissionMode;
  /** The step of the fixed order that decided. */
  readonly step: DecisionStep;
  /** Every rule, denies first, then asks, then allows; the strongest source first. */
  readonly rules: readonly ConsideredRule[];
  /** The commands that were found in a command line, and whether each only reads. */
  readonly commands: readonly {
    readonly text: string;
    readonly readOnly: boolean;
    readonly doubts: readonly string[];
  }[];
  /** The analysis of a command line in one sentence: the parts that were understood, and the others. */
  readonly summary?: string;
  /** The reason to ask although rules and mode allow the call: the sources that were read, with the entries that brought them in. */
  readonly flow?: FlowFinding;
  /** All of this for people. */
  readonly text: string;
}

/** Says how a decision came about. */
export function explainDecision(
  call: ResolvedRequest,
  rules: RuleSet,
  decided: {
    readonly decision: PermissionDecision;
    readonly step: DecisionStep;
    readonly flow?: FlowFinding | undefined;
  },
): Explanation {
  const considered = [...rules.deny, ...rules.ask, ...rules.allow].map((rule) => {
    const won = decided.decision.rule === rule.ref;
    // A rule may also win for what lies below a directory, or for what an unknown program may run.
    const found = rule.ref.behavior === "allow" ? allowed(rule, call) : matchesRestrictively(rule, call);
    const about = found ?? (won ? "what the call may reach" : null);
    return { ...rule.ref, matched: about !== null, about, won };
  });
  const commands = (call.shell?.analysis.commands ?? []).map(({ text, readOnly, doubts }) => ({
    text,
    readOnly,
    doubts: doubts.map(({ reason }) => reason),
  }));
  const summary = call.shell ? summaryOf(call.shell) : undefined;
  const { flow, ...decision } = decided;
  const found = { ...(summary && { summary }), ...(flow && { flow }) };
  const about = { ...decision, mode: call.mode, rules: considered, commands, ...found };
  return { ...about, text: describe(call, about) };
}

function allowed(rule: CompiledRule, call: ResolvedRequest): string | null {
  if (!call.shell) return isAllowedBy(rule, call) ? `the tool "${call.tool}"` : null;
  const { analysis, script, effects } = call.shell;
  if (rule.speaksOf("bash")) {
    const { about } = rule;
    if (about.subject === "everything") return "every command";
    if (about.subject !== "command") return null;
    const { pattern } = about;
    if (pattern.coversLine(script)) return "the command line";
    const command = analysis.commands.find((each) => pattern.covers(each));
    return command ? `the command ${inQuotes(command.text)}` : null;
  }
  const place = effects.find((each) => each.place && allowsPlace(rule, each.place))?.place;
  return place ? `the path "${place.path}"` : null;
}

/** More than these are counted. */
const MAX_SHOWN = 3;
const UNKNOWN_HOST = "an unknown host";

function summaryOf({ analysis, effects }: ShellCall): string {
  const { commands, reasons, outsideGrammar } = analysis;
  const files = (kind: "read" | "write") =>
    effects.flatMap(({ effect }) =>
      effect.kind === kind && !effect.isPossible && effect.path !== null ? effect.path : [],
    );
  const hosts = effects.flatMap(({ effect }) => (effect.kind === "network" ? (effect.host ?? UNKNOWN_HOST) : []));
  const understood = [
    phrase(
      "runs",
      commands.flatMap(({ text, impliedByParent }) => (impliedByParent || text === "" ? [] : text)),
    ),
    phrase("reads", files("read")),
    phrase("writes", files("write")),
    phrase("connects to", hosts),
  ].filter((each) => each !== "");
  const own = commands.flatMap((command) => command.doubts);
  const reasonsOf = (isOpaque: boolean) =>
    own.flatMap(({ kind, reason }) => ((kind === "opaque") === isOpaque ? reason : []));
  const missed = [
    ...[...new Set(commands.flatMap((command) => leftOpenBy(command) ?? []))].slice(0, MAX_SHOWN),
    firstOf("not understood", [...reasons, ...outsideGrammar, ...reasonsOf(true)]),
    firstOf("needs approval", reasonsOf(false)),
  ].flat();
  const does = understood.length > 0 ? listed(understood) : "does nothing that is known";
  return `It ${[does, ...(missed.length > 0 ? missed : ["nothing in it is unclear"])].join("; ")}.`;
}

function firstOf(title: string, reasons: readonly string[]): string | [] {
  const [first, ...more] = new Set(reasons);
  if (first === undefined) return [];
  return `${title}: ${afterColon(first.replace(/\.$/, ""))}${more.length > 0 ? `, and ${more.length} more` : ""}`;
}

/** The reason why the words of a command do not say all it does; `null` when they do. */
function leftOpenBy({ program, known, readOnly }: AnalyzedCommand): string | null {
  if (program === null || program === "" || readOnly) return null;
  const name = baseName(program);
  const reach = findProgram(name)?.does;
  if (!reach) return known ? null : `what "${name}" does is not known`;
  const isOpen = (extent: Extent) => extent === "project" || extent === "anything";
  const open = [
    isOpen(reach.writes) ? "writes" : [],
    isOpen(reach.runs) ? "runs" : [],
    isOpen(reach.connects) ? "connects to" : [],
  ].flat();
  return open.length > 0 ? `what "${name}" ${listed(open)} is not in the line` : null;
}

function listed(phrases: readonly string[]): string {
  return phrases.length < 2 ? phrases.join("") : `${phrases.slice(0, -1).join(", ")} and ${phrases.at(-1)}`;
}

function phrase(verb: string, names: readonly string[]): string {
  const all = [...new Set(names)];
  if (all.length === 0) return "";
  const shown = all.slice(0, MAX_SHOWN).map((name) => (name === UNKNOWN_HOST ? name : `"${clip(name, 80)}"`));
  const rest = all.length > MAX_SHOWN ? ` and ${all.length - MAX_SHOWN} more` : "";
  return `${verb} ${shown.join(", ")}${rest}`;
}

function describe(
  call: ResolvedRequest,
  { decision, step, mode, rules, commands, summary, flow }: Omit<Explanation, "text">,
): string {
  const lines = [`${decision.behavior}: ${decision.reason ?? call.tool} (step "${step}", mode "${mode}")`];
  if (summary !== undefined) lines.push(summary);
  for (const source of flow?.sources ?? [])
    lines.push(`untrusted: ${sourceText(source)}${source.entryId === undefined ? "" : ` (entry ${source.entryId})`}`);
  for (const { field, value, known } of flow?.unknown ?? []) lines.push(`${field} "${clip(value, 80)}": ${known}`);
  if (commands.length > 0) {
    lines.push("commands:");
    for (const { text, readOnly, doubts } of commands) {
      lines.push(`  ${text}${readOnly ? "  [only reads]" : ""}${doubts.map((doubt) => `  [${doubt}]`).join("")}`);
    }
  }
  lines.push(rules.length > 0 ? "rules:" : "rules: none");
  for (const { rule, behavior, source, about, won } of rules) {
    lines.push(
      `  ${won ? ">" : " "} ${behavior} ${rule} (${source}): ${about ? `matches ${about}` : "does not match"}`,
    );
  }
  return lines.join("\n");
}
