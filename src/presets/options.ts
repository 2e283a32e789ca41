import type { ContextPolicy } from "../contracts/context.js";
import type { FactStore } from "../contracts/fact.js";
import type { ProviderAdapter } from "../contracts/provider.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import type { BaseTool } from "../contracts/tool.js";
import type { ChangeJournal, Workspace } from "../contracts/workspace.js";
import { ENGINE_TABLE } from "../engine/options/option-tables.js";
import type { EngineOptions } from "../engine/options/options.js";
import {
  checkOptions,
  eitherOf,
  FLAG,
  FUNCTION,
  listOf,
  type OptionRule,
  type OptionTable,
  oneOf,
  optionError,
  optionOf,
  PATH,
  recordOf,
  secret,
  TEXT,
  tableOf,
  withMethods,
} from "../json/check-options.js";
import type { McpConnection } from "../mcp/client/connection.js";
import { FLOW_TABLE, type FlowOptions } from "../permissions/flow/flow-options.js";
import {
  type PermissionRules,
  RULES_TABLE,
  SOURCED_RULES_TABLE,
  type SourcedRules,
} from "../permissions/rules/rules.js";
import type { Skill } from "../skills/skill.js";
import type { SandboxPolicy } from "../workspace/shell/command-sandbox.js";
import type { LoadedPlugins } from "./plugins/load-plugins.js";
import {
  type OpenSessionWorkspace,
  SESSION_WORKSPACES,
  type SessionWorkspaceOptions,
} from "./workspaces/session-workspace-options.js";

/**
 * Options of every preset. Every option of `AgentEngine` is accepted, too, and wins over what the preset would pass;
 * `contextSources` and `hooks` come beside the preset's.
 */
