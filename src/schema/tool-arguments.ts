/*
 * The arguments of a built-in tool. What its schema does not know is refused, since it would be dropped in silence: a
 * file would be overwritten for all its `append: true`.
 */
import { ToolError } from "../contracts/errors.js";
import type { JsonSchema, JsonValue } from "../contracts/json.js";
import { isObject } from "../json/is-object.js";
import { nearestNames } from "../text/nearest-names.js";
import { readAsMeant } from "./read-as-meant.js";

/** The names that tools elsewhere give to arguments which are called differently here. */
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
  const read = readAsMeant(args, schema);
  assertKnown(read, schema, { tool, path: "" });
  return read;
}

interface Place {
  readonly tool: string;
  /** As it is written behind the name of the tool: `edits[0]`. */
  readonly path: string;
}

function assertKnown(value: JsonValue, schema: JsonSchema, place: Place): void {
  const { items, properties } = schema;
  if (Array.isArray(value) && isObject(items)) {
    for (const [index, item] of value.entries()) {
      assertKnown(item, items, { ...place, path: `${place.path}[${index}]` });
    }
  }
  if (!isObject(value) || !isObject(properties)) return;
  for (const [name, item] of Object.entries(value)) {
    if (!Object.hasOwn(properties, name)) throw unknownArgument(name, Object.keys(properties), place);
    const path = place.path === "" ? name : `${place.path}.${name}`;
    assertKnown(item, properties[name] as JsonSchema, { ...place, path });
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
