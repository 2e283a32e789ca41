// `.claude/settings.json` of the user, the project and the machine: read once, merged, and cut down to what is trusted.

import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { ConfigurationError } from "../contracts/errors.js";
import type { Hook, HookMap, HookPoint } from "../contracts/hook.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { PermissionMode, RuleSource } from "../contracts/permission.js";
import type { ProviderAdapter } from "../contracts/provider.js";
import type { BaseTool } from "../contracts/tool.js";
import {
  checkOptions,
  eitherOf,
  FLAG,
  FUNCTION,
  listOf,
  type OptionTable,
  optionOf,
  PATH,
  recordOf,
  TEXT,
  withMethods,
} from "../json/check-options.js";
import { BackgroundHooks } from "./background-hooks.js";
import type { McpToolCaller } from "./mcp-tool-hook.js";
import {
  isObject,
  type JsonPath,
  keyOf,
  printable,
  readSettingsFile,
  type SettingsFile,
  type SettingsProblem,
} from "./settings-file.js";
import { type HandlerContext, readHooks } from "./settings-hooks.js";
import { type ReadPermissions, readPermissions } from "./settings-permissions.js";
import { type SettingsWatch, type WatchSettingsOptions, watchSettings } from "./settings-watch.js";

export interface LoadSettingsOptions {
  /**
   * Whether the project's own settings may choose commands to run and calls to allow. Default: `false`: their hooks,
   * allow rules, mode, directories and variables are inert and listed in `untrusted`; their deny and ask rules count.
   *
   * A string is the `projectDigest` of settings that somebody has reviewed: they are trusted until they change.
   */
  readonly trustProject?: boolean | string | undefined;
  /** The user's directory, whose `.claude/settings.json` counts everywhere. Default: the home directory. `null`: none. */
  readonly home?: string | null | undefined;
  /** The model for handlers of type `prompt` and `agent`. */
  readonly provider?: ProviderAdapter | undefined;
  /** What handlers of type `agent` may use: only tools with permission `none` and `read_only` run. Default: no tools. */
  readonly tools?: readonly BaseTool[] | undefined;
  /** Calls a tool of a connected MCP server, for handlers of type `mcp_tool`; returns the text of its result. */
  readonly callTool?: McpToolCaller | undefined;
  /** Variables that hook commands get beside the few they inherit. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Where a session's transcript is kept as a file, for hooks that read it. */
  readonly transcriptPath?: ((sessionId: string) => string | undefined) | undefined;
  /**
   * Called with every wrong setting. With it nothing is refused: the rest is loaded, and a deny rule that cannot be read
   * makes every call of its tool ask.
   */
  readonly onProblem?: ((problem: SettingsProblem) => void) | undefined;
}

/** A setting that does not count. */
export interface InertSetting {
  readonly file: string;
  readonly line: number;
  readonly key: string;
  readonly why: string;
  readonly value: JsonValue;
}

export type SettingsSource = Extract<RuleSource, "user" | "project" | "local">;

/** The rules of one file, in the order of the file. */
export interface SettingsRules {
  readonly source: SettingsSource;
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** The file forbids the mode `bypassPermissions`. */
  readonly disableBypassPermissions?: boolean;
}

/** What settings files say, ready for an engine and a permission checker. */
export interface Settings {
  /** For the engine's option `hooks`. */
  readonly hooks: HookMap;
  /** For the checker's option `sources`. */
  readonly sources: readonly SettingsRules[];
  /** The strongest file's `permissions.defaultMode`. */
  readonly mode: PermissionMode | undefined;
  /** The model that the strongest trusted file names, as it is written there. Nothing here uses it. */
  readonly model: string | undefined;
  /** Whether a file forbids the mode `bypassPermissions`. */
  readonly bypassDisabled: boolean;
  /** Absolute directories that a trusted file adds. */
  readonly additionalDirectories: readonly string[];
  /** The files there were, weakest first. */
  readonly files: readonly string[];
  /** SHA-256 over the project's own files, in hexadecimal: for `trustProject`. */
  readonly projectDigest: string;
  /** What the project asks for and was not given. */
  readonly untrusted: readonly InertSetting[];
  /** What is valid in Claude Code and not done here. */
  readonly unsupported: readonly InertSetting[];
  readonly problems: readonly SettingsProblem[];
  /**
   * Watches the files, those too that do not exist yet: `ConfigChange` hooks run when the content of one changes, and
   * then `onChange` is called. Ends with its own `close` or that of the settings.
   */
  watch(options?: WatchSettingsOptions): SettingsWatch;
  /** Ends the hooks of type `async` that still run, and every watch. */
  close(): Promise<void>;
}

