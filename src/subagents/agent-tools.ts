// The tools an agent file names, in our words. What is not understood is left out and reported: never "all".
import type { JsonValue } from "../contracts/json.js";
import { parseRule } from "../rules/parse-rule.js";
import { findKnownTool } from "../rules/tool-names.js";

/** The tools of a file; `null` means all of the parent's. */
export type ToolNames = readonly string[] | null;

type Report = (message: string) => void;

/** An item of a list of tools. */
interface NamedTool {
  readonly written: string;
  /** Our name. */
  readonly name: string;
  /** Only calls of this kind, as `git *`. */
  readonly content: string | null;
}

/** Names of other programs' tools that have no counterpart, so that leaving them out takes nothing away. */
const ELSEWHERE = new Set(["exitplanmode", "enterplanmode", "notebookread", "killbash", "lsp", "toolsearch"]);

/** `own`: names that the host's tools have. */
export function readAllowedTools(value: JsonValue, own: ReadonlySet<string>, report: Report): ToolNames {
  const items = itemsOf(value, report);
  if (items.length === 1 && /^(\*|all|inherit)$/i.test(items[0]!)) return null;
  const names = items.flatMap((item) => {
    const tool = namedTool(item, report);
    if (!tool) return [];
    if (!isThere(tool, own)) {
      report(`there is no tool ${quoted(tool.written)}, so it was left out`);
      return [];
    }
    if (tool.content === null) return [own.has(tool.written) ? tool.written : tool.name];
    // To give the whole tool would be more than the file asks for.
    report(
      `${quoted(tool.written)} asks for some calls of a tool, which a list of tools cannot give, so it was left out; name ${quoted(tool.name)} and allow these calls by a permission rule`,
    );
    return [];
  });
  return [...new Set(names)];
}

export function readDisallowedTools(value: JsonValue, report: Report): readonly string[] {
  const names = itemsOf(value, report).flatMap((item) => {
    const tool = namedTool(item, report);
    if (!tool) return [];
    if (tool.content !== null) {
      report(`${quoted(tool.written)} forbids some calls of a tool, so the whole tool was taken away`);
    }
    return [tool.name];
  });
  return [...new Set(names)];
}

/** Comma text, a list, or lines; anything else is not a tool at all. */
function itemsOf(value: JsonValue, report: Report): string[] {
  if (value === null || value === "") {
    report("it is empty, which means no tools; leave the field out for all of them");
    return [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => itemOf(item, report));
  if (typeof value === "string") return splitNames(value);
  report("it is neither a list nor comma-separated names, so there are no tools");
  return [];
}

function itemOf(item: JsonValue, report: Report): string[] {
  if (typeof item === "string") return splitNames(item);
  // `- Bash(git: *)` is a mapping to YAML.
  report(`${JSON.stringify(item)?.slice(0, 80)} is not the name of a tool, so it was left out; put it in quotes`);
  return [];
}

/** Commas and line breaks part names, but not inside parentheses; without either, spaces do. */
function splitNames(text: string): string[] {
  const unwrapped = text.trim().replace(/^\[([\s\S]*)\]$/, "$1");
  const parts = unwrapped.split(/[,\n](?![^(]*\))/).map((part) => part.trim().replace(/^[-*]\s+/, ""));
  const items = parts.length === 1 ? (parts[0]!.match(/[^\s(]+(\([^)]*\))?/g) ?? []) : parts;
  return items.map((item) => item.replace(/^(["'`])(.*)\1$/, "$2").trim()).filter((item) => item !== "");
}

function namedTool(written: string, report: Report): NamedTool | null {
  try {
    const { canonical, content } = parseRule(written);
    return { written, name: canonical, content };
  } catch {
    report(`${quoted(written)} is not the name of a tool, so it was left out`);
    return null;
  }
}

/** Tools of servers may come later; they are recognised by their names. */
function isThere({ name, written }: NamedTool, own: ReadonlySet<string>): boolean {
  if (own.has(written)) return true;
  if (ELSEWHERE.has(written.toLowerCase())) return false;
  return findKnownTool(name) !== undefined || name.startsWith("mcp__");
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
