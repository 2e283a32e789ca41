import { ConfigurationError } from "../contracts/errors.js";
import { canonicalName } from "./tool-names.js";

/** A rule taken apart: `Tool` or `Tool(content)`. */
export interface ParsedRule {
  /** As written. */
  readonly text: string;
  /** The tool's name as written; may hold `*`. */
  readonly tool: string;
  /** The name this library gives the tool, when it is a known one of either dialect; else `tool`. */
  readonly canonical: string;
  /** `null` for a rule about every call of the tool. */
  readonly content: string | null;
}

const MAX_RULE_CHARACTERS = 4_096;
const TOOL_NAME = /^[A-Za-z_*][\w*.-]{0,255}$/;

/**
 * Takes a rule apart. `Tool`, `Tool(*)` and `Tool(:*)` are the same; a parenthesis within the content may be escaped
 * with a backslash.
 *
 * @throws ConfigurationError `OPTION_INVALID` for what is not a rule
 */
export function parseRule(rule: string): ParsedRule {
  const problem = typeof rule === "string" ? problemOf(rule.trim()) : "a rule is a string";
  if (problem) throw malformed(rule, problem);
  const text = rule.trim();
  const open = text.indexOf("(");
  const tool = open < 0 ? text : text.slice(0, open).trimEnd();
  const written = open < 0 ? null : text.slice(open + 1, -1).trim();
  const isAll = written === null || written === "*" || written === ":*";
  const content = isAll ? null : written.replace(/\\([()])/g, "$1");
  return { text, tool, canonical: canonicalName(tool), content };
}

/** Writes a rule: the inverse of `parseRule`. */
export function formatRule(tool: string, content: string | null): string {
  return content === null ? tool : `${tool}(${content.replace(/[()]/g, "\\$&")})`;
}

/** The error for a rule that cannot be understood, or cannot mean anything. */
export function malformed(rule: unknown, problem: string): ConfigurationError {
  const shown = typeof rule === "string" ? `"${rule.slice(0, 200)}"` : JSON.stringify(rule);
  return new ConfigurationError("OPTION_INVALID", {
    message: `The permission rule ${shown} is malformed: ${problem}. Write "Tool" or "Tool(content)", for example "bash(git status)".`,
    details: { rule: String(rule) },
  });
}

function problemOf(text: string): string | null {
  if (text === "") return "it is empty";
  if (text.length > MAX_RULE_CHARACTERS) return `it is longer than ${MAX_RULE_CHARACTERS} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no rule means a control character
  if (/[\u0000-\u001f\u007f]/.test(text)) return "it holds a line break or another control character";
  const open = text.indexOf("(");
  const name = open < 0 ? text : text.slice(0, open).trimEnd();
  if (!TOOL_NAME.test(name)) return `"${name}" is not a tool name`;
  if (open < 0) return text.includes(")") ? 'it has a ")" and no "("' : null;
  if (!text.endsWith(")") || text.endsWith("\\)")) return 'its "(" is not closed at the end';
  return text.slice(open + 1, -1).trim() === "" ? "there is nothing between its parentheses" : null;
}