/** What the readers of a file's parts need. */
export interface SettingsReader {
  readonly file: SettingsFile;
  readonly source: SettingsSource;
  readonly dir: string;
  readonly isTrusted: boolean;
  /** A setting that is left out. */
  wrong(path: JsonPath, message: string): void;
  /** A setting that a trusted file must not have: without it the file would guard less than it says. */
  refuse(path: JsonPath, message: string): void;
  untrusted(path: JsonPath, value: JsonValue, why: string): void;
  unsupported(path: JsonPath, value: JsonValue, why: string): void;
}

const OPTIONS = {
  trustProject: eitherOf(FLAG, TEXT),
  home: optionOf((value) => value === null || PATH.accepts(value), "the path of a directory, or null"),
  provider: withMethods("stream"),
  env: recordOf(TEXT, "strings by name"),
  tools: listOf(withMethods("definition", "execute"), "tools"),
  callTool: FUNCTION,
  transcriptPath: FUNCTION,
  onProblem: FUNCTION,
} satisfies OptionTable<LoadSettingsOptions>;

/**
 * Reads Claude Code's settings for a project: the user's file, then the project's `.claude/settings.json`, then
 * `.claude/settings.local.json`. Hooks of all files run together; rules keep the source they came from.
 *
 * The files are read once. What changes in them later has no effect until they are loaded again; `watch` of the result
 * says when that is worth doing.
 *
 * A wrong setting is left out and listed in `problems`. A deny or ask rule that is not understood makes every call of its
 * tool ask. A hook that cannot run blocks at the points that guard, and is listed.
 *
 * @throws ConfigurationError `SETTINGS_INVALID` that names file, line and key, without `onProblem`: a trusted file that
 * cannot be read, or a malformed deny rule in one. An untrusted project never makes it throw.
 * @see https://code.claude.com/docs/en/settings (read 2026-11)
 */
export async function loadSettings(dir: string, options: LoadSettingsOptions = {}): Promise<Settings> {
  checkOptions("loadSettings()", options, OPTIONS);
  const root = resolve(dir);
  const found = new Findings(options.onProblem);
  const places = placesOf(root, options);
  const files = await openFiles(places, options, found);
  const projectDigest = digestOf(files);
  const { trustProject = false } = options;
  const isProjectTrusted = typeof trustProject === "string" ? trustProject === projectDigest : trustProject === true;
  const readers = files.map((file) => readerOf(file, root, isProjectTrusted, found));
  const background = new BackgroundHooks();
  const hooks: { [P in HookPoint]?: Hook[] } = {};
  const sources: SettingsRules[] = [];
  const permissions: ReadPermissions[] = [];
  for (const reader of readers) {
    const read = readPermissions(reader, permissions.at(-1)?.mode);
    permissions.push(read);
    const forbids = read.bypassDisabled && { disableBypassPermissions: true };
    sources.push({ source: reader.source, ...read.rules, ...forbids });
  }

  const context: HandlerContext = {
    dir: root,
    env: { ...mergedVariables(readers), ...options.env },
    background,
    provider: options.provider,
    tools: options.tools ?? [],
    callTool: options.callTool,
    transcriptPath: options.transcriptPath,
    seen: new Map(),
  };
  const areDisabled = readers.some(({ isTrusted, file }) => isTrusted && file.value.disableAllHooks === true);
  for (const reader of areDisabled ? [] : readers) {
    for (const [point, list] of readHooks(reader, context)) hooks[point] = [...(hooks[point] ?? []), ...list];
  }

  found.throwIfRefused();
  const watches = new Set<SettingsWatch>();
  return {
    hooks: hooks as HookMap,
    sources,
    mode: permissions.at(-1)?.mode,
    model: modelOf(readers),
    bypassDisabled: permissions.some(({ bypassDisabled }) => bypassDisabled),
    additionalDirectories: permissions.flatMap(({ directories }) => directories),
    files: readers.map(({ file }) => file.path),
    projectDigest,
    untrusted: found.untrusted,
    unsupported: found.unsupported,
    problems: found.problems,
    watch(watchOptions = {}) {
      const watch = watchSettings(places, hooks as HookMap, watchOptions);
      watches.add(watch);
      return watch;
    },
    async close() {
      await Promise.all([background.close(), ...[...watches].map((watch) => watch.close())]);
    },
  };
}

interface OpenedFile {
  readonly source: SettingsSource;
  readonly file: SettingsFile;
}

/** Where a settings file may be. */
export interface SettingsPlace {
  readonly source: SettingsSource;
  readonly path: string;
  /** The directory it must really be in. */
  readonly within?: string;
}

