// Checks what a host configured, once, and fills in what it left out: everything below can rely on it.
import type { ContextSource } from "../../contracts/context.js";
import { ConfigurationError } from "../../contracts/errors.js";
import { EVENT_TYPES } from "../../contracts/event.js";
import type { HookDispatcher, HookMap } from "../../contracts/hook.js";
import type { PermissionMode } from "../../contracts/permission.js";
import type { PromptSection, ProviderAdapter, ReasoningEffort } from "../../contracts/provider.js";
import type { Runtime } from "../../contracts/runtime.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import {
  ANYTHING,
  checkOptions,
  invalidOption,
  rejectUnknown,
  requireFunction,
  requireMethod,
  requireObject,
} from "../../json/check-options.js";
import { nearestNames } from "../../text/nearest-names.js";
import type { Deadlines } from "../../time/deadlines.js";
import { defaultGate } from "../calls/default-gate.js";
import { isRetrying, type RetryOptions, type RetrySettings, readRetryOptions, repeating } from "../model/retry.js";
import { checkedDispatcher } from "../run/hook-dispatcher.js";
import { HookRunner } from "../run/hook-runner.js";
import type { RunawayLimits } from "../run/loop-detector.js";
import { createMemorySessionStore } from "../transcript/memory-session-store.js";
import { checkCostLimit, DEFAULT_LIMITS, type Limits, readLimits } from "./limits.js";
import type {
  ApprovalOptions,
  EngineConfig,
  EngineOptions,
  ExecuteOptions,
  ModelOptions,
  ResumeOptions,
  RunOptions,
} from "./options.js";
import { outputSchemaOf } from "./output-schema.js";
import { newId } from "./runtime.js";

const ENGINE_OPTIONS: { readonly [K in keyof EngineOptions]-?: true } = {
  provider: true,
  tools: true,
  systemPrompt: true,
  contextSources: true,
  permissions: true,
  mode: true,
  approver: true,
  approvals: true,
  hooks: true,
  compaction: true,
  sessions: true,
  artifacts: true,
  limits: true,
  output: true,
  retry: true,
  eagerTools: true,
  runaway: true,
  prices: true,
  modelOptions: true,
  runtime: true,
};

const RUN_OPTIONS: { readonly [K in keyof (RunOptions & ResumeOptions)]-?: true } = {
  sessionId: true,
  history: true,
  context: true,
  provider: true,
  tools: true,
  mode: true,
  limits: true,
  output: true,
  signal: true,
  tokenBudget: true,
  answers: true,
};

const MODES: readonly PermissionMode[] = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"];

const EFFORTS: readonly ReasoningEffort[] = ["none", "low", "medium", "high"];
const TOOL_CHOICES: readonly unknown[] = [undefined, "auto", "none", "required"];

/** What people of other libraries write, and what it is called here. */
const RENAMED_ENGINE_OPTIONS = {
  model: "provider",
  llm: "provider",
  system: "systemPrompt",
  instructions: "systemPrompt",
  prompt: "systemPrompt",
  maxSteps: "limits.maxTurns",
  maxTurns: "limits.maxTurns",
  stopWhen: "limits.maxTurns",
  maxTokens: "limits.maxTokens",
  maxOutputTokens: "limits.maxOutputTokens",
  temperature: "modelOptions.temperature",
  toolChoice: "modelOptions.toolChoice",
  providerOptions: "modelOptions.providerOptions",
  maxRetries: "retry.maxRetries",
  outputSchema: "output",
  schema: "output",
  session: "sessions",
  memory: "sessions",
  gate: "permissions",
} as const;

const RENAMED_RUN_OPTIONS = {
  ...RENAMED_ENGINE_OPTIONS,
  prompt: "the first argument",
  messages: "history",
  session: "sessionId",
  abortSignal: "signal",
  app: "context",
} as const;

function rejectForeign(owner: string, options: object, known: object, renamed: Readonly<Record<string, string>>): void {
  const table = Object.fromEntries(Object.keys(known).map((name) => [name, ANYTHING]));
  checkOptions(owner, options, table, { renamed });
}

