// The `permissions` of one settings file.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { PermissionMode } from "../contracts/permission.js";
import { compileRule, defaultFolders } from "../permissions/rules/rules.js";
import type { SettingsReader, SettingsRules } from "./settings.js";
import { isObject } from "./settings-file.js";

type Behavior = "allow" | "ask" | "deny";

export interface ReadPermissions {
  readonly rules: Omit<SettingsRules, "source">;
  /** With what the files before this one say. */
  readonly mode: PermissionMode | undefined;
  readonly bypassDisabled: boolean;
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
/** Of two that are equal neither is without what the other refuses. */
const STRICTNESS: Readonly<Record<PermissionMode, number>> = {
  bypassPermissions: 0,
  acceptEdits: 1,
  default: 2,
  plan: 3,
  dontAsk: 3,
};
const WHY = "a freedom that a project asks for and that is not trusted";
const KNOWN = new Set(["allow", "ask", "deny", "defaultMode", "additionalDirectories", "disableBypassPermissionsMode"]);

/** What does not count here is reported to the reader. `weaker`: the mode that the files before this one make. */
export function readPermissions(reader: SettingsReader, weaker: PermissionMode | undefined): ReadPermissions {
  const { permissions = {} } = reader.file.value;
  if (!isObject(permissions)) {
    reader.wrong(["permissions"], "must be an object");
    return { rules: { allow: [], ask: [], deny: [] }, mode: weaker, bypassDisabled: false, directories: [] };
  }
  for (const [key, value] of Object.entries(permissions)) {
    if (!KNOWN.has(key)) reader.unsupported(["permissions", key], value, "is not read here");
  }
  const allow = texts(permissions, "allow", reader);
  for (const [at, rule] of reader.isTrusted ? [] : allow.entries()) {
    reader.untrusted(["permissions", "allow", at], rule, WHY);
  }
  const disable = permissions.disableBypassPermissionsMode;
  return {
    rules: {
      allow: reader.isTrusted ? allow : [],
      ask: texts(permissions, "ask", reader),
      deny: texts(permissions, "deny", reader),
    },
    mode: modeOf(permissions, reader, weaker),
    bypassDisabled: disable === "disable" || disable === true,
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
  const folders = texts(permissions, "additionalDirectories", reader);
  if (reader.isTrusted) {
    return folders.map((folder) =>
      folder === "~" || folder.startsWith("~/") ? join(homedir(), folder.slice(1)) : resolve(reader.dir, folder),
    );
  }
  for (const [at, folder] of folders.entries()) {
    reader.untrusted(["permissions", "additionalDirectories", at], folder, WHY);
  }
  return [];
}

/** The texts of a list. What is no text is reported: a rule that is dropped in silence would guard nothing. */
function texts(permissions: JsonObject, key: Behavior | "additionalDirectories", reader: SettingsReader): string[] {
  const list: JsonValue = permissions[key] ?? [];
  if (!Array.isArray(list)) {
    reader.wrong(["permissions", key], "must be a list of texts");
    return [];
  }
  return list.flatMap((item: JsonValue, at) => {
    const problem = key === "additionalDirectories" ? textProblem(item) : ruleProblem(item, key, reader);
    if (problem === null) return [item as string];
    reader.wrong(["permissions", key, at], problem);
    return [];
  });
}

function textProblem(item: JsonValue): string | null {
  return typeof item === "string" && item.trim() !== "" ? null : "must be a text that is not empty";
}

/** What the checker would refuse: it has to be said here, where file and line are known. */
function ruleProblem(item: JsonValue, behavior: Behavior, { dir, source }: SettingsReader): string | null {
  if (textProblem(item) !== null) return textProblem(item);
  try {
    compileRule({ rule: item as string, behavior, source }, defaultFolders(dir));
    return null;
  } catch (error) {
    return `is no permission rule: ${(error as Error).message}`;
  }
}
