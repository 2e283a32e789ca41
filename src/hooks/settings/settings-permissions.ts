// The `permissions` of one settings file.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { PermissionMode } from "../../contracts/permission.js";
import { isObject } from "../../json/is-object.js";
import { compileRule, defaultDirectories } from "../../permissions/rules/rules.js";
import { parseRule } from "../../rules/parse-rule.js";
import type { JsonPath } from "./settings-file.js";
import { flagOf } from "./settings-keys.js";
import type { SettingsReader, SettingsSource } from "./settings-reader.js";

type Behavior = "allow" | "ask" | "deny";

/** The rules of one file, in the order of the file. */
export interface SettingsRules {
  readonly source: SettingsSource;
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** The file forbids the mode `bypassPermissions`. */
  readonly disableBypassPermissions?: boolean;
  /** The file forbids the approvals of a classifier. */
  readonly disableClassifier?: boolean;
  /** The file lets nothing outside the working directories be read. */
  readonly blockReadsOutside?: boolean;
  /** The file lets nothing outside the working directories be written. */
  readonly blockWritesOutside?: boolean;
}

export interface ReadPermissions {
  readonly rules: Omit<SettingsRules, "source">;
  /** With what the files before this one say. */
  readonly mode: PermissionMode | undefined;
  readonly bypassDisabled: boolean;
  /** The file forbids a classifier's approvals. */
  readonly autoDisabled: boolean;
  readonly readsBlocked: boolean;
  readonly writesBlocked: boolean;
  readonly directories: readonly string[];
}

const MODES: Readonly<Record<string, PermissionMode>> = {
  default: "default",
  manual: "default",
  acceptEdits: "acceptEdits",
  plan: "plan",
  dontAsk: "dontAsk",
  bypassPermissions: "bypassPermissions",
};
/** The strictness of modes; two equal ones each refuse something that the other does not. */
const STRICTNESS: Readonly<Record<PermissionMode, number>> = {
  bypassPermissions: 0,
  acceptEdits: 1,
  default: 2,
  plan: 3,
  dontAsk: 3,
};
const NOTHING: Omit<ReadPermissions, "mode"> = {
  rules: { allow: [], ask: [], deny: [] },
  bypassDisabled: false,
  autoDisabled: false,
  readsBlocked: false,
  writesBlocked: false,
  directories: [],
};
const WHY = "a permission that the project asks for, and the project is not trusted";

/** A setting that does not count here is reported to the reader. `weaker`: the mode that the files before this one make. */
export function readPermissions(reader: SettingsReader, weaker: PermissionMode | undefined): ReadPermissions {
  const { permissions = {} } = reader.file.value;
  if (!isObject(permissions)) {
    reader.restrict(["permissions"], "must be an object", false);
    return { ...NOTHING, mode: weaker };
  }
  const allow = readRules(permissions, "allow", reader).rules;
  const ask = readRules(permissions, "ask", reader);
  const deny = readRules(permissions, "deny", reader);
  for (const [at, rule] of reader.isTrusted ? [] : allow.entries()) {
    reader.untrusted(["permissions", "allow", at], rule, WHY);
  }
  const isDisabled = (value: JsonValue | undefined, at: JsonPath) => {
    if (value === "disable" || value === true) return true;
    if (value !== undefined && value !== false && value !== null) reader.restrict(at, 'must be "disable"', false);
    return false;
  };
  return {
    rules: {
      allow: reader.isTrusted ? allow : [],
      ask: [...ask.rules, ...ask.askedInstead, ...deny.askedInstead],
      deny: deny.rules,
    },
    mode: modeOf(permissions, reader, weaker),
    bypassDisabled: isDisabled(permissions.disableBypassPermissionsMode, [
      "permissions",
      "disableBypassPermissionsMode",
    ]),
    autoDisabled: [
      isDisabled(permissions.disableAutoMode, ["permissions", "disableAutoMode"]),
      isDisabled(reader.file.value.disableAutoMode, ["disableAutoMode"]),
    ].includes(true),
    readsBlocked: flagOf(reader, "permissions.blockReadsOutsideWorkingDirectories") === true,
    writesBlocked: flagOf(reader, "permissions.blockWritesOutsideWorkingDirectories") === true,
    directories: directoriesOf(permissions, reader),
  };
}

/** A file that is not trusted may make the agent stricter than the trusted ones do, and no freer. */
function modeOf(
  { defaultMode }: JsonObject,
  reader: SettingsReader,
  weaker: PermissionMode | undefined,
): PermissionMode | undefined {
  const at = ["permissions", "defaultMode"];
  if (defaultMode === undefined) return weaker;
  if (defaultMode === "auto") {
    reader.unsupported(at, defaultMode, "needs a classifier: give the checker one; the mode stays as it is");
    return weaker;
  }
  const mode = typeof defaultMode === "string" && Object.hasOwn(MODES, defaultMode) ? MODES[defaultMode] : undefined;
  if (!mode) {
    reader.wrong(at, `must be one of ${Object.keys(MODES).join(", ")}`);
    return weaker;
  }
  const now = weaker ?? "default";
  if (reader.isTrusted || STRICTNESS[mode] > STRICTNESS[now]) return mode;
  if (mode !== now) reader.untrusted(at, mode, WHY);
  return weaker;
}

