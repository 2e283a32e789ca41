import { ConfigurationError } from "../contracts/errors.js";
import type { ToolPermission } from "../contracts/permission.js";
import type { BaseTool } from "../contracts/tool.js";
import type { Workspace } from "../contracts/workspace.js";
import { byDefault, checkOptions, listOf, type OptionTable, oneOf, tableOf } from "../json/check-options.js";
import { createEditFileTool } from "./edit/edit-file.js";
import { createCreateDirTool } from "./files/create-dir.js";
import { createWriteFileTool } from "./files/write-file.js";
import { createAskUserTool } from "./plan/ask-user.js";
import { createTodoWriteTool } from "./plan/todo-write.js";
import { createReadFileTool } from "./read/read-file.js";
import { createGlobTool } from "./search/glob.js";
import { createGrepTool } from "./search/grep.js";
import { createListDirTool } from "./search/list-dir.js";
import { BASH_OPTIONS, type BashToolOptions, createBashTool } from "./shell/bash.js";
import { createBashKillTool } from "./shell/bash-kill.js";
import { createBashOutputTool } from "./shell/bash-output.js";
import { createWebFetchTool, WEB_FETCH_OPTIONS, type WebFetchOptions } from "./web/web-fetch.js";
import { createWebSearchTool, WEB_SEARCH_OPTIONS, type WebSearchOptions } from "./web/web-search.js";

const FACTORIES = {
  read_file: createReadFileTool,
  write_file: createWriteFileTool,
  edit_file: createEditFileTool,
  bash: (workspace: Workspace, options: BuiltinToolsOptions) => createBashTool(workspace, options.bash),
  bash_output: createBashOutputTool,
  bash_kill: createBashKillTool,
  glob: (workspace: Workspace) => createGlobTool(workspace),
  grep: (workspace: Workspace) => createGrepTool(workspace),
  list_dir: createListDirTool,
  create_dir: createCreateDirTool,
  todo_write: createTodoWriteTool,
  ask_user: createAskUserTool,
  web_fetch: (_workspace: Workspace, options: BuiltinToolsOptions) => createWebFetchTool(options.webFetch),
  web_search(_workspace: Workspace, { webSearch }: BuiltinToolsOptions) {
    if (webSearch) return createWebSearchTool(webSearch);
    throw invalid(
      'The tool "web_search" needs the option "webSearch": { search }, which asks a search service of yours.',
    );
  },
};
const PERMISSIONS: readonly ToolPermission[] = ["none", "read_only", "read_write", "execute"];

/** A tool that `builtinTools` makes. */
export type BuiltinToolName = keyof typeof FACTORIES;

/** Options of `builtinTools()`. */
export interface BuiltinToolsOptions {
  /** Only these, in this order. Default: all; `web_fetch` and `web_search` only with their options. */
  readonly names?: readonly BuiltinToolName[] | undefined;
  /** Only those of these permissions, as `["none", "read_only"]`. Default: all. */
  readonly permissions?: readonly ToolPermission[] | undefined;
  /** Options of the tool `bash`. */
  readonly bash?: BashToolOptions | undefined;
  /** Adds `web_fetch`; `{}` takes its defaults. */
  readonly webFetch?: WebFetchOptions | undefined;
  /** Adds `web_search`. */
  readonly webSearch?: WebSearchOptions | undefined;
}

const OPTIONS = {
  names: listOf(oneOf(...Object.keys(FACTORIES)), "names of built-in tools"),
  permissions: byDefault(PERMISSIONS, listOf(oneOf(...PERMISSIONS), "permissions")),
  bash: tableOf(BASH_OPTIONS),
  webFetch: tableOf(WEB_FETCH_OPTIONS),
  webSearch: tableOf(WEB_SEARCH_OPTIONS),
} satisfies OptionTable<BuiltinToolsOptions>;

/**
 * The built-in tools on one workspace, by name and permission.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a name or permission that no tool has, and for `web_search` without a search
 */
export function builtinTools(workspace: Workspace, options: BuiltinToolsOptions = {}): BaseTool[] {
  const settings = checkOptions("builtinTools()", options, OPTIONS);
  const known = Object.keys(FACTORIES) as BuiltinToolName[];
  const { names = known.filter((name) => isOnByDefault(name, settings)), permissions } = settings;
  const tools = names.map((name): BaseTool => FACTORIES[name](workspace, settings));
  return tools.filter(({ permission }) => permissions.includes(permission));
}

/** A tool that reaches the network comes only when it is asked for. */
function isOnByDefault(name: BuiltinToolName, { webFetch, webSearch }: BuiltinToolsOptions): boolean {
  if (name === "web_fetch") return webFetch !== undefined;
  return name !== "web_search" || webSearch !== undefined;
}

function invalid(message: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", { message });
}