function placesOf(dir: string, { home = homedir() }: LoadSettingsOptions): SettingsPlace[] {
  const places: SettingsPlace[] = [
    { source: "project", path: join(dir, ".claude", "settings.json"), within: dir },
    { source: "local", path: join(dir, ".claude", "settings.local.json"), within: dir },
  ];
  // In the user's own directory the two are one file, and it is the user's.
  if (home !== null && resolve(home) === dir) places.shift();
  if (home !== null) places.unshift({ source: "user", path: join(resolve(home), ".claude", "settings.json") });
  return places;
}

async function openFiles(
  places: readonly SettingsPlace[],
  { trustProject }: LoadSettingsOptions,
  found: Findings,
): Promise<OpenedFile[]> {
  const opened: OpenedFile[] = [];
  for (const { source, path, within } of places) {
    const isTrusted = source === "user" || trustProject === true;
    const report = (problem: SettingsProblem) => found.problem(problem);
    // Which rules a file has that cannot be read, nobody knows.
    const refuse = isTrusted ? (problem: SettingsProblem) => found.refuse(problem) : report;
    const file = await readSettingsFile(path, { report, refuse }, within);
    if (file) opened.push({ source, file });
  }
  return opened;
}

function digestOf(files: readonly OpenedFile[]): string {
  const own = files.flatMap(({ source, file }) => (source === "user" ? [] : [[source, file.digest]]));
  return createHash("sha256").update(JSON.stringify(own)).digest("hex");
}

function readerOf(
  { source, file }: OpenedFile,
  dir: string,
  isProjectTrusted: boolean,
  found: Findings,
): SettingsReader {
  const at = (where: JsonPath) => ({ file: file.path, line: file.lineOf(where), key: keyOf(where) });
  const isTrusted = source === "user" || isProjectTrusted;
  return {
    file,
    source,
    dir,
    isTrusted,
    wrong: (where, message) => found.problem({ ...at(where), message }),
    refuse: (where, message) => found[isTrusted ? "refuse" : "problem"]({ ...at(where), message }),
    untrusted: (where, value, why) => found.untrusted.push({ ...at(where), value, why }),
    unsupported: (where, value, why) => found.unsupported.push({ ...at(where), value, why }),
  };
}

/** The strongest file's `model`. */
function modelOf(readers: readonly SettingsReader[]): string | undefined {
  let named: string | undefined;
  for (const reader of readers) {
    const { model } = reader.file.value;
    if (model === undefined) continue;
    if (typeof model !== "string" || model.trim() === "") reader.wrong(["model"], "must be the name of a model");
    else if (reader.isTrusted) named = model.trim();
    else reader.untrusted(["model"], model, "a model that a project asks for and that is not trusted");
  }
  return named;
}

/** The files' `env`, the strongest last. */
function mergedVariables(readers: readonly SettingsReader[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const reader of readers) {
    const { env } = reader.file.value;
    if (env === undefined) continue;
    if (!isObject(env)) {
      reader.wrong(["env"], "must be an object of strings");
    } else if (reader.isTrusted) {
      Object.assign(merged, checkedVariables(env, reader));
    } else {
      reader.untrusted(["env"], Object.keys(env), "variables of a project that is not trusted");
    }
  }
  return merged;
}

function checkedVariables(env: JsonObject, reader: SettingsReader): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === "string") checked[name] = value;
    else reader.wrong(["env", name], "must be a string");
  }
  return checked;
}

/** Beyond this many, more of them only say that a file is not a settings file. */
const MAX_SHOWN_PROBLEMS = 100;

/** What was found wrong or inert in all files. */
class Findings {
  readonly problems: SettingsProblem[] = [];
  readonly untrusted: InertSetting[] = [];
  readonly unsupported: InertSetting[] = [];
  readonly #refused: SettingsProblem[] = [];

  constructor(private readonly onProblem: LoadSettingsOptions["onProblem"]) {}

  problem(found: SettingsProblem): void {
    const problem = { ...found, message: printable(found.message) };
    this.problems.push(problem);
    this.onProblem?.(problem);
  }

  /** A problem that the host has to know before it starts. */
  refuse(found: SettingsProblem): void {
    this.#refused.push({ ...found, message: printable(found.message) });
    this.problem(found);
  }

  throwIfRefused(): void {
    if (this.#refused.length === 0 || this.onProblem) return;
    const shown = this.#refused.slice(0, MAX_SHOWN_PROBLEMS);
    const lines = shown.map(({ file, line, key, message }) => `${file}:${line}${key && `: ${key}`} ${message}`);
    const more = this.#refused.length - shown.length;
    if (more > 0) lines.push(`… and ${more} more`);
    throw new ConfigurationError("SETTINGS_INVALID", {
      message: `The settings cannot be used as they stand:\n${lines.join("\n")}\nFix them, or pass onProblem to load the rest.`,
      details: { problems: shown.map((problem) => ({ ...problem })) },
    });
  }
}