function directoriesOf(permissions: JsonObject, reader: SettingsReader): string[] {
  const directories = itemsOf(permissions, "additionalDirectories", reader).flatMap(({ item, at }) => {
    if (isFilled(item)) return [item];
    reader.wrong(at, "must be a string that is not empty");
    return [];
  });
  if (reader.isTrusted) {
    return directories.map((directory) =>
      directory === "~" || directory.startsWith("~/")
        ? join(homedir(), directory.slice(1))
        : resolve(reader.dir, directory),
    );
  }
  for (const [at, directory] of directories.entries()) {
    reader.untrusted(["permissions", "additionalDirectories", at], directory, WHY);
  }
  return [];
}

interface ReadRules {
  readonly rules: string[];
  /** Tools whose every call asks, since a rule that was to restrict them is not understood. */
  readonly askedInstead: string[];
}

/** The rules of a list. One that cannot be understood allows nothing, and restricts its whole tool. */
function readRules(permissions: JsonObject, behavior: Behavior, reader: SettingsReader): ReadRules {
  const read: ReadRules = { rules: [], askedInstead: [] };
  for (const { item, at } of itemsOf(permissions, behavior, reader)) {
    const problem = ruleProblem(item, behavior, reader);
    if (problem === null) {
      read.rules.push(item as string);
      continue;
    }
    const tool = behavior === "allow" ? undefined : toolIn(item);
    if (tool !== undefined) read.askedInstead.push(tool);
    const instead = tool === undefined ? "" : `; until it is fixed every call of "${tool}" asks`;
    const isRefused = behavior === "deny" && !problem.isForm;
    const isLost = behavior !== "allow" && tool === undefined;
    if (isLost) reader.restrict(at, problem.text, isRefused && reader.isTrusted);
    else reader[isRefused ? "refuse" : "wrong"](at, `${problem.text}${instead}`);
  }
  return read;
}

interface Item {
  readonly item: JsonValue;
  readonly at: JsonPath;
}

/** A list that holds one thing is often written without its brackets. */
function itemsOf(permissions: JsonObject, key: Behavior | "additionalDirectories", reader: SettingsReader): Item[] {
  const list: JsonValue = permissions[key] ?? [];
  const path: JsonPath = ["permissions", key];
  if (Array.isArray(list)) return list.map((item: JsonValue, at) => ({ item, at: [...path, at] }));
  if (typeof list === "string") {
    reader.wrong(path, "must be a list of strings; the one string was read as a list of one");
    return [{ item: list, at: path }];
  }
  const message = "must be a list of strings";
  if (key === "deny" || key === "ask") reader.restrict(path, message, key === "deny" && reader.isTrusted);
  else reader.wrong(path, message);
  return [];
}

interface RuleProblem {
  readonly text: string;
  /** The rule is well formed, and means something that is not known here. */
  readonly isForm: boolean;
}

/** A rule that the checker would refuse is reported here, where file and line are known. */
function ruleProblem(item: JsonValue, behavior: Behavior, { dir, source }: SettingsReader): RuleProblem | null {
  if (!isFilled(item)) return { text: "must be a string that is not empty", isForm: false };
  let parameter: string | null;
  try {
    parameter = parameterIn(item);
    if (parameter === null) compileRule({ rule: item, behavior, source }, defaultDirectories(dir));
  } catch (error) {
    return { text: `is not a permission rule: ${(error as Error).message}`, isForm: false };
  }
  if (parameter === null) return null;
  return {
    text: `is not understood: rules about the parameter "${parameter}" of a tool are not read here`,
    isForm: true,
  };
}

/** Inputs of Claude Code's tools. A rule may name one, as `Agent(model:opus)`; nothing here compares it. */
const PARAMETERS = new Set(
  [
    "command timeout description run_in_background dangerouslyDisableSandbox file_path path offset limit pages content",
    "old_string new_string replace_all edits pattern glob output_mode type head_limit multiline url prompt query model",
    "effort subagent_type isolation mode name team_name skill args todos task_id shell_id bash_id questions plan",
    "notebook_path cell_id new_source edit_mode allowed_domains blocked_domains max_turns resume tool_input tool_name",
  ]
    .join(" ")
    .split(" "),
);

function parameterIn(rule: string): string | null {
  const { content } = parseRule(rule);
  const [, parameter, value] = /^(\w+)\s*:\s*(.*)$/s.exec(content ?? "") ?? [];
  // `Bash(name:*)` is about the program "name".
  const isPrefix = value === "*" && parseRule(rule).canonical === "bash";
  return parameter !== undefined && PARAMETERS.has(parameter) && !isPrefix ? parameter : null;
}

/** The tool that a rule is about, also of one that is malformed. */
function toolIn(item: JsonValue): string | undefined {
  return typeof item === "string" ? /^\s*([A-Za-z_][\w.-]{0,255})/.exec(item)?.[1] : undefined;
}

function isFilled(item: JsonValue): item is string {
  return typeof item === "string" && item.trim() !== "";
}
