import type { PermissionDecision, PermissionMode, RuleRef } from "../contracts/permission.js";
import type { DecisionStep } from "./decision.js";
import type { ResolvedRequest } from "./request/resolved-request.js";
import { allowsPlace, isAllowedBy, matchesRestrictively } from "./rules/rule-match.js";
import type { CompiledRule } from "./rules/rules.js";

/** One rule that was considered for a call. */
export interface ConsideredRule extends RuleRef {
  readonly matched: boolean;
  /** What of the call it is about, when it matched. */
  readonly about: string | null;
  /** It is the rule the decision names. */
  readonly won: boolean;
}

/** Why a call is decided as it is. */
export interface Explanation {
  readonly decision: PermissionDecision;
  readonly mode: PermissionMode;
  /** Where in the fixed order it was decided. */
  readonly step: DecisionStep;
  /** Every rule, denies first, then asks, then allows; the strongest source first. */
  readonly rules: readonly ConsideredRule[];
  /** The commands that were found in a command line, and whether each only reads. */
  readonly commands: readonly {
    readonly text: string;
    readonly readOnly: boolean;
    readonly doubts: readonly string[];
  }[];
  /** All of this for people. */
  readonly text: string;
}

const ORDER = ["deny", "ask", "allow"] as const;

/** Says how a decision came about. */
export function explainDecision(
  call: ResolvedRequest,
  rules: readonly CompiledRule[],
  decided: { readonly decision: PermissionDecision; readonly step: DecisionStep },
): Explanation {
  const considered = ORDER.flatMap((behavior) => rules.filter(({ ref }) => ref.behavior === behavior)).map((rule) => {
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
  const about = { ...decided, mode: call.mode, rules: considered, commands };
  return { ...about, text: describe(call, about) };
}

function allowed(rule: CompiledRule, call: ResolvedRequest): string | null {
  if (!call.shell) return isAllowedBy(rule, call) ? `the tool "${call.tool}"` : null;
  const { analysis, script, places } = call.shell;
  if (rule.speaksOf("bash")) {
    const { about } = rule;
    if (about.subject === "everything") return "every command";
    if (about.subject !== "command") return null;
    const { pattern } = about;
    if (pattern.coversLine(script)) return "the command line";
    const command = analysis.commands.find((each) => pattern.covers(each));
    return command ? `the command "${command.text}"` : null;
  }
  const place = places.find((each) => each && allowsPlace(rule, each));
  return place ? `the path "${place.path}"` : null;
}

function describe(call: ResolvedRequest, { decision, step, mode, rules, commands }: Omit<Explanation, "text">): string {
  const lines = [`${decision.behavior}: ${decision.reason ?? call.tool} (step "${step}", mode "${mode}")`];
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
