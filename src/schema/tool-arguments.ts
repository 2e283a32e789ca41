/*
 * What a model sends as arguments, read for what it says: by the tool's own JSON Schema, before that is checked.
 *
 * A string is taken as a number, a boolean, an array or an object only where the schema wants one and the string is
 * exactly that; `null` for something that may be left out is left out. Nothing else is changed. What the schema does not
 * know is refused, since it would be dropped in silence: a file would be overwritten for all its `append: true`.
 */
import { ToolError } from "../contracts/errors.js";
import type { JsonObject, JsonSchema, JsonValue } from "../contracts/json.js";
import { nearestNames } from "../text/nearest-names.js";

/** How tools elsewhere name what is called differently here. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  path: ["file_path", "filepath", "filename", "file", "dir", "dir_path", "directory", "directory", "target_file"],
  old_text: ["old_string", "old_str", "search", "find", "original"],
  new_text: ["new_string", "new_str", "replace", "replacement", "updated"],
  content: ["contents", "file_text", "text", "data", "body"],
  replace_all: ["all", "replaceall", "global", "allow_multiple"],
  command: ["cmd", "script", "code"],
  timeout_ms: ["timeout", "timeoutms"],
  run_in_background: ["background", "is_background"],
  task_id: ["bash_id", "shell_id", "id"],
  pattern: ["query", "regex", "regexp", "glob_pattern"],
  glob: ["include", "file_pattern", "includes"],
  head_limit: ["limit", "max_results", "max_count"],
  limit: ["lines", "num_lines", "max_lines", "line_count"],
  offset: ["start", "start_line", "line"],
  "-i": ["ignore_case", "case_insensitive"],
  "-n": ["line_numbers"],
  "-C": ["context", "context_lines"],
  "-A": ["after", "after_context"],
  "-B": ["before", "before_context"],
  question: ["prompt", "message"],
  options: ["choices"],
  todos: ["items", "tasks", "plan"],
  url: ["uri", "link", "address"],
};

/**
 * The arguments as the schema means them.
 *
 * @throws ToolError `TOOL_INPUT_INVALID` for an argument the schema does not have, with the nearest one that it has
 */
export function readToolArguments(tool: string, schema: JsonSchema, args: JsonValue): JsonValue {
  return readValue(args, schema, { tool, path: "" });
}

interface Place {
  readonly tool: string;
  /** As it is written behind the name of the tool: `edits[0]`. */
  readonly path: string;
}

function readValue(sent: JsonValue, schema: JsonSchema, place: Place): JsonValue {
  const value = typeof sent === "string" ? readText(sent, schema.type) : sent;
  if (Array.isArray(value) && isSchema(schema.items)) {
    const { items } = schema;
    return value.map((item, index) => readValue(item, items, { ...place, path: `${place.path}[${index}]` }));
  }
  if (isObject(value) && isSchema(schema.properties)) return readObject(value, schema, place);
  return value;
}

function readObject(value: JsonObject, schema: JsonSchema, place: Place): JsonObject {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>>;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const read: Record<string, JsonValue> = {};
  for (const [name, item] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) throw unknownArgument(name, Object.keys(properties), place);
    // What may be left out is left out by providers that must name every argument as null.
    if (item === null && !required.includes(name)) continue;
    const path = place.path === "" ? name : `${place.path}.${name}`;
    read[name] = readValue(item, properties[name]!, { ...place, path });
  }
  return read;
}

function readText(text: string, type: unknown): JsonValue {
  if (type === "integer" || type === "number") {
    return /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(text) ? Number(text) : text;
  }
  if (type === "boolean") {
    const lower = text.trim().toLowerCase();
    return lower === "true" || (lower !== "false" && text);
  }
  if (type !== "array" && type !== "object") return text;
  const value = parsedOrNull(text);
  return (type === "array" ? Array.isArray(value) : isObject(value)) ? value : text;
}

function parsedOrNull(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unknownArgument(name: string, known: readonly string[], { tool, path }: Place): ToolError {
  const bare = name.toLowerCase().replaceAll("-", "_");
  const nearest = known.find((each) => ELSEWHERE[each]?.includes(bare)) ?? nearestNames(name, known, 1)[0];
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  const where = path === "" ? `Tool "${tool}" has` : `"${path}" of tool "${tool}" has`;
  const takes = known.length === 0 ? "It takes no arguments." : `It takes ${known.join(", ")}.`;
  const message = `${where} no argument ${JSON.stringify(name.slice(0, 100))}.${hint} ${takes} Nothing was done.`;
  return new ToolError("TOOL_INPUT_INVALID", {
    message,
    details: { argument: name, ...(nearest !== undefined && { didYouMean: nearest }) },
  });
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
