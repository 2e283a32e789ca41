// `.claude/settings.json` of the user, the project and the machine: read once, merged, and cut down to what is trusted.

import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Hook, HookMap, HookPoint } from "../../contracts/hook.js";
import type { PermissionMode } from "../../contracts/permission.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { StartProgram } from "../../contracts/workspace-machine.js";
import type { ProjectFiles } from "../../files/project-files.js";
import { diskFiles, PROJECT_FILES } from "../../files/project-files.js";
import { sha256 } from "../../files/sha256.js";
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
} from "../../json/check-options.js";
import type { FlowOptions } from "../../permissions/flow/flow-options.js";
import { BackgroundHooks } from "../background-hooks.js";
import type { McpToolCaller } from "../mcp-tool-hook.js";
import { PLUGIN_HOOKS, type PluginHooks, readPluginHooks } from "./plugin-hooks.js";
import type { SettingsProblem } from "./settings-file.js";
import { readFlow } from "./settings-flow.js";
import { type HandlerContext, readHooks } from "./settings-hooks.js";
import { checkKeys, flagOf } from "./settings-keys.js";
import { type ReadPermissions, readPermissions, type SettingsRules } from "./settings-permissions.js";
import { openSettings, settingsPlaces } from "./settings-places.js";
import { type InertSetting, isUsersOrManaged, type OpenedFile, readerOf, SettingsFindings } from "./settings-reader.js";
import {
  httpLimitsOf,
  isOnInManaged,
  isSandboxed,
  type Restrictions,
  readRestrictions,
} from "./settings-restrictions.js";
import { mergedVariables, modelOf } from "./settings-variables.js";
import { type SettingsWatch, type WatchSettingsOptions, watchSettings } from "./settings-watch.js";

/** Options of `loadSettings()`. */
export interface LoadSettingsOptions {
  /**
   * Whether the project's own settings may choose commands to run and calls to allow. Default: `false`: their hooks,
   * allow rules, mode, directories and variables are inert and listed in `untrusted`; their deny and ask rules count.
   *
   * A string is the `projectDigest` of settings that somebody has reviewed: they are trusted until they change.
   */
  readonly trustProject?: boolean | string | undefined;
  /**
   * The place of the project's own files, such as `projectFiles(workspace)`. Those that are not on this machine's disk are never
   * trusted and not watched, and hooks of the other files run in the user's directory. Default: on this machine's disk.
   */
  readonly files?: ProjectFiles | undefined;
  /** The user's directory, whose `.claude/settings.json` counts everywhere. Default: the home directory. `null`: none. */
  readonly home?: string | null | undefined;
  /**
   * The machine's directory of managed settings: `managed-settings.json`, then the files of `managed-settings.d`. They are trusted and
   * the strongest. Default: Claude Code's, `/etc/claude-code` on Linux. `null`: none.
   */
  readonly managed?: string | null | undefined;
  /** The model for handlers of type `prompt` and `agent`. */
  readonly provider?: ProviderAdapter | undefined;
  /** The tools of handlers of type `agent`: only tools with permission `none` and `read_only` run. Default: no tools. */
  readonly tools?: readonly BaseTool[] | undefined;
  /** Calls a tool of a connected MCP server, for handlers of type `mcp_tool`; returns the text of its result. */
  readonly callTool?: McpToolCaller | undefined;
  /** Variables that hook commands get beside the few they inherit. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * Starts the command hooks of a project that is not on this machine's disk: there, as `startProgram` of its workspace does. What they
   * say may forbid and inform, and neither allows nor changes anything. Default: they are in `untrusted`.
   */
  readonly startProgram?: StartProgram | undefined;
  /** The place of a session's transcript as a file, for hooks that read it. */
  readonly transcriptPath?: ((sessionId: string) => string | undefined) | undefined;
  /** The name that somebody has given a session: `session_title` of trusted hooks. Default: sessions have none. */
  readonly sessionTitle?: ((sessionId: string) => string | undefined) | undefined;
  /** Hooks of plugins that the user trusts: they run beside those of the user's file. Default: none. */
  readonly plugins?: readonly PluginHooks[] | undefined;
  /**
   * Called with every wrong setting. With it nothing is refused: the rest is loaded, and a deny rule that cannot be read
   * makes every call of its tool ask.
   */
  readonly onProblem?: ((problem: SettingsProblem) => void) | undefined;
}

/** Settings files as read, ready for an engine and a permission checker. */
export interface Settings {
  /** For the engine's option `hooks`. */
  readonly hooks: HookMap;
  /** For the checker's option `sources`. */
  readonly sources: readonly SettingsRules[];
  /** For the checker's option `flow`: what all files say together. Absent: none has it. */
  readonly flow?: FlowOptions | undefined;
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
  /** The project's requests that were not granted. */
  readonly untrusted: readonly InertSetting[];
  /** The settings that are valid in Claude Code and not done here. */
  readonly unsupported: readonly InertSetting[];
  /** The settings without effect here, and without which nothing more is allowed: the comfort of another program. */
  readonly ignored: readonly InertSetting[];
  /** The settings that could not be used, and why; every key that is not known is here. */
  readonly problems: readonly SettingsProblem[];
  /** The bans of the files beside hooks and rules. The presets enforce it; in an agent of your own it is yours to enforce. */
  readonly restrictions: Restrictions;
  /**
   * Restrictions of any file, trusted or not, that nothing enforces as they stand, and files that cannot be read. They are
   * in `problems`, too. No preset opens an agent with one of them, and an agent of your own should not open, either.
   */
  readonly unenforced: readonly SettingsProblem[];
  /**
   * Watches the files, those too that do not exist yet: `ConfigChange` hooks run when the content of one changes, and
   * then `onChange` is called. Ends with its own `close` or that of the settings.
   */
  watch(options?: WatchSettingsOptions): SettingsWatch;
  /** Ends the hooks of type `async` that still run, and every watch. */
  close(): Promise<void>;
}

