import type { JsonValue } from "../contracts/json.js";

/**
 * The permission rules in `allowed-tools`: a list, or text separated by commas or spaces. Inside parentheses both belong to
 * the rule, as in `Bash(git add *), Read`.
 */
export function toolRulesIn(value: JsonValue | undefined, report: (message: string) => void): readonly string[] {
  if (value === undefined || value === null) return Object.freeze([]);
  const texts = Array.isArray(value) ? value : [value];
  const rules: string[] = [];
  for (const text of texts) {
    if (typeof text !== "string") {
      report("allowed-tools holds something that is not a string; it is ignored");
      continue;
    }
    const found = Array.isArray(value) && !/\)\s*[, ]/.test(text) && /\(/.test(text) ? [text.trim()] : splitRules(text);
    for (const rule of found) {
      if (/^[A-Za-z_][\w.-]*(?:\*|\([\s\S]*\))?$/.test(rule)) rules.push(rule);
      else report(`${JSON.stringify(rule.slice(0, 80))} in allowed-tools is not a rule; it is ignored`);
    }
  }
  return Object.freeze([...new Set(rules)]);
}

function splitRules(text: string): string[] {
  const rules: string[] = [];
  let depth = 0;
  let rule = "";
  for (const character of text) {
    if (depth === 0 && /[\s,]/.test(character)) {
      if (rule !== "") rules.push(rule);
      rule = "";
      continue;
    }
    if (character === "(") depth++;
    if (character === ")" && depth > 0) depth--;
    rule += character;
  }
  if (rule !== "") rules.push(rule);
  return rules;
}
