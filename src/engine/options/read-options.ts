// Checks what a host configured, once, and fills in what it left out: everything below can rely on it.
import { ConfigurationError } from "../../contracts/errors.js";
import { EVENT_TYPES } from "../../contracts/event.js";
import type { HookDispatcher, HookMap } from "../../contracts/hook.js";
import type { PromptSection } from "../../contracts/provider.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { checkOptions, optionError, required } from "../../json/check-options.js";
import { nearestNames } from "../../text/nearest-names.js";
import { retrySettings } from "../model/retry.js";
import { checkedDispatcher } from "../run/hooks/hook-dispatcher.js";
import { HookRunner } from "../run/hooks/hook-runner.js";
import type { RunawayLimits } from "../run/loop-detector.js";
import { createMemorySessionStore } from "../transcript/memory-session-store.js";
import { checkCostLimit, LIMITS_TABLE } from "./limits.js";
import { CALL, ENGINE_TABLE, EXECUTE_TABLE, RESUME_TABLE, RUN_TABLE, SESSION_ID } from "./option-tables.js";
import type { EngineConfig, EngineOptions, ExecuteOptions, ResumeOptions, RunOptions } from "./options.js";
import { outputSchemaOf } from "./output-schema.js";
import { checkedRuntime } from "./runtime.js";

const OWNER = "AgentEngine";
/** Names that other libraries have for the same thing. */
const RENAMED = {
  model: "provider",
  system: "systemPrompt",
  instructions: "systemPrompt",
  gate: "permissions",
  permissionMode: "mode",
  maxTurns: "limits.maxTurns",
  maxSteps: "limits.maxTurns",
  sessionStore: "sessions",
  session: "sessionId",
  abortSignal: "signal",
  llm: "provider",
  prompt: "systemPrompt",
  stopWhen: "limits.maxTurns",
  maxTokens: "limits.maxTokens",
  maxOutputTokens: "limits.maxOutputTokens",
  temperature: "modelOptions.temperature",
  reasoning: "modelOptions.reasoning",
  toolChoice: "modelOptions.toolChoice",
  providerOptions: "modelOptions.providerOptions",
  maxRetries: "retry.maxRetries",
  outputSchema: "output",
  schema: "output",
  messages: "history",
  app: "context",
};

const OF_ENGINE = { renamed: RENAMED, other: { owner: "new AgentEngine()", table: ENGINE_TABLE } };
const OF_RUN = { renamed: RENAMED, other: { owner: "engine.run()", table: RUN_TABLE } };

/** @throws ConfigurationError `OPTION_INVALID`, naming option, value and expectation */
export function readEngineOptions(options: EngineOptions): EngineConfig {
  const settings = checkOptions(OWNER, options, ENGINE_TABLE, OF_RUN);
  const { provider, retry, output, prices } = settings;
  const limits = checkOptions(OWNER, settings.limits, LIMITS_TABLE);
  checkCostLimit(limits, prices ?? provider.prices);
  const runtime = checkedRuntime(settings.runtime);
  return {
    provider,
    tools: settings.tools,
    system: readSystemPrompt(settings.systemPrompt),
    contextSources: [...settings.contextSources],
    gate: settings.permissions,
    mode: settings.mode,
    approver: settings.approver,
    approvals: { ...settings.approvals },
    hooks: readHooks(settings.hooks),
    compaction: settings.compaction,
    store: settings.sessions ?? createMemorySessionStore(),
    artifacts: settings.artifacts,
    limits,
    output: output === undefined ? null : outputSchemaOf(output),
    retry,
    retrySettings: retrySettings(retry, limits, runtime),
    eagerTools: settings.eagerTools,
    runaway: readRunaway(settings.runaway),
    prices,
    modelOptions: { ...settings.modelOptions },
    fitMedia: settings.fitMedia,
    runtime,
  };
}

/** @throws ConfigurationError `OPTION_INVALID` */
export function checkRunOptions(options: RunOptions): void {
  checkOptions("engine.run()", options, RUN_TABLE, OF_ENGINE);
}

/** @throws ConfigurationError `OPTION_INVALID` */
export function checkResumeOptions(options: ResumeOptions): void {
  checkOptions("engine.resume()", options, RESUME_TABLE, OF_ENGINE);
}

/** @throws ConfigurationError `OPTION_INVALID` */
export function checkEventType(type: unknown): void {
  if ((EVENT_TYPES as readonly unknown[]).includes(type)) return;
  const kebab = String(type).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const [hint] = nearestNames(kebab, EVENT_TYPES, 1);
  const meant = hint ? ` Did you mean "${hint}"?` : "";
  throw new ConfigurationError("OPTION_INVALID", {
    message: `There is no event "${String(type)}".${meant} The events are ${EVENT_TYPES.join(", ")}.`,
    details: { option: "type", ...(hint !== undefined && { didYouMean: hint }) },
  });
}

/** @throws ConfigurationError `OPTION_INVALID` */
export function checkExecution(call: ToolCall, options: ExecuteOptions): void {
  checkOptions("engine.execute()", { call }, { call: required(CALL) });
  checkOptions("engine.execute()", options, EXECUTE_TABLE, OF_ENGINE);
}

/** @throws ConfigurationError `OPTION_INVALID` */
export function checkSessionId(sessionId: unknown): void {
  checkOptions("the engine", { sessionId }, { sessionId: required(SESSION_ID) });
}

function readRunaway(runaway: RunawayLimits | false): RunawayLimits | null {
  if (runaway === false) return null;
  const { remindAfter, stopAfter } = runaway;
  if (stopAfter <= remindAfter) {
    throw optionError(OWNER, "runaway.stopAfter", stopAfter, `more than remindAfter (${remindAfter})`);
  }
  return { remindAfter, stopAfter };
}

function readSystemPrompt(prompt: EngineOptions["systemPrompt"]): readonly PromptSection[] {
  if (prompt === undefined || prompt === "") return [];
  if (typeof prompt === "string") return Object.freeze([Object.freeze({ id: "system", text: prompt })]);
  return Object.freeze(prompt.map(({ id, text }) => Object.freeze({ id, text })));
}

function readHooks(hooks: EngineOptions["hooks"]): HookDispatcher | null {
  if (hooks === undefined) return null;
  if (typeof (hooks as HookDispatcher).has === "function" && typeof (hooks as HookDispatcher).run === "function") {
    return hooks instanceof HookRunner ? hooks : checkedDispatcher(hooks as HookDispatcher);
  }
  return new HookRunner(hooks as HookMap);
}