const OPTIONS = {
  trustProject: eitherOf(FLAG, TEXT),
  files: PROJECT_FILES,
  home: optionOf((value) => value === null || PATH.accepts(value), "the path of a directory, or null"),
  managed: optionOf((value) => value === null || PATH.accepts(value), "the path of a directory, or null"),
  provider: withMethods("stream"),
  startProgram: FUNCTION,
  env: recordOf(TEXT, "strings by name"),
  tools: listOf(withMethods("definition", "execute"), "tools"),
  callTool: FUNCTION,
  transcriptPath: FUNCTION,
  sessionTitle: FUNCTION,
  plugins: PLUGIN_HOOKS,
  onProblem: FUNCTION,
} satisfies OptionTable<LoadSettingsOptions>;

/**
 * Reads Claude Code's settings for a project: the user's file, then the project's `.claude/settings.json`, then
 * `.claude/settings.local.json`, then the machine's managed settings. Hooks of all files run together; rules keep the source they
 * came from. A restriction counts in every file, and no file takes back what another one forbids.
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
  const { files: projectFiles = diskFiles } = options;
  const root = projectFiles.onDisk ? resolve(dir) : dir;
  const found = new SettingsFindings(options.onProblem);
  const places = await settingsPlaces(root, projectFiles, options);
  // Nobody on this machine has chosen what stands in another machine's files.
  const { trustProject = false } = projectFiles.onDisk ? options : {};
  const files = await openSettings(places, trustProject === true, found);
  const projectDigest = digestOf(files);
  const isProjectTrusted = typeof trustProject === "string" ? trustProject === projectDigest : trustProject;
  const readers = files.map((file) => readerOf(file, root, isProjectTrusted, found));
  const background = new BackgroundHooks();
  const hooks: { [P in HookPoint]?: Hook[] } = {};
  const sources: SettingsRules[] = [];
  const permissions: ReadPermissions[] = [];
  for (const reader of readers) {
    const read = readPermissions(reader, permissions.at(-1)?.mode);
    permissions.push(read);
    const forbids = {
      ...(read.bypassDisabled && { disableBypassPermissions: true }),
      ...(read.autoDisabled && { disableClassifier: true }),
      ...(read.readsBlocked && { blockReadsOutside: true }),
      ...(read.writesBlocked && { blockWritesOutside: true }),
    };
    sources.push({ source: reader.source, ...read.rules, ...forbids });
  }
  for (const reader of readers) checkKeys(reader, isSandboxed(readers));
  const restrictions = readRestrictions(readers);

  const context: HandlerContext = {
    dir: root,
    ...(!projectFiles.onDisk && { hostDirectory: resolve(options.home ?? homedir()) }),
    env: { ...mergedVariables(readers), ...options.env },
    background,
    start: projectFiles.onDisk ? undefined : options.startProgram,
    provider: options.provider,
    tools: options.tools ?? [],
    callTool: options.callTool,
    transcriptPath: options.transcriptPath,
    sessionTitle: options.sessionTitle,
    seen: new Map(),
    ...httpLimitsOf(readers),
  };
  const areDisabled = readers.some((reader) => reader.isTrusted && flagOf(reader, "disableAllHooks") === true);
  const isManaged = isOnInManaged(readers, "allowManagedHooksOnly");
  const running = isManaged ? readers.filter(({ source }) => source === "policy") : readers;
  const add = (read: readonly [HookPoint, Hook[]][]) => {
    for (const [point, list] of read) hooks[point] = [...(hooks[point] ?? []), ...list];
  };
  for (const reader of areDisabled ? [] : running) add(readHooks(reader, context));
  for (const each of areDisabled || isManaged ? [] : (options.plugins ?? [])) {
    add(await readPluginHooks(each, true, found, context));
  }

  found.throwIfRefused();
  const watches = new Set<SettingsWatch>();
  return {
    hooks: hooks as HookMap,
    sources: restrictions.onlyManagedAllowRules ? sources.map(withoutOwnAllow) : sources,
    flow: readFlow(readers),
    mode: permissions.at(-1)?.mode,
    model: modelOf(readers),
    bypassDisabled: permissions.some(({ bypassDisabled }) => bypassDisabled),
    additionalDirectories: permissions.flatMap(({ directories }) => directories),
    files: readers.map(({ file }) => file.path),
    projectDigest,
    untrusted: found.untrusted,
    unsupported: found.unsupported,
    ignored: found.ignored,
    problems: found.problems,
    restrictions,
    unenforced: found.unenforced,
    watch(watchOptions = {}) {
      const onDisk = places.filter(({ files }) => files.onDisk);
      const watch = watchSettings(onDisk, hooks as HookMap, watchOptions);
      watches.add(watch);
      return watch;
    },
    async close() {
      await Promise.all([background.close(), ...[...watches].map((watch) => watch.close())]);
    },
  };
}

function withoutOwnAllow(rules: SettingsRules): SettingsRules {
  return rules.source === "policy" ? rules : { ...rules, allow: [] };
}

function digestOf(files: readonly OpenedFile[]): string {
  const own = files.flatMap(({ source, file }) => (isUsersOrManaged(source) ? [] : [[source, file.digest]]));
  return sha256(JSON.stringify(own));
}
