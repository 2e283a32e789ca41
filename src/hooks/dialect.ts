// Claude Code's names for tools and their fields, so that hooks written for it read and write what they know.
import { resolve } from "node:path";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { PermissionUpdate } from "../contracts/permission.js";
import { isObject } from "../json/is-object.js";
import { textOrJson } from "../text/describe-value.js";
import { changeOf } from "./file-change.js";

interface ToolDialect {
  readonly name: string;
  /** Further names by which hooks may know the tool. */
  readonly alsoKnownAs?: readonly string[];
  /** Our field → theirs; a field that is not named keeps its name. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Our fields that hold a path; theirs are absolute. */
  readonly paths?: readonly string[];
}

const FILE = { path: "file_path" } as const;
const EDIT_FIELDS = { old_text: "old_string", new_text: "new_string" } as const;

const TOOLS: Readonly<Record<string, ToolDialect>> = {
  read_file: { name: "Read", fields: FILE, paths: ["path"] },
  write_file: { name: "Write", fields: FILE, paths: ["path"] },
  edit_file: { name: "Edit", alsoKnownAs: ["MultiEdit"], fields: { ...FILE, ...EDIT_FIELDS }, paths: ["path"] },
  bash: { name: "Bash", fields: { timeout_ms: "timeout" } },
  bash_output: { name: "BashOutput", fields: { task_id: "bash_id" } },
  bash_kill: { name: "KillShell", alsoKnownAs: ["KillBash", "TaskStop"], fields: { task_id: "shell_id" } },
  glob: { name: "Glob", paths: ["path"] },
  grep: { name: "Grep", paths: ["path"] },
  list_dir: { name: "LS", paths: ["path"] },
  todo_write: { name: "TodoWrite" },
  ask_user: { name: "AskUserQuestion" },
  web_fetch: { name: "WebFetch" },
  web_search: { name: "WebSearch" },
  task: { name: "Task", alsoKnownAs: ["Agent"] },
  skill: { name: "Skill" },
  tool_search: { name: "ToolSearch" },
  task_create: { name: "TaskCreate" },
  task_get: { name: "TaskGet" },
  task_list: { name: "TaskList" },
  task_update: { name: "TaskUpdate" },
};

/** Every name a matcher may know a tool by; first the tool's own, then Claude Code's. */
export function namesOfTool(tool: string): readonly string[] {
  const theirs = dialectOf(tool);
  return theirs ? [tool, theirs.name, ...(theirs.alsoKnownAs ?? [])] : [tool];
}

/** The tool's name in Claude Code; a tool it does not have keeps its own. */
export function theirToolName(tool: string): string {
  return dialectOf(tool)?.name ?? tool;
}

/** A call's input under Claude Code's field names, with absolute paths. */
export function theirInput(tool: string, input: JsonValue, root: string): JsonValue {
  const dialect = dialectOf(tool);
  if (!dialect || !isObject(input)) return input;
  const { fields = {}, paths = [] } = dialect;
  const mapped = Object.entries(input).map(([key, value]): [string, JsonValue] => [
    renamed(key, fields),
    paths.includes(key) && typeof value === "string" ? resolve(root, value) : withEdits(key, value, fields),
  ]);
  return { ...editsAsOne(input), ...Object.fromEntries(mapped) };
}

/** Claude Code's edit has one old and one new text: a guard that reads these is shown those of all edits. */
function editsAsOne({ edits }: JsonObject): JsonObject {
  if (!Array.isArray(edits)) return {};
  const joined = (name: string) =>
    edits.map((edit: JsonValue) => (isObject(edit) ? (edit[name] ?? "") : "")).join("\n");
  return { old_string: joined("old_text"), new_string: joined("new_text") };
}

/** The input that a hook wants, under our field names. */
export function ourInput(tool: string, input: JsonValue): JsonValue {
  const dialect = dialectOf(tool);
  if (!dialect?.fields || !isObject(input)) return input;
  const ours = Object.fromEntries(Object.entries(dialect.fields).map(([our, their]) => [their, our]));
  // Beside a list of edits these two only showed what it holds.
  const { old_string: _old, new_string: _new, ...rest } = input;
  return Object.fromEntries(
    Object.entries(Array.isArray(input.edits) ? rest : input).map(([key, value]) => [
      renamed(key, ours),
      withEdits(key, value, ours),
    ]),
  );
}

/** A call that succeeded, as our tools report it. */
interface AnsweredTool {
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly details: JsonValue | undefined;
  /** The directory that relative paths start from. */
  readonly root: string;
  /** The paths are of another machine. */
  readonly isElsewhere?: boolean | undefined;
}

/**
 * The result of a call in the shape that Claude Code's tool of that name has. Fields that it has and our tool does not
 * report are left out; `output` holds what the model reads.
 */
