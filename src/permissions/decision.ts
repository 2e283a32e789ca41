import type { PermissionDecision, PermissionMode, RuleRef } from "../contracts/permission.js";
import type { Containment } from "../contracts/workspace-machine.js";

/** The step of the fixed order that decided a call. */
export type DecisionStep =
  | "deny-rule"
  | "tool-deny"
  | "protected-path"
  | "catastrophic-command"
  | "own-tools"
  | "ask-rule"
  | "hook-ask"
  | "allow-rule"
  | "tool-ask"
  | "not-understood"
  | "destructive-command"
  | "mode"
  | "contained"
  | "hook-allow"
  | "classifier"
  | "flow"
  | "default";

/** The decision of the rules and the mode about a call. */
export interface Decision {
  readonly behavior: PermissionDecision["behavior"];
  readonly step: DecisionStep;
  readonly reason: string;
  readonly rule?: RuleRef;
  /**
   * The authority that may still turn an ask into an allow: none, the mode `bypassPermissions`, or also a hook or a classifier.
   */
  readonly yieldsTo: "nothing" | "bypass" | "anything";
  /** Whether a rule that denies or asks may be about the part of an asking call that could not be read. */
  readonly mayBeRuled?: boolean;
  /** The machine that keeps the call in, which is why it may run. */
  readonly held?: Containment;
}

const LEAST_YIELDING = ["nothing", "bypass", "anything"] as const;

export function allow(step: DecisionStep, reason: string, rule?: RuleRef): Decision {
  return { behavior: "allow", step, reason, yieldsTo: "nothing", ...(rule && { rule }) };
}

export function deny(step: DecisionStep, reason: string, rule?: RuleRef): Decision {
  return { behavior: "deny", step, reason, yieldsTo: "nothing", ...(rule && { rule }) };
}

export function ask(step: DecisionStep, reason: string, yieldsTo: Decision["yieldsTo"], rule?: RuleRef): Decision {
  return { behavior: "ask", step, reason, yieldsTo, ...(rule && { rule }) };
}

/** The reason why a session may write there without a rule. */
export const TEMPORARY = "It only writes in the session's own directory for temporary files.";

/** An ask about what is not understood. `mayHideDenied`: it may be what a rule denies, so no mode allows it. */
export function notUnderstood(reason: string, { mayHideDenied }: { readonly mayHideDenied: boolean }): Decision {
  return { ...ask("not-understood", reason, mayHideDenied ? "nothing" : "bypass"), mayBeRuled: mayHideDenied };
}

/** A piece of a command line in quotes, other ones than it may hold itself. */
export function inQuotes(text: string): string {
  return text.includes('"') && !text.includes("`") ? `\`${text}\`` : `"${text}"`;
}

/** A sentence, as it reads behind a colon. */
export function afterColon(sentence: string): string {
  return sentence.replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase());
}

/** An ask about what a rule may be about. */
export function mayBeRuled(reason: string, rule?: RuleRef): Decision {
  return { ...ask("not-understood", reason, "nothing", rule), mayBeRuled: true };
}

/**
 * The ask that yields least; the first of equals. After one that yields to nothing none is looked for.
 */
export function strictest(asks: Iterable<Decision>): Decision | undefined {
  let found: Decision | undefined;
  for (const each of asks) {
    if (!found || LEAST_YIELDING.indexOf(each.yieldsTo) < LEAST_YIELDING.indexOf(found.yieldsTo)) found = each;
    if (found.yieldsTo === "nothing") break;
  }
  return found;
}

export const MODES = [
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions",
] as const satisfies readonly PermissionMode[];

export function isMode(value: unknown): value is PermissionMode {
  return MODES.includes(value as PermissionMode);
}