export interface AgentOptions<Context = unknown> extends Omit<EngineOptions, "tools" | "compaction"> {
  /** The model. */
  readonly provider: ProviderAdapter;
  /**
   * Tools beside the preset's; one of the same name takes the place of a built-in one. A function is given the preset's
   * tools and returns those the agent has. Tools of MCP servers are added to both.
   */
  readonly tools?: readonly BaseTool[] | ((preset: readonly BaseTool[]) => readonly BaseTool[]) | undefined;
  /** `false`: nothing shrinks the context. Default: a pipeline in which the agent's own model writes summaries. */
  readonly compaction?: ContextPolicy | false | undefined;
  /** The user's `.claude/settings.json` and the project's: hooks, rules, mode, directories. Default: `true`. */
  readonly settings?: boolean | undefined;
  /** The name that somebody has given a session: hooks of settings that are trusted read it as `session_title`. Default: none has one. */
  readonly sessionTitle?: ((sessionId: string) => string | undefined) | undefined;
  /** Skills of the user and the project. An array: these instead. Default: `true`. */
  readonly skills?: boolean | readonly Skill[] | undefined;
  /** `AGENTS.md`, `CLAUDE.md` and facts. A store: where facts are kept. Default: `true`, facts in memory. */
  readonly memory?: boolean | FactStore | undefined;
  /**
   * Plugins, as of `loadPlugins()`. Of the trusted ones the skills, sub-agents, hooks and servers count beside the others, as far as
   * the options for those are not off or an array; the rest is listed in `untrusted`. Default: none.
   */
  readonly plugins?: LoadedPlugins | undefined;
  /** Also instructions that are written for Cursor, Gemini CLI and Copilot; see `instructionFiles`. Default: `false`. */
  readonly otherInstructions?: boolean | undefined;
  /** Servers of `.mcp.json`. An array: these connections instead, which stay the host's to close. Default: `true`. */
  readonly mcp?: boolean | readonly McpConnection[] | undefined;
  /** Sub-agents of the user's and the project's agent files, beside the built-in ones. An array: these instead. Default: `true`. */
  readonly subagents?: boolean | readonly SubagentDefinition[] | undefined;
  /**
   * Whether the project's own hooks, allow rules, skills, agents and servers count. They are instructions and programs that
   * the repository chooses, not the user. Default: `false`: they are listed in `untrusted`; its deny and ask rules count.
   */
  readonly trustProject?: boolean | undefined;
  /** The user's directory, whose settings, skills, agents and servers always count. Default: the home directory. `null`: none. */
  readonly home?: string | null | undefined;
  /** Rules of the host's own, beside those of settings; an array says where each list comes from. */
  readonly rules?: PermissionRules | readonly SourcedRules[] | undefined;
  /** The checks after content that others may have written was read; see `createPermissionChecker`. Default: `off`. */
  readonly flow?: FlowOptions | "off" | undefined;
  /** Commands run under the operating system's sandbox. Needs `@anthropic-ai/sandbox-runtime`. Default: `false`. */
  readonly sandbox?: boolean | SandboxPolicy | undefined;
  /** Further directories whose files may be read. They have to exist. */
  readonly readRoots?: readonly string[] | undefined;
  /** Further directories whose files may be read and changed. They have to exist. */
  readonly writeRoots?: readonly string[] | undefined;
  /** Paths, or gitignore globs, that are refused in addition to what always is. */
  readonly protectedPaths?: readonly string[] | undefined;
  /** Variables commands and the hooks of settings get beside the few they inherit. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Receives what each file was before a tool changes it, such as `createCheckpoints`. */
  readonly journal?: ChangeJournal | undefined;
  /**
   * A workspace of the host's own, in place of one at `root`; it stays open. A function opens one for each session, once, before the
   * session's first run begins, and the agent closes it. `Context` is the type of the run option `context`, which it is given. Such
   * an agent has no `root`. `readRoots`, `writeRoots`, `protectedPaths`, `sandbox`, `env` and `journal` belong to what opens a workspace,
   * and are refused beside one.
   *
   * A run whose workspace cannot be opened ends as `failed`, with `WORKSPACE_FAILED`, `WORKSPACE_GONE` or `WORKSPACE_LIMIT`.
   */
  readonly workspace?: Workspace | OpenSessionWorkspace<Context> | undefined;
  /**
   * `machine`: the stdio servers and command hooks that the files of a `workspace` on another machine name are started there. The servers
   * are called `machine-NAME`, so that no rule for a server of yours holds for them, and what the hooks say may forbid, and never
   * allows. Default: they are listed in `untrusted`.
   */
  readonly runProjectProgramsIn?: "machine" | undefined;
  /** For a `workspace` that is a function. */
  readonly workspaces?: SessionWorkspaceOptions | undefined;
  /** The provider for a model that an agent file names, as `sonnet`. Default: every sub-agent has the agent's own. */
  readonly models?: ((name: string) => ProviderAdapter | undefined) | undefined;
}

export const AGENT_TABLE = {
  ...ENGINE_TABLE,
  tools: eitherOf(FUNCTION, listOf(withMethods("definition", "execute"), "tools")),
  compaction: eitherOf(oneOf(false), ENGINE_TABLE.compaction),
  settings: FLAG,
  sessionTitle: FUNCTION,
  skills: eitherOf(
    FLAG,
    listOf(
      optionOf((value) => typeof Object(value).name === "string", "a skill, as of defineSkill()"),
      "skills",
    ),
  ),
  memory: eitherOf(FLAG, withMethods("remember", "list")),
  otherInstructions: FLAG,
  plugins: optionOf((value) => Array.isArray(Object(value).plugins), "plugins, as of loadPlugins()"),
  mcp: eitherOf(FLAG, listOf(withMethods("tools", "on"), "connections, as of connectMcp()")),
  subagents: eitherOf(
    FLAG,
    listOf(
      optionOf((value) => typeof Object(value).name === "string", "a sub-agent, as of defineSubagent()"),
      "sub-agents",
    ),
  ),
  trustProject: FLAG,
  home: optionOf((value) => value === null || PATH.accepts(value), "the path of a directory, or null"),
  rules: eitherOf(listOf(tableOf(SOURCED_RULES_TABLE), "rules with their source"), tableOf(RULES_TABLE)),
  flow: eitherOf(oneOf("off"), tableOf(FLOW_TABLE)),
  sandbox: eitherOf(
    FLAG,
    optionOf((value) => typeof value === "object" && value !== null, "a policy, as of sandboxedShell()"),
  ),
  readRoots: listOf(PATH, "paths"),
  writeRoots: listOf(PATH, "paths"),
  protectedPaths: listOf(PATH, "paths and gitignore globs"),
  env: secret(recordOf(TEXT, "strings by name")),
  journal: withMethods("before"),
  workspace: eitherOf(FUNCTION, withMethods("resolve", "needsApproval", "close")),
  workspaces: tableOf(SESSION_WORKSPACES),
  runProjectProgramsIn: oneOf("machine"),
  models: FUNCTION,
} satisfies OptionTable<AgentOptions>;

