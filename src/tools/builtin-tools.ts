import { ConfigurationError } from "../contracts/errors.js";
import type { BaseTool, ToolPermission } from "../contracts/tool.js";
import type { Workspace } from "../contracts/workspace.js";
import { type BashToolOptions, createBashTool } from "./bash.js";
import { createEditFileTool } from "./edit-file.js";
import { createGlobTool } from "./glob.js";
import { createGrepTool } from "./grep.js";
import { createReadFileTool } from "./read-file.js";
import { createWriteFileTool } from "./write-file.js";

const FACTORIES = {
  read_file: createReadFileTool,
  write_file: createWriteFileTool,
  edit_file: createEditFileTool,
  bash: (workspace: Workspace, options: BuiltinToolsOptions) => createBashTool(workspace, options.bash),
  glob: (workspace: Workspace) => createGlobTool(workspace),
  grep: (workspace: Workspace) => createGrepTool(workspace),
};

/** A tool that `builtinTools` makes. */
export type BuiltinToolName = keyof typeof FACTORIES;

export interface BuiltinToolsOptions {
  /** Only these, in this order. Default: all. */
  readonly names?: readonly BuiltinToolName[];
  /** Only those of these permissions, as `["none", "read_only"]`. Default: all. */
  readonly permissions?: readonly ToolPermission[];
  readonly bash?: BashToolOptions;
}

/**
 * The built-in tools on one workspace, by name and permission.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a name that no tool has
 */
export function builtinTools(workspace: Workspace, options: BuiltinToolsOptions = {}): BaseTool[] {
  const known = Object.keys(FACTORIES) as BuiltinToolName[];
  const { names = known, permissions } = options;
  const tools = names.map((name): BaseTool => {
    if (Object.hasOwn(FACTORIES, name)) return FACTORIES[name](workspace, options);
    throw new ConfigurationError("OPTION_INVALID", {
      message: `There is no built-in tool "${name}". Choose from ${known.join(", ")}.`,
    });
  });
  return permissions ? tools.filter((tool) => permissions.includes(tool.permission)) : tools;
}
