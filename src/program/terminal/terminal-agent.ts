// The needs of the interactive terminal: an agent that is wired already, and a few decisions that
// are not about drawing. An `Agent` of the presets has most of it.
import type { FactStore } from "../../contracts/fact.js";
import type { PermissionMode, PermissionUpdate } from "../../contracts/permission.js";
import type { PriceLookup, ProviderAdapter } from "../../contracts/provider.js";
import type { SessionStore } from "../../contracts/session.js";
import type { Workspace } from "../../contracts/workspace.js";
import type { Approver } from "../../engine/calls/permission/approval.js";
import type { AgentEngine } from "../../engine/engine.js";
import type { Limits } from "../../engine/options/limits.js";
import type { McpConnection } from "../../mcp/client/connection.js";
import type { PermissionChecker } from "../../permissions/checker.js";
import type { SourcedRules } from "../../permissions/rules/rules.js";
import type { Plugin } from "../../presets/plugins/load-plugins.js";
import type { FileRewinder } from "../../sessions/checkpoints/checkpoint-rewind.js";
import type { SkillCatalog } from "../../skills/skill-catalog.js";
import type { PromptCommands } from "../project/prompt-commands.js";
import type { SessionBudget } from "../sessions/session-budget.js";
import type { SessionModes } from "../sessions/session-modes.js";
import type { SessionNames } from "../sessions/session-names.js";
import type { TerminalSettings } from "./settings/terminal-settings.js";

/** The agent that a person talks to. */
export interface TerminalAgent {
  /** Made with the approver that `open` was given, and without a mode: `checker` holds it, so that it can be switched. */
  readonly engine: AgentEngine;
  readonly workspace: Workspace;
  /** The store of the engine. */
  readonly sessions: SessionStore;
  /** The checker behind the engine's gate. Without it the mode cannot be switched. */
  readonly checker?: PermissionChecker | undefined;
  readonly skills?: SkillCatalog | undefined;
  /** For /plugins, trusted or not. */
  readonly plugins?: readonly Plugin[] | undefined;
  readonly connections?: readonly McpConnection[] | undefined;
  /** The servers of agents' own, for /mcp: `connection` once one of the agents has started. */
  readonly agentServers?: readonly AgentServer[] | undefined;
  /** The mode of the first run, unless the terminal's own options name one. */
  readonly settings?: { readonly mode: PermissionMode | undefined } | undefined;
  /** Long-term facts, for /memory. */
  readonly facts?: FactStore | undefined;
  /** Takes files back to what they were, for /rewind. */
  readonly rewinder?: FileRewinder | undefined;
  /** Removes what files were before a session has changed them, for /delete. */
  readonly forget?: ((sessionId: string) => Promise<void>) | undefined;
  /** The rules that count from the start, for /permissions. */
  readonly rules?: readonly SourcedRules[] | undefined;
  /** The parts that could not be used as written; shown once at the start and by the command they are about. */
  readonly problems?: readonly { readonly source: string; readonly message: string }[] | undefined;
  readonly untrusted?: readonly { readonly source: string; readonly what: string }[] | undefined;
  close(): Promise<void>;
}

interface AgentServer {
  readonly name: string;
  readonly agents: readonly string[];
  readonly connection?: McpConnection | undefined;
}

/** The models a person can switch to. */
export interface ModelChoice {
  /** As `anthropic/claude-sonnet-5`; shown by /model. A name beside them can be typed. */
  readonly names: readonly string[];
  /** The models of servers on this machine. Asked for when a person wants to see them. */
  findLocal?(): Promise<readonly string[]>;
  /** @throws Error whose message says what is missing, such as a key */
  connect(name: string): ProviderAdapter | Promise<ProviderAdapter>;
}

/** The user's trust in the project, and the parts that ask for it. */
export interface ProjectTrust {
  asksFor(): Promise<readonly { readonly part: string; readonly what: string }[]>;
  /** `undefined`: they were not asked yet. */
  read(): Promise<boolean | undefined>;
  keep(isTrusted: boolean): Promise<void>;
}

/** The options of `runTerminal`: its start, and the decisions of the rest of the program. */
export interface TerminalOptions {
  /** Opens the agent. Every question it has goes to `approver`. */
  readonly open: (approver: Approver) => Promise<TerminalAgent>;
  /** The directory in which the agent works, shown until it is open. Default: the current directory. */
  readonly root?: string | undefined;
  /** The model of the first run. */
  readonly provider: ProviderAdapter;
  readonly models?: ModelChoice | undefined;
  /** The prices of models that do not name their own, for /cost. Default: their price is not known. */
  readonly prices?: PriceLookup | undefined;
  /** The limits of each run, which are the engine's. Default: none that a budget has to keep to. */
  readonly limits?: Limits | undefined;
  /** The budget of a session while it is open, until /budget changes it. Default: none. */
  readonly budget?: SessionBudget | undefined;
  /** Default: that of the session, else of the agent's settings, or `default`. */
  readonly mode?: PermissionMode | undefined;
  /** Goes on with this session. Default: a new one. */
  readonly sessionId?: string | undefined;
  /** Sent as soon as the screen is there. */
  readonly prompt?: string | undefined;
  /** The prompt of /init. Default: one that writes AGENTS.md. */
  readonly initPrompt?: string | undefined;
  /** The file of the prompts of earlier sessions, one JSON string a line. Default: none. */
  readonly historyFile?: string | undefined;
  /** Rules that were allowed for good before: they count in every session, until they are taken back. Default: none. */
  readonly savedRules?: readonly string[] | undefined;
  /** Keeps rules beyond the session. Resolves with the file they were written to. Default: rules hold for the session only. */
  readonly saveRules?: ((updates: readonly PermissionUpdate[]) => Promise<string>) | undefined;
  /** The names of sessions, for /rename. Default: sessions have none. */
  readonly names?: SessionNames | undefined;
  /** Keeps the mode of each session. Default: one that is opened again has none of its own. */
  readonly modes?: SessionModes | undefined;
  /** For /trust. Default: there is nothing to trust. */
  readonly trust?: ProjectTrust | undefined;
  /** Keeps what the user says about a plugin, for /plugins. Default: it cannot be changed here. */
  readonly keepPluginTrust?: ((plugin: Plugin, isTrusted: boolean) => Promise<void>) | undefined;
  /** The instruction files in use, for /memory. */
  readonly instructionFiles?: (() => Promise<readonly string[]>) | undefined;
  /** Commands that are prompts in files, read once at the start. Default: none. */
  readonly promptCommands?: (() => Promise<PromptCommands>) | undefined;
  /** Shown in the greeting. */
  readonly version?: string | undefined;
  /** The command that opens a session again, shown at the end; the id is put behind it. Default: `loopwright --resume`. */
  readonly resumeCommand?: string | undefined;
  /** The user's own looks and keys, where `first` does not have them. Default: those of the program. */
  readonly settings?: TerminalSettings | undefined;
  /** Default: the process's. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}
