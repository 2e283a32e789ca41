import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { PermissionGate } from "../contracts/permission.js";
import type { ProviderAdapter } from "../contracts/provider.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import { isSubagentName, MAX_SUBAGENT_DESCRIPTION_CHARS } from "../engine/subagents/subagent-table.js";
import { type FrontmatterProblem, readFrontmatter } from "../frontmatter/frontmatter.js";
import { AGENT_FIELDS } from "./agent-fields.js";
import { readAllowedTools, readDisallowedTools } from "./agent-tools.js";
import { defineSubagent } from "./define-subagent.js";
import { type AgentServer, type ConnectServers, readAgentServers } from "./read-agent-servers.js";

/** A sub-agent read from a file. */
export interface LoadedSubagent extends SubagentDefinition {
  /** The file's absolute path. */
  readonly file: string;
  /** The servers it names, as they are written. */
  readonly servers?: readonly AgentServer[] | undefined;
}

export interface AgentFileContext {
  readonly models?: ((name: string) => ProviderAdapter | undefined) | undefined;
  /** Names that the host's own tools have. */
  readonly ownTools: ReadonlySet<string>;
  /** Only of files that are trusted. */
  readonly connect?: ConnectServers | undefined;
  /** Whether somebody connects servers of trusted files. */
  readonly hasServers: boolean;
}

type Report = (key: string, message: string) => void;

/** Fields with which an agent file would run programs, reach servers or gain rights. */
const IGNORED: Readonly<Record<string, string>> = {
  hooks: "hooks of an agent file are never run; pass them to the engine's option hooks",
  memory: "an agent file's memory is not kept",
  skills: "skills of an agent file are not loaded",
};

const NOT_CONNECTED = "servers of an agent file are not connected here; give their tools to the engine";

/** Models that mean the parent's. */
const INHERITED = new Set(["inherit", "default", ""]);

/**
 * One agent file: Markdown whose frontmatter describes the agent and whose body is its system prompt.
 *
 * `null` for a file that is not an agent's. Never throws for what is in it.
 *
 * @see https://docs.claude.com/en/docs/claude-code/sub-agents the fields (read 2026-11)
 */
export async function readAgentFile(
  text: string,
  file: string,
  context: AgentFileContext,
): Promise<{ readonly agent: LoadedSubagent | null; readonly problems: readonly FrontmatterProblem[] }> {
  const { fields, body, lineOf, problems: found } = await readFrontmatter(text, file);
  const problems = [...found];
  const report: Report = (key, message) => problems.push({ file, line: lineOf(key), key, message });
  const stem = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1).replace(/\.md$/i, "");
  if (!fields || !("name" in fields || "description" in fields)) {
    // Authors of agents also write about them.
    const isProse = /^(readme|changelog|contributing|license|index|claude|agents)$/i.test(stem);
    if (!isProse || found.length > 0) report("", "it has no name and no description, so it is not an agent's file");
    return { agent: null, problems };
  }
  const name = nameOf(fields, stem, report);
  const description = descriptionOf(fields, body, report);
  if (name === null || description === null) return { agent: null, problems };
  if (isRefused(fields, report)) return { agent: null, problems };
  for (const [key, why] of Object.entries(IGNORED)) if (isGiven(fields[key])) report(key, why);
  checkFields(fields, report);
  const chosen = toolsOf(fields, context, report);
  const servers = context.hasServers ? readAgentServers(fields.mcpServers, report) : [];
  const connecting = { name, file, tools: chosen.tools, report: (message: string) => report("mcpServers", message) };
  const ownTools = servers.length > 0 ? context.connect?.(servers, connecting) : undefined;
  if (!context.hasServers && isGiven(fields.mcpServers)) report("mcpServers", NOT_CONNECTED);
  const agent: LoadedSubagent = {
    ...defineSubagent({
      name,
      description,
      systemPrompt: body.trim(),
      ...chosen,
      ...modelOf(fields, context, report),
      ...settingsOf(fields, report),
      ...(ownTools && { ownTools }),
      ...(hasGuards(fields) && { permissions: ASKING }),
    }),
    file,
    ...(servers.length > 0 && { servers }),
  };
  return { agent: Object.freeze(agent), problems };
}

/** Other spellings of the fields that limit tools are read as those. */
const SPELLINGS = /^(?:tools?|allowed[-_ ]?tools|(?:disallowed|denied)[-_ ]?tools)$/i;

function checkFields(fields: JsonObject, report: Report): void {
  for (const key of Object.keys(fields)) {
    if (AGENT_FIELDS.has(key) || SPELLINGS.test(key) || key in Object.prototype) continue;
    report(key, "it is not a field that is known; if it restricts something, that does not count");
  }
}

/** Whether its hooks decide about calls. One that cannot be read may. */
function hasGuards({ hooks }: JsonObject): boolean {
  if (hooks === undefined || hooks === null) return false;
  if (typeof hooks !== "object" || Array.isArray(hooks)) return true;
  return ["PreToolUse", "PermissionRequest"].some((event) => event in hooks);
}

const ASKING: PermissionGate = {
  decide({ tool }) {
    if (typeof tool !== "string" && tool.permission === "none") return { behavior: "allow" };
    return { behavior: "ask", reason: "A hook of the agent's file that guards its calls is not run here." };
  },
};