/** Rules are for the checker that a preset makes; a gate of the host's own has its own. */
export function checkAgentOptions(
  owner: string,
  options: AgentOptions<never>,
  table: Readonly<Record<string, OptionRule>>,
): void {
  checkOptions(owner, options, { ...AGENT_TABLE, ...table });
  const { root } = options as { readonly root?: string };
  const workspace = workspaceIn(options);
  if (options.workspace !== undefined) checkDirectoryOptions(owner, options);
  if (options.workspaces && typeof options.workspace !== "function") {
    throw optionError(owner, "workspaces", options.workspaces, "nothing, unless workspace is a function");
  }
  if (workspace && !workspace.files.onDisk && root !== undefined && root !== workspace.root) {
    const expected = `${JSON.stringify(workspace.root)}, the root of the workspace, or none`;
    throw optionError(owner, "root", root, expected);
  }
  if (options.permissions && options.flow !== undefined) {
    throw optionError(owner, "flow", "given beside permissions", "either flow or a gate that has it");
  }
  if (options.runProjectProgramsIn && !(workspace?.startProgram && !workspace.files.onDisk)) {
    const expected = "nothing, unless workspace is one on another machine, as of createMachineWorkspace()";
    throw optionError(owner, "runProjectProgramsIn", options.runProjectProgramsIn, expected);
  }
  if (options.permissions && options.rules) {
    throw optionError(owner, "rules", "given beside permissions", "either rules or a gate that has them");
  }
}

const OF_A_DIRECTORY = ["readRoots", "writeRoots", "protectedPaths", "sandbox", "env", "journal"];

/** Refuses options that would have no effect: a workspace has its own directories and protected paths. */
function checkDirectoryOptions(owner: string, options: AgentOptions<never>): void {
  const isPerSession = typeof options.workspace === "function";
  const names = isPerSession ? ["root", ...OF_A_DIRECTORY] : OF_A_DIRECTORY;
  const name = names.find((each) => isSaid(Reflect.get(options, each)));
  if (name === undefined) return;
  const expected = isPerSession
    ? "nothing, where each session has a workspace: give it to what the function opens"
    : "nothing beside workspace: give it to the function that opens the workspace";
  throw optionError(owner, name, Reflect.get(options, name), expected);
}

const isSaid = (value: unknown) => value !== undefined && value !== false && Object(value).length !== 0;

/** The one workspace that the host gives; `undefined` where each session has its own. */
export function workspaceIn({ workspace }: Partial<AgentOptions<never>>): Workspace | undefined {
  return typeof workspace === "function" ? undefined : workspace;
}

/** Starts programs of the project on its machine; `undefined` where they are not to run. */
export function projectPrograms(options: Partial<AgentOptions<never>>): Workspace["startProgram"] {
  return options.runProjectProgramsIn && workspaceIn(options)?.startProgram;
}

/** The options that the engine takes as they are. */
export function engineOptionsOf(options: AgentOptions<never>): EngineOptions {
  const names = Object.keys(ENGINE_TABLE) as (keyof EngineOptions)[];
  return Object.fromEntries(names.map((name) => [name, options[name]])) as unknown as EngineOptions;
}
