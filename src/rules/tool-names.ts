import type { ToolPermission } from "../contracts/permission.js";

/** The text that the content of a rule is compared with: the part of a tool's input that says what it acts on. */
export type RuleSubject = "command" | "path" | "url" | "name" | "values";

/** A tool whose input the checker can read. */
export interface KnownTool {
  /** The name this library gives it. */
  readonly name: string;
  readonly subject: RuleSubject;
  /** Its possible effect, for a request that gives the tool's name alone. */
  readonly permission: ToolPermission;
  /** The access of a tool with paths to them. */
  readonly access?: "read" | "write";
  /** The name in Claude Code's settings, and older ones. */
  readonly alsoKnownAs: readonly string[];
}

/** @see https://docs.claude.com/en/docs/claude-code/settings the names in the other dialect (read 2026-11) */
const TOOLS: readonly KnownTool[] = [
  { name: "bash", subject: "command", permission: "execute", alsoKnownAs: [] },
  read("read_file", "Read", "NotebookRead"),
  read("glob", "Glob"),
  read("grep", "Grep"),
  read("list_dir", "LS"),
  write("edit_file", "Edit", "MultiEdit", "NotebookEdit"),
  write("write_file", "Write"),
  write("create_dir"),
  { name: "web_fetch", subject: "url", permission: "execute", alsoKnownAs: ["WebFetch"] },
  { name: "web_search", subject: "values", permission: "execute", alsoKnownAs: ["WebSearch"] },
  { name: "task", subject: "name", permission: "none", alsoKnownAs: ["Task", "Agent"] },
  { name: "skill", subject: "name", permission: "none", alsoKnownAs: ["Skill"] },
  own("todo_write", "TodoWrite"),
  own("ask_user", "AskUserQuestion"),
  own("bash_output", "BashOutput", "TaskOutput"),
  own("bash_kill", "KillShell", "KillBash", "TaskStop"),
];

/** A rule for the first also speaks for the others: they do the same to the same files. */
const COVERS: Readonly<Record<string, readonly string[]>> = {
  read_file: ["read_file", "glob", "grep", "list_dir"],
  edit_file: ["edit_file", "write_file", "create_dir"],
};

const byName = new Map(
  TOOLS.flatMap((tool) => [tool.name, ...tool.alsoKnownAs].map((name) => [name.toLowerCase(), tool] as const)),
);

/** The tool a name of either dialect represents, in any letter case. */
export function findKnownTool(name: string): KnownTool | undefined {
  return byName.get(name.toLowerCase());
}

/** One name for a tool in both dialects; the name itself when it is not a known one. */
export function canonicalName(name: string): string {
  return findKnownTool(name)?.name ?? name;
}

/** The tools, by canonical name, that a rule for `canonical` speaks about. */
export function coveredTools(canonical: string): readonly string[] {
  return Object.hasOwn(COVERS, canonical) ? COVERS[canonical]! : [canonical];
}

function read(name: string, ...alsoKnownAs: string[]): KnownTool {
  return { name, subject: "path", permission: "read_only", access: "read", alsoKnownAs };
}

function write(name: string, ...alsoKnownAs: string[]): KnownTool {
  return { name, subject: "path", permission: "read_write", access: "write", alsoKnownAs };
}

function own(name: string, ...alsoKnownAs: string[]): KnownTool {
  return { name, subject: "values", permission: "none", alsoKnownAs };
}