function nameOf({ name }: JsonObject, stem: string, report: Report): string | null {
  const written = typeof name === "string" || typeof name === "number" ? String(name).trim() : "";
  if (isSubagentName(written)) return written;
  const instead = isSubagentName(stem) ? stem : null;
  const problem = written === "" ? "it has no name" : "its name is not 1 to 64 letters, digits, spaces and _ . + -";
  report(
    "name",
    instead === null ? `${problem}` : `${problem}, so it is named ${JSON.stringify(instead)} after its file`,
  );
  return instead;
}

function descriptionOf({ description }: JsonObject, body: string, report: Report): string | null {
  const written = textOf(description);
  if (written.length > MAX_SUBAGENT_DESCRIPTION_CHARS) {
    report("description", `it is longer than ${MAX_SUBAGENT_DESCRIPTION_CHARS} characters, and the rest was cut off`);
    return written.slice(0, MAX_SUBAGENT_DESCRIPTION_CHARS);
  }
  if (written !== "") return written;
  const line = body.split("\n").find((each) => /\p{L}/u.test(each));
  const first =
    line
      ?.replace(/^#+\s*/, "")
      .trim()
      .slice(0, 500) ?? "";
  const instead = first === "" ? "so it cannot be chosen and was left out" : "so its first line is used";
  report("description", `it has no description, ${instead}`);
  return first === "" ? null : first;
}

function toolsOf(fields: JsonObject, { ownTools }: AgentFileContext, report: Report): Partial<SubagentDefinition> {
  const key = fieldOf(fields, "tools", ["tool", "tools", "allowedtools"], report);
  const tools = key === undefined ? null : readAllowedTools(fields[key]!, ownTools, (text) => report(key, text));
  const denied = fieldOf(fields, "disallowedTools", ["disallowedtools", "deniedtools"], report);
  const disallowed = denied && readDisallowedTools(fields[denied]!, (text) => report(denied, text));
  return { ...(tools && { tools }), ...(disallowed && { disallowedTools: disallowed }) };
}

/** The key of a field that limits the agent, also misspelled: to overlook it would give the agent more. */
function fieldOf(fields: JsonObject, name: string, spellings: readonly string[], report: Report): string | undefined {
  const misspelled = Object.keys(fields).filter((key) => {
    return key !== name && spellings.includes(key.replace(/[-_ ]/g, "").toLowerCase());
  });
  if (name in fields) {
    for (const key of misspelled) report(key, `it was ignored, since "${name}" is there, too`);
    return name;
  }
  const [key] = misspelled;
  if (key !== undefined) report(key, `agents name these tools in "${name}"; "${key}" was read as that`);
  return key;
}

function modelOf({ model }: JsonObject, { models }: AgentFileContext, report: Report): Partial<SubagentDefinition> {
  if (!isGiven(model)) return {};
  const name = textOf(model);
  if (typeof model === "string" && INHERITED.has(name.toLowerCase())) return {};
  const provider = name === "" ? undefined : models?.(name);
  if (provider) return { model: provider };
  report("model", `there is no model ${JSON.stringify(name.slice(0, 80))} here, so the parent's is used`);
  return {};
}

function settingsOf(fields: JsonObject, report: Report): Partial<SubagentDefinition> {
  const { maxTurns, background, isolation, permissionMode } = fields;
  const isWhole = Number.isSafeInteger(Number(maxTurns)) && Number(maxTurns) >= 1;
  if (isGiven(maxTurns) && !isWhole) report("maxTurns", "it is not a whole number of at least 1, so it was ignored");
  const isInTree = isolation === "worktree";
  const isPlan = permissionMode === "plan";
  if (isGiven(permissionMode) && WIDER_MODES.has(permissionMode)) {
    report("permissionMode", "an agent file cannot choose its permissions; the parent's apply");
  }
  return {
    ...(isGiven(maxTurns) && isWhole && { maxTurns: Number(maxTurns) }),
    ...(background === true && { kind: "background" as const }),
    ...(isInTree && { isolation: "worktree" as const }),
    ...(isPlan && { readOnly: true }),
  };
}

/** Modes that restrict nothing beyond the parent's, whose rules and mode apply instead. */
const WIDER_MODES: ReadonlySet<JsonValue> = new Set(["acceptEdits", "auto", "bypassPermissions"]);
const HONOURED_MODES: ReadonlySet<JsonValue> = new Set(["default", "plan"]);

/** Whether the file asks for a restriction that cannot be honoured here. */
function isRefused({ isolation, permissionMode }: JsonObject, report: Report): boolean {
  const isIsolated = isGiven(isolation) && isolation !== "worktree";
  if (isIsolated) report("isolation", 'the only isolation is "worktree", so the agent was left out');
  const isRestricted =
    isGiven(permissionMode) && !WIDER_MODES.has(permissionMode) && !HONOURED_MODES.has(permissionMode);
  if (isRestricted) report("permissionMode", "this mode cannot be honoured for an agent, so the agent was left out");
  return isIsolated || isRestricted;
}

function textOf(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.map(textOf).join("\n").trim();
  if (value === undefined || value === null || typeof value === "object") return "";
  // All control characters but tabs and line breaks.
  return String(value)
    .replace(/(?![\t\n])\p{Cc}/gu, "")
    .trim();
}

function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null;
}