export function theirResponse(tool: string, { input, output, details, root, isElsewhere }: AnsweredTool): JsonValue {
  const given = isObject(input) ? input : {};
  const own = isObject(details) ? details : {};
  const filePath = typeof given.path === "string" ? resolve(root, given.path) : null;
  if (tool === "bash") return commandResponse(textOrJson(output), own);
  if (tool === "read_file" && filePath && typeof output === "string") return readResponse(filePath, output, given);
  if (tool === "write_file" && filePath) {
    const content = textOrJson(given.content ?? "");
    const isCreated = own.change === "created";
    return {
      type: isCreated ? "create" : "update",
      filePath,
      content,
      ...changeOf(isElsewhere ? null : filePath, own.diff, isCreated),
      success: true,
      output: textOrJson(output),
    };
  }
  if (tool === "edit_file" && filePath) {
    const {
      old_text: oldString = "",
      new_text: newString = "",
      replace_all: replaceAll = false,
    } = { ...ourEdits(given) };
    const change = changeOf(isElsewhere ? null : filePath, own.diff, false);
    const about = { filePath, oldString, newString, replaceAll, ...change };
    return { ...about, userModified: false, success: true, output: textOrJson(output) };
  }
  if (tool === "glob" && typeof output === "string") return listedResponse(output);
  return output;
}

function ourEdits(input: JsonObject): JsonObject {
  const { old_string, new_string } = editsAsOne(input);
  return { ...(old_string !== undefined && { old_text: old_string, new_text: new_string ?? "" }), ...input };
}

/** A tool that keeps both streams apart reports them in its details; otherwise all of its output is `stdout`. */
function commandResponse(output: string, { stdout, stderr, timedOut, taskId }: JsonObject): JsonObject {
  const isApart = typeof stdout === "string" && typeof stderr === "string";
  return {
    stdout: isApart ? stdout : output,
    stderr: isApart ? stderr : "",
    interrupted: timedOut === true,
    isImage: false,
    ...(typeof taskId === "string" && { backgroundTaskId: taskId }),
  };
}

/** Our pages number their lines and end with notes in brackets; theirs hold the text alone. */
function readResponse(filePath: string, output: string, { offset = 1 }: JsonObject): JsonObject {
  const numbered = output.split("\n").flatMap((line) => /^ *(\d+)\t(.*)$/s.exec(line)?.[2] ?? []);
  const content = numbered.length > 0 ? numbered.join("\n") : output;
  const total = /\bof ([\d,]+)(?:[.:\]]| lines)/.exec(output.slice(-400))?.[1]?.replaceAll(",", "");
  const startLine = Number(offset) || 1;
  const numLines = numbered.length || content.split("\n").length;
  const totalLines = total === undefined ? startLine - 1 + numLines : Number(total);
  return { type: "text", file: { filePath, content, numLines, startLine, totalLines } };
}

function listedResponse(output: string): JsonObject {
  const filenames = output.split("\n").filter((line) => line !== "" && !/^\[.*\]$/.test(line));
  const isNone = /^No file/i.test(output);
  const truncated = /\[The newest \d+ of/.test(output);
  return { filenames: isNone ? [] : filenames, numFiles: isNone ? 0 : filenames.length, truncated };
}

/** The text that a hook wants the model to read instead, whether it wrote a string or changed the response it was given. */
export function ourOutput(tool: string, response: JsonValue): string {
  if (!isObject(response)) return textOrJson(response);
  const { stdout, stderr, file, output } = response;
  if (tool === "bash" && typeof stdout === "string") {
    return typeof stderr === "string" && stderr !== "" ? `${stdout}\n${stderr}` : stdout;
  }
  if (tool === "read_file" && isObject(file) && typeof file.content === "string") return file.content;
  if ((tool === "write_file" || tool === "edit_file") && typeof output === "string") return output;
  return textOrJson(response);
}

function renamed(key: string, names: Readonly<Record<string, string>>): string {
  return Object.hasOwn(names, key) ? names[key]! : key;
}

/** The list `edits` of a multi-edit has fields of its own. */
function withEdits(key: string, value: JsonValue, fields: Readonly<Record<string, string>>): JsonValue {
  if (key !== "edits" || !Array.isArray(value)) return value;
  return value.map((edit: JsonValue) =>
    isObject(edit)
      ? Object.fromEntries(Object.entries(edit).map(([name, text]) => [renamed(name, fields), text]))
      : edit,
  );
}

function dialectOf(tool: string): ToolDialect | undefined {
  return Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
}

// ── rules in updates ─────────────────────────────────────────────────────────────────────────────────────────────────

/** Updates as a hook reads them: Claude Code writes a rule as an object, we write it as text. */
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
