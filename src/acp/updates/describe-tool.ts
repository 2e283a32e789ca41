// How one tool call looks in an editor: its title, its kind, the files it is about, and its content before it has run.
import { isAbsolute, resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import type { JsonValue } from "../../contracts/json.js";
import { clip } from "../../text/cut.js";

export interface ToolLook {
  readonly title: string;
  readonly kind: ToolKind;
  readonly locations: ToolCallLocation[];
  readonly content: ToolCallContent[];
}

type Fields = Readonly<Record<string, unknown>>;

const MAX_TITLE_CHARS = 200;

const KINDS: Readonly<Record<string, ToolKind>> = {
  read_file: "read",
  list_dir: "read",
  skill: "read",
  recall: "read",
  recall_facts: "read",
  write_file: "edit",
  edit_file: "edit",
  create_dir: "edit",
  glob: "search",
  grep: "search",
  tool_search: "search",
  bash: "execute",
  bash_output: "execute",
  bash_kill: "execute",
  web_fetch: "fetch",
  web_search: "fetch",
  todo_write: "think",
  task: "think",
};

const TITLES: Readonly<Record<string, (input: Fields) => string>> = {
  read_file: ({ path }) => `Read ${path}`,
  list_dir: ({ path = "." }) => `List ${path}`,
  write_file: ({ path }) => `Write ${path}`,
  edit_file: ({ path }) => `Edit ${path}`,
  create_dir: ({ path }) => `Create directory ${path}`,
  glob: ({ pattern, path }) => `Find ${pattern}${path === undefined ? "" : ` in ${path}`}`,
  grep: ({ pattern, path }) => `Search for ${JSON.stringify(pattern)}${path === undefined ? "" : ` in ${path}`}`,
  bash: ({ command }) => `\`${String(command).replaceAll("`", "'")}\``,
  bash_output: ({ task_id }) => `Read the output of ${task_id}`,
  bash_kill: ({ task_id }) => `Stop ${task_id}`,
  web_fetch: ({ url }) => `Fetch ${url}`,
  web_search: ({ query }) => `Search the web for ${JSON.stringify(query)}`,
  todo_write: () => "Update the plan",
  task: ({ description, subagent_type }) => `${subagent_type ?? "Sub-agent"}: ${description}`,
  ask_user: ({ question }) => String(question),
  skill: ({ name }) => `Use the skill ${name}`,
};

/** Tools whose `path` is a file that the editor can follow along. */
const ABOUT_PATHS = new Set(["read_file", "write_file", "edit_file", "list_dir", "create_dir", "glob", "grep"]);

/** `previous`: what a file holds that `write_file` is about to replace, if that is known. */
export function describeTool(name: string, input: JsonValue, cwd: string, previous: string | null = null): ToolLook {
  const fields = fieldsOf(input);
  return {
    title: titleOf(name, fields),
    kind: KINDS[name] ?? "other",
    locations: locationsOf(name, fields, cwd),
    content: contentOf(name, fields, cwd, previous),
  };
}

function titleOf(name: string, fields: Fields): string {
  const title = Object.keys(fields).length > 0 || name === "todo_write" ? TITLES[name]?.(fields) : undefined;
  return clip((title ?? name).replace(/\s+/g, " ").trim(), MAX_TITLE_CHARS);
}

function locationsOf(name: string, { path, offset }: Fields, cwd: string): ToolCallLocation[] {
  if (!ABOUT_PATHS.has(name) || typeof path !== "string" || path === "") return [];
  return [{ path: absolute(cwd, path), ...(typeof offset === "number" && offset >= 1 && { line: offset }) }];
}

function contentOf(name: string, fields: Fields, cwd: string, previous: string | null): ToolCallContent[] {
  const { path } = fields;
  if (typeof path !== "string") return [];
  const file = absolute(cwd, path);
  if (name === "write_file" && typeof fields.content === "string") {
    return [{ type: "diff", path: file, oldText: previous, newText: fields.content }];
  }
  if (name !== "edit_file") return [];
  const edits = Array.isArray(fields.edits) ? fields.edits.map(fieldsOf) : [fields];
  return edits.flatMap(({ old_text, new_text }): ToolCallContent[] =>
    typeof old_text === "string" && typeof new_text === "string"
      ? [{ type: "diff", path: file, oldText: old_text, newText: new_text }]
      : [],
  );
}

function absolute(cwd: string, path: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
