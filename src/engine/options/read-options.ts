// Checks what a host configured, once, and fills in what it left out: everything below can rely on it.
import type { ContentPart } from "../../contracts/content.js";
import { ConfigurationError } from "../../contracts/errors.js";
import { EVENT_TYPES } from "../../contracts/event.js";
import type { HookDispatcher, HookMap } from "../../contracts/hook.js";
import type { PriceLookup, PromptSection } from "../../contracts/provider.js";
import type { Runtime } from "../../contracts/runtime.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import { checkOptions, optionError, required } from "../../json/check-options.js";
import { copyJson } from "../../json/copy.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { describeValue } from "../../text/describe-value.js";
import { nearestNames } from "../../text/nearest-names.js";
import { ignoreFailure, isThenable } from "../../time/is-promise.js";
import { retrySettings } from "../model/retry.js";
import { checkedDispatcher } from "../run/hooks/hook-dispatcher.js";
import { HookRunner } from "../run/hooks/hook-runner.js";
import type { RunawayLimits } from "../run/loop-detector.js";
import { createMemorySessionStore } from "../transcript/memory-session-store.js";
import { isContentPart } from "../transcript/message-shape.js";
import { LIMITS_TABLE, type Limits, type ResolvedLimits } from "./limits.js";
import { CALL, ENGINE_TABLE, EXECUTE_TABLE, RESUME_TABLE, RUN_TABLE, SESSION_ID } from "./option-tables.js";
import type {
  CheckedRuntime,
  EngineConfig,
  EngineOptions,
  ExecuteOptions,
  ResumeOptions,
  RunOptions,
} from "./options.js";
import { outputSchemaOf } from "./output-schema.js";

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
export function checkRun(input: unknown, options: RunOptions): void {
  checkInput(input);
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

/** Checked `limits` over `base`. */
export function readLimits(limits: Limits | undefined, base: ResolvedLimits): ResolvedLimits {
  if (limits === undefined) return base;
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(given) };
}

/** @throws ConfigurationError `OPTION_INVALID` for a cost limit where no cost is known */
export function checkCostLimit(limits: Limits, prices: PriceLookup | undefined): void {
  if (limits.maxCostUsd === undefined || prices) return;
  throw optionError(
    "AgentEngine",
    "limits.maxCostUsd",
    limits.maxCostUsd,
    "a `prices` option beside it, or a provider that knows its prices: without them no cost is known",
  );
}

/** @throws ConfigurationError `OPTION_INVALID` unless the input is a string or content parts */
export function checkInput(input: unknown): void {
  if (typeof input === "string" && input !== "") return;
  if (Array.isArray(input) && input.length > 0 && input.every(isContentPart)) return;
  throw optionError(
    "engine.run()",
    "input",
    input,
    "a non-empty string, or a non-empty array of text, image and file parts",
  );
}

/** Input of a run as content parts of the run's own. @throws ConfigurationError `OPTION_INVALID` for what is not JSON */
export function contentOf(input: string | readonly ContentPart[]): readonly ContentPart[] {
  if (typeof input === "string") return [{ type: "text", text: input }];
  try {
    return copyJson(input) as unknown as readonly ContentPart[];
  } catch (error) {
    throw optionError("engine.run()", "input", input, `content parts that are JSON (${describeThrown(error)})`);
  }
}

// ── the host's clock, ids and chance ─────────────────────────────────────────────────────────────────────────────────

/**
 * An id that is unique for good: the time, and 104 random bits.
 *
 * Not a secret. `crypto.randomUUID` would be as good, but the first use of Web Crypto costs a process two milliseconds,
 * as much as a hundred turns.
 */
export function newId(): string {
  // Joined: a template would keep each piece as a string of its own for as long as the id is kept.
  return [Date.now().toString(36), "-", randomBits(), randomBits(), randomBits(), randomBits()].join("");
}

/** 26 bits in six characters: small integers become text four times as fast as large ones. */
function randomBits(): string {
  return Math.floor(Math.random() * 2 ** 26)
    .toString(36)
    .padStart(6, "0");
}

/** A function that the host does not give is ours, and is not checked: the clock is read for every entry. */
function checkedRuntime(host: Partial<Runtime> = {}): CheckedRuntime {
  const runtime = { problem: null as ConfigurationError | null };
  function checked<T>(name: keyof Runtime, own: () => T, isRight: (value: unknown) => boolean, expected: string) {
    if (!host[name]) return own;
    return (): T => {
      let got: string;
      try {
        const value: unknown = host[name]!();
        if (isRight(value)) return value as T;
        ignoreFailure(value);
        got = isThenable(value) ? "a promise" : describeValue(value);
      } catch (error) {
        got = `an error: ${describeThrown(error)}`;
      }
      runtime.problem ??= new ConfigurationError("OPTION_INVALID", {
        message: `AgentEngine: runtime.${name}() must return ${expected}, got ${got}.`,
        details: { option: `runtime.${name}` },
      });
      return own();
    };
  }
  return Object.assign(runtime, {
    now: checked("now", Date.now, Number.isFinite, "milliseconds since the epoch"),
    newId: checked("newId", newId, isId, "a new, non-empty string"),
    random: checked("random", Math.random, isShare, "a number of at least 0 and less than 1"),
  });
}

function isId(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isShare(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value < 1;
}
