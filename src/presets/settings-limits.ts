// Bans by settings, enforced where a preset puts its parts together.

import type { PermissionGate } from "../contracts/permission.js";
import type { BaseTool } from "../contracts/tool.js";
import type { Workspace } from "../contracts/workspace.js";
import type { Approver } from "../engine/calls/permission/approval.js";
import type { Settings } from "../hooks/settings/settings.js";
import type { SettingsProblem } from "../hooks/settings/settings-file.js";
import { throwUnusable } from "../hooks/settings/settings-reader.js";
import { createPermissionChecker } from "../permissions/checker.js";
import type { SourcedRules } from "../permissions/rules/rules.js";
import type { SandboxPolicy } from "../workspace/shell/command-sandbox.js";
import { sandboxProblem } from "../workspace/shell/sandboxed-shell.js";
import type { AgentOptions } from "./options.js";

const ASK_USER = "ask_user";
const REMEDY = "Fix them, or pass settings: false to open the agent without any settings.";

/** The sandbox of commands, and the rules for an agent where the machine has none. */
export interface SandboxPlan {
  readonly sandbox: boolean | SandboxPolicy | undefined;
  /** Every command asks. */
  readonly rules: readonly SourcedRules[];
  readonly problems: readonly SettingsProblem[];
}

/**
 * Refuses to open an agent that would be allowed more than its settings say.
 *
 * @throws ConfigurationError `SETTINGS_INVALID` that names file, line and key
 */
export function checkSettings(settings: Settings, options: Partial<AgentOptions<never>>): void {
  const { provider, workspace } = options;
  const refused = [...settings.unenforced];
  const refuse = (message: string) => refused.push({ file: settings.files.join(", "), line: 1, key: "", message });
  const model = provider && settings.restrictions.modelRefusal(`${provider.id}/${provider.model}`);
  if (model) refuse(`The model "${provider.model}" ${model}.`);
  const blocks = settings.sources.some((rules) => rules.blockReadsOutside || rules.blockWritesOutside);
  if (blocks && workspace) refuse("permissions.block…OutsideWorkingDirectories needs the preset's own workspace.");
  if (settings.flow && options.permissions) refuse("flow needs the preset's own permission checker.");
  throwUnusable(refused, REMEDY);
}

/** @throws ConfigurationError `SETTINGS_INVALID` where there has to be a sandbox and is not one */
export async function planSandbox(settings: Settings | undefined, options: AgentOptions<never>): Promise<SandboxPlan> {
  const { sandbox = false, workspace } = options;
  const wanted = settings?.restrictions.sandbox;
  if (!wanted) return { sandbox, rules: [], problems: [] };
  const own = typeof sandbox === "object" ? sandbox : {};
  const both = (key: "deniedHosts" | "writable" | "unreadable" | "unwritable") => [...(own[key] ?? []), ...wanted[key]];
  const policy: SandboxPolicy = {
    allowedHosts: own.allowedHosts ?? wanted.allowedHosts,
    deniedHosts: both("deniedHosts"),
    masked: own.masked,
    writable: both("writable"),
    unreadable: both("unreadable"),
    unwritable: both("unwritable"),
  };
  const why = workspace ? "the host's own workspace runs the commands" : await sandboxProblem(policy);
  if (why === null) return { sandbox: policy, rules: [], problems: [] };
  const problem = { file: wanted.file, line: 1, key: "sandbox.enabled", message: `there is no sandbox: ${why}` };
  if (wanted.failIfUnavailable) throwUnusable([problem], REMEDY);
  // An option of the host's stays: its commands refuse to run without a sandbox.
  return {
    sandbox,
    rules: [{ source: "flag", ask: ["bash"] }],
    problems: [{ ...problem, message: `${problem.message} Every command asks instead.` }],
  };
}

/** Where nobody may be asked, a question is a no. Hooks at `PermissionRequest` still come before. */
export const denyQuestions: Approver = ({ tool }) => ({ decision: "deny", reason: silentReason(tool) });

/** Without the tool that waits for a person. */
export function withoutQuestions(tools: readonly BaseTool[]): readonly BaseTool[] {
  return tools.filter(({ name }) => name !== ASK_USER);
}

/** The gate without what skills allow. */
export function withoutAddedAllows(inner: PermissionGate): PermissionGate {
  const decide: PermissionGate["decide"] = (request) => {
    const { added, ...others } = request;
    return inner.decide(added ? { ...others, added: { ...added, allow: [] } } : request);
  };
  return gateWith(inner, decide);
}

/** A gate of the host's own, and the rules of settings that restrict: the stricter of the two decides. */
export function withRestrictions(
  inner: PermissionGate,
  sources: readonly SourcedRules[],
  workspace: Workspace,
): PermissionGate {
  const limits = sources.map(({ source, ask = [], deny = [], blockReadsOutside, blockWritesOutside }) => {
    return { source, ask, deny, blockReadsOutside, blockWritesOutside };
  });
  const isEmpty = ({ ask, deny, blockReadsOutside, blockWritesOutside }: (typeof limits)[number]) =>
    ask.length + deny.length === 0 && !blockReadsOutside && !blockWritesOutside;
  if (limits.every(isEmpty)) return inner;
  const checker = createPermissionChecker({ workspace, sources: limits });
  return gateWith(inner, async (request) => {
    const own = await inner.decide(request);
    if (own.behavior === "deny") return own;
    // In this mode the checker says no, or asks, for its rules alone.
    const limit = await checker.decide({ ...request, mode: "bypassPermissions" });
    return limit.behavior === "allow" || limit.behavior === own.behavior ? own : limit;
  });
}

/** The gate of one session, with the limits of its own settings that an engine has only for all sessions. */
export function withSessionLimits(
  inner: PermissionGate,
  { settings, agents, isHosts }: { settings: Settings | undefined; agents: Settings | undefined; isHosts: boolean },
): PermissionGate {
  const isSilent = settings?.restrictions.denyInsteadOfPrompting && !agents?.restrictions.denyInsteadOfPrompting;
  // A checker knows its mode.
  const mode = isHosts ? settings?.mode : undefined;
  if (!isSilent && !mode) return inner;
  return gateWith(inner, async (request) => {
    const tool = typeof request.tool === "string" ? request.tool : request.tool.name;
    const decision = await inner.decide(mode && !request.mode ? { ...request, mode } : request);
    const isQuestion = isSilent && (decision.behavior === "ask" || tool === ASK_USER);
    return isQuestion ? { behavior: "deny", reason: silentReason(tool) } : decision;
  });
}

function silentReason(tool: string): string {
  return `"${tool}" would have to ask, and settings say permissions.denyInsteadOfPrompting.`;
}

function gateWith(inner: PermissionGate, decide: PermissionGate["decide"]): PermissionGate {
  return {
    usesLabels: inner.usesLabels,
    understandsAddedRules: inner.understandsAddedRules,
    mode: inner.mode,
    decide,
    ...(inner.remember && { remember: inner.remember.bind(inner) }),
  };
}