/** @throws ConfigurationError `OPTION_INVALID`, naming option, value and expectation */
export function readEngineOptions(options: EngineOptions): EngineConfig {
  requireObject("options", options, "an object with at least a `provider`");
  rejectForeign("new AgentEngine()", options, ENGINE_OPTIONS, RENAMED_ENGINE_OPTIONS);
  checkProvider("provider", options.provider);
  checkTools("tools", options.tools);
  checkMode(options.mode);
  if ((options.permissions as unknown) === "allow-all") {
    throw invalidOption(
      "permissions",
      "allow-all",
      'a gate; to let everything run, say so in full with mode: "bypassPermissions"',
    );
  }
  requireMethod("permissions", options.permissions, "decide");
  if (options.approver !== undefined) requireFunction("approver", options.approver);
  requireMethod("compaction", options.compaction, "prepare", "recover");
  requireMethod("sessions", options.sessions, "append", "read", "lock");
  requireMethod("artifacts", options.artifacts, "put", "get");
  if (options.prices !== undefined) requireFunction("prices", options.prices);
  const limits = readLimits(options.limits, DEFAULT_LIMITS);
  checkCostLimit(limits, options.prices);
  const runtime = readRuntime(options.runtime);
  const { retry = {} } = options;
  if (retry !== false) requireObject("retry", retry, "an object or false");
  return {
    provider: options.provider,
    tools: options.tools,
    system: readSystemPrompt(options.systemPrompt),
    contextSources: readSources(options.contextSources),
    gate: options.permissions ?? defaultGate,
    mode: options.mode,
    approver: options.approver,
    approvals: readApprovals(options.approvals),
    hooks: readHooks(options.hooks),
    compaction: options.compaction,
    store: options.sessions ?? createMemorySessionStore(),
    artifacts: options.artifacts,
    limits,
    output: options.output === undefined ? null : outputSchemaOf(options.output),
    retry,
    retrySettings: retrySettings(retry, limits, runtime),
    eagerTools: readFlag("eagerTools", options.eagerTools, true),
    runaway: readRunaway(options.runaway),
    prices: options.prices,
    modelOptions: readModelOptions(options.modelOptions),
    runtime,
  };
}

function readApprovals(approvals: ApprovalOptions = {}): ApprovalOptions {
  requireObject("approvals", approvals, "an object with expiresAfterMs, key, or both");
  rejectUnknown("approvals.", approvals, { expiresAfterMs: true, key: true });
  const { expiresAfterMs, key } = approvals;
  if (expiresAfterMs !== undefined && !(Number.isFinite(expiresAfterMs) && expiresAfterMs > 0)) {
    throw invalidOption("approvals.expiresAfterMs", expiresAfterMs, "a number of milliseconds above 0");
  }
  if (key !== undefined && (typeof key !== "string" || key === "")) {
    throw invalidOption("approvals.key", typeof key, "a non-empty string");
  }
  return { ...approvals };
}

/** @throws ConfigurationError `OPTION_INVALID` */
export function checkRunOptions(
  options: RunOptions & ResumeOptions,
  foreign: readonly (keyof typeof RUN_OPTIONS)[],
): void {
  requireObject("run options", options, "an object");
  const { ...known }: Partial<typeof RUN_OPTIONS> = RUN_OPTIONS;
  for (const name of foreign) delete known[name];
  rejectForeign("The run", options, known, RENAMED_RUN_OPTIONS);
  if (options.provider !== undefined) checkProvider("provider", options.provider);
  checkTools("tools", options.tools);
  checkMode(options.mode);
  const { sessionId, history, signal, answers, tokenBudget } = options;
  if (tokenBudget !== undefined && !(Number.isSafeInteger(tokenBudget) && tokenBudget > 0)) {
    throw invalidOption("tokenBudget", tokenBudget, "a whole number of tokens above 0");
  }
  if (sessionId !== undefined) checkSessionId(sessionId);
  if (history !== undefined && !Array.isArray(history)) throw invalidOption("history", history, "an array of messages");
  if (answers !== undefined && !Array.isArray(answers)) throw invalidOption("answers", answers, "an array of answers");
  if (signal !== undefined && typeof signal?.addEventListener !== "function") {
    throw invalidOption("signal", signal, "an AbortSignal");
  }
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
  requireObject("call", call, "a tool call { id, name, arguments }");
  if (typeof call.id !== "string") throw invalidOption("call.id", call.id, "a string");
  if (typeof call.name !== "string") throw invalidOption("call.name", call.name, "a string");
  const foreign = ["history", "provider", "tools", "mode", "limits", "output", "answers", "tokenBudget"] as const;
  checkRunOptions(options, foreign);
}

export function checkSessionId(sessionId: unknown): void {
  if (typeof sessionId === "string" && /^[^\0]{1,512}$/s.test(sessionId)) return;
  throw invalidOption("sessionId", sessionId, "a string of 1 to 512 characters");
}

/** The provider with its retry layer, unless it has one. */
export function retryingProvider(
  provider: ProviderAdapter,
  config: EngineConfig,
  limits: Limits,
  deadlines: Deadlines,
): ProviderAdapter {
  if (isRetrying(provider)) return provider;
  const isUsual = limits === config.limits;
  const settings = isUsual ? config.retrySettings : retrySettings(config.retry, limits, config.runtime);
  return repeating(provider, settings, deadlines);
}

function retrySettings(retry: RetryOptions | false, limits: Limits, { random }: Runtime): RetrySettings {
  const { firstTokenTimeoutMs, idleTimeoutMs, maxResponseBytes } = limits;
  const own = retry === false ? { maxRetries: 0 } : retry;
  return readRetryOptions({
    ...(firstTokenTimeoutMs !== undefined && { firstTokenTimeoutMs }),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    ...(maxResponseBytes !== undefined && { maxResponseBytes }),
    random,
    ...own,
  });
}

