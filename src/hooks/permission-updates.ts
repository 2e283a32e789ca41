// Rule updates on the wire: Claude Code writes a rule as an object, we write it as text.
import type { JsonValue } from "../contracts/json.js";
import type { PermissionUpdate } from "../contracts/permission.js";
import { theirToolName } from "./dialect.js";

/** Updates as a hook reads them. */
export function theirUpdates(updates: readonly PermissionUpdate[]): JsonValue {
  return updates.map((update): JsonValue => {
    if (!("rules" in update)) return { ...update } as JsonValue;
    return { ...update, rules: update.rules.map(theirRule) };
  });
}

/** Updates that a hook returned; rules may be written in either way. Anything else is passed on for the engine to refuse. */
export function ourUpdates(updates: JsonValue): readonly PermissionUpdate[] {
  if (!Array.isArray(updates)) return updates as never;
  return updates.map((update: JsonValue) => {
    const rules = (update as { rules?: JsonValue } | null)?.rules;
    return (Array.isArray(rules) ? { ...(update as object), rules: rules.map(ourRule) } : update) as never;
  });
}

function theirRule(rule: string): JsonValue {
  const open = rule.indexOf("(");
  if (open < 0 || !rule.endsWith(")")) return { toolName: theirToolName(rule) };
  return { toolName: theirToolName(rule.slice(0, open)), ruleContent: rule.slice(open + 1, -1) };
}

function ourRule(rule: JsonValue): string {
  if (typeof rule === "string") return rule;
  const { toolName, ruleContent } = (rule ?? {}) as { toolName?: unknown; ruleContent?: unknown };
  return typeof ruleContent === "string" ? `${String(toolName)}(${ruleContent})` : String(toolName);
}