function readRunaway(runaway: EngineOptions["runaway"]): RunawayLimits | null {
  if (runaway === false) return null;
  if (runaway === undefined) return { remindAfter: 3, stopAfter: 6 };
  rejectUnknown("runaway.", Object(runaway), { remindAfter: true, stopAfter: true });
  const { remindAfter, stopAfter } = Object(runaway) as Partial<RunawayLimits>;
  const isRight =
    Number.isInteger(remindAfter) && Number.isInteger(stopAfter) && remindAfter! >= 2 && stopAfter! > remindAfter!;
  if (!isRight)
    throw invalidOption(
      "runaway",
      runaway,
      "{ remindAfter, stopAfter }, whole numbers with 2 <= remindAfter < stopAfter, or false",
    );
  return { remindAfter: remindAfter!, stopAfter: stopAfter! };
}

function readRuntime(runtime: EngineOptions["runtime"]): Runtime {
  if (runtime !== undefined) requireObject("runtime", runtime, "an object");
  for (const name of ["now", "newId", "random"] as const) {
    if (runtime?.[name] !== undefined) requireFunction(`runtime.${name}`, runtime[name]);
  }
  return {
    now: runtime?.now?.bind(runtime) ?? Date.now,
    newId: runtime?.newId?.bind(runtime) ?? newId,
    random: runtime?.random?.bind(runtime) ?? Math.random,
  };
}

function readSystemPrompt(prompt: EngineOptions["systemPrompt"]): readonly PromptSection[] {
  if (prompt === undefined || prompt === "") return [];
  if (typeof prompt === "string") return Object.freeze([Object.freeze({ id: "system", text: prompt })]);
  const isRight =
    Array.isArray(prompt) && prompt.every((part) => typeof part?.id === "string" && typeof part.text === "string");
  if (!isRight) throw invalidOption("systemPrompt", prompt, "a string or an array of { id, text }");
  return Object.freeze(prompt.map(({ id, text }) => Object.freeze({ id, text })));
}

function readSources(sources: EngineOptions["contextSources"]): readonly ContextSource[] {
  if (sources === undefined) return [];
  if (!Array.isArray(sources)) throw invalidOption("contextSources", sources, "an array");
  for (const [index, source] of sources.entries()) requireMethod(`contextSources[${index}]`, source, "load");
  return [...sources];
}

function readHooks(hooks: EngineOptions["hooks"]): HookDispatcher | null {
  if (hooks === undefined) return null;
  requireObject("hooks", hooks, "an object of hooks by point, or a HookDispatcher");
  if (typeof (hooks as HookDispatcher).has === "function" && typeof (hooks as HookDispatcher).run === "function") {
    return hooks instanceof HookRunner ? hooks : checkedDispatcher(hooks as HookDispatcher);
  }
  return new HookRunner(hooks as HookMap);
}

function readModelOptions(options: ModelOptions | undefined): ModelOptions {
  if (options === undefined) return {};
  requireObject("modelOptions", options, "an object");
  rejectUnknown("modelOptions.", options, {
    temperature: true,
    reasoning: true,
    toolChoice: true,
    providerOptions: true,
  });
  const { temperature, reasoning, toolChoice } = options;
  if (temperature !== undefined && !(typeof temperature === "number" && temperature >= 0)) {
    throw invalidOption("modelOptions.temperature", temperature, "a number of at least 0");
  }
  if (reasoning !== undefined && !EFFORTS.includes(reasoning)) {
    throw invalidOption("modelOptions.reasoning", reasoning, `one of ${EFFORTS.join(", ")}`);
  }
  const isChoice = TOOL_CHOICES.includes(toolChoice) || typeof Object(toolChoice).name === "string";
  if (!isChoice) throw invalidOption("modelOptions.toolChoice", toolChoice, '"auto", "none", "required" or { name }');
  return { ...options };
}

function readFlag(name: string, value: unknown, otherwise: boolean): boolean {
  if (value === undefined) return otherwise;
  if (typeof value !== "boolean") throw invalidOption(name, value, "true or false");
  return value;
}

function checkProvider(name: string, provider: unknown): void {
  requireMethod(name, provider ?? null, "stream");
  const { id, model } = provider as ProviderAdapter;
  if (typeof id !== "string" || id === "") throw invalidOption(`${name}.id`, id, "a non-empty string");
  if (typeof model !== "string" || model === "") throw invalidOption(`${name}.model`, model, "a non-empty string");
}

function checkTools(name: string, tools: EngineOptions["tools"]): void {
  if (tools === undefined || Array.isArray(tools)) return;
  const isRecord = typeof tools === "object" && tools !== null && Object.getPrototypeOf(tools) === Object.prototype;
  if (isRecord && !("definitions" in tools)) {
    const names = Object.keys(tools).slice(0, 3).join(", ");
    throw invalidOption(
      name,
      tools,
      `an array of tools: each has its name in itself, so pass [${names}], or a Registry`,
    );
  }
  requireMethod(name, tools, "get", "list", "definitions");
}

function checkMode(mode: PermissionMode | undefined): void {
  if (mode !== undefined && !MODES.includes(mode)) throw invalidOption("mode", mode, `one of ${MODES.join(", ")}`);
}
