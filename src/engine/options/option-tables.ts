// The checks of each option of the engine, a run and a resume: `checkOptions` reads these tables.
import type { PermissionMode } from "../../contracts/permission.js";
import type { ProviderAdapter, ReasoningEffort } from "../../contracts/provider.js";
import {
  ANYTHING,
  byDefault,
  eitherOf,
  FLAG,
  FUNCTION,
  listOf,
  numberFrom,
  type OptionRule,
  type OptionTable,
  oneOf,
  optionError,
  optionOf,
  required,
  SIGNAL,
  secret,
  tableOf,
  withMethods,
} from "../../json/check-options.js";
import { RETRY_TABLE } from "../model/retry.js";
import type { RunawayLimits } from "../run/loop-detector.js";
import { defaultGate } from "../tools/tool-defaults.js";
import { LIMITS_TABLE } from "./limits.js";
import type {
  ApprovalOptions,
  EngineOptions,
  ExecuteOptions,
  ModelOptions,
  ResumeOptions,
  RunOptions,
} from "./options.js";

export const PERMISSION_MODES: readonly PermissionMode[] = [
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions",
];
const EFFORTS: readonly ReasoningEffort[] = ["none", "low", "medium", "high"];

const PROVIDER: OptionRule = {
  ...withMethods("stream"),
  checkInside(path: string, provider: ProviderAdapter, owner: string) {
    for (const name of ["id", "model"] as const) {
      const value: unknown = provider[name];
      if (typeof value !== "string" || value === "") {
        throw optionError(owner, `${path}.${name}`, value, "a non-empty string");
      }
    }
  },
};

const TOOLS = eitherOf(optionOf(Array.isArray, "an array of tools (each has its own name)"), {
  ...withMethods("get", "list", "definitions"),
  expected: "a registry",
});

const GATE: OptionRule = {
  ...withMethods("decide"),
  expected: 'an object with decide(); to let everything run, say so in full with mode: "bypassPermissions"',
};

const SYSTEM_PROMPT = optionOf((prompt) => {
  if (typeof prompt === "string") return true;
  return Array.isArray(prompt) && prompt.every((part) => typeof part?.id === "string" && typeof part.text === "string");
}, "a string or an array of { id, text }");

/** A runtime may be an object of a class, or have more than the engine uses: only what it uses is checked. */
const RUNTIME: OptionRule = {
  accepts: (value) => typeof value === "object" && value !== null,
  expected: "an object",
  checkInside(path: string, runtime: object, owner: string) {
    for (const name of ["now", "newId", "random"]) {
      const value: unknown = Reflect.get(runtime, name);
      if (value !== undefined && typeof value !== "function") {
        throw optionError(owner, `${path}.${name}`, value, "a function");
      }
    }
  },
};

const APPROVALS = {
  expiresAfterMs: optionOf(
    (value) => typeof value === "number" && value > 0 && Number.isFinite(value),
    "a number of milliseconds above 0",
  ),
  key: secret(optionOf((value) => typeof value === "string" && value !== "", "a non-empty string")),
} satisfies OptionTable<ApprovalOptions>;

const RUNAWAY = {
  remindAfter: required(numberFrom(2, "times in a row")),
  stopAfter: required(numberFrom(3, "times in a row")),
} satisfies OptionTable<RunawayLimits>;

const MODEL_OPTIONS = {
  temperature: numberFrom(0, "temperature", undefined, true),
  reasoning: oneOf(...EFFORTS),
  toolChoice: optionOf(
    (value) => ["auto", "none", "required"].includes(value as string) || typeof Object(value).name === "string",
    '"auto", "none", "required" or { name }',
  ),
  providerOptions: ANYTHING,
} satisfies OptionTable<ModelOptions>;

const CONTEXT_SOURCES = listOf(withMethods("load"), "context sources");

export const ENGINE_TABLE = {
  provider: required(PROVIDER),
  tools: TOOLS,
  systemPrompt: SYSTEM_PROMPT,
  contextSources: byDefault([], CONTEXT_SOURCES),
  permissions: byDefault(defaultGate, GATE),
  mode: oneOf(...PERMISSION_MODES),
  approver: FUNCTION,
  approvals: byDefault({}, tableOf(APPROVALS)),
  hooks: optionOf(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "an object of hooks by point, or a HookDispatcher",
  ),
  compaction: withMethods("prepare", "recover"),
  sessions: withMethods("append", "read", "lock"),
  artifacts: withMethods("put", "get"),
  limits: byDefault({}, tableOf(LIMITS_TABLE)),
  output: ANYTHING,
  retry: byDefault({}, eitherOf(oneOf(false), tableOf(RETRY_TABLE))),
  eagerTools: byDefault(true, FLAG),
  runaway: byDefault({ remindAfter: 3, stopAfter: 6 }, eitherOf(oneOf(false), tableOf(RUNAWAY))),
  prices: FUNCTION,
  modelOptions: byDefault({}, tableOf(MODEL_OPTIONS)),
  fitMedia: FUNCTION,
  runtime: RUNTIME,
} satisfies OptionTable<EngineOptions>;

export const SESSION_ID = optionOf(
  (value) => typeof value === "string" && /^[^\0]{1,512}$/s.test(value),
  "a string of 1 to 512 characters",
);

const SHARED = {
  subagent: optionOf(
    (value) => typeof value === "object" && value !== null && typeof Reflect.get(value, "systemPrompt") === "string",
    "a sub-agent, as of defineSubagent()",
  ),
  context: ANYTHING,
  provider: PROVIDER,
  tools: TOOLS,
  extraTools: optionOf(Array.isArray, "an array of tools"),
  contextSources: CONTEXT_SOURCES,
  mode: oneOf(...PERMISSION_MODES),
  limits: tableOf(LIMITS_TABLE),
  output: ANYTHING,
  tokenBudget: numberFrom(1, "tokens"),
  signal: SIGNAL,
};

/** A tool call as `engine.execute()` takes it. */
export const CALL: OptionRule = {
  accepts: (value) => typeof value === "object" && value !== null,
  expected: "a tool call { id, name, arguments }",
  checkInside(path: string, call: object, owner: string) {
    for (const name of ["id", "name"]) {
      const value: unknown = Reflect.get(call, name);
      if (typeof value !== "string") throw optionError(owner, `${path}.${name}`, value, "a string");
    }
  },
};

export const EXECUTE_TABLE = {
  sessionId: SESSION_ID,
  signal: SHARED.signal,
  context: ANYTHING,
  suspend: FLAG,
  mayHaveRun: FLAG,
  answers: optionOf(Array.isArray, "an array of answers"),
} satisfies OptionTable<ExecuteOptions>;

export const RUN_TABLE = {
  ...SHARED,
  sessionId: SESSION_ID,
  after: optionOf(
    (value) => value === null || typeof value === "string" || typeof value === "function",
    "the id of an entry, null, or a function that finds it",
  ),
  history: optionOf(Array.isArray, "an array of messages"),
} satisfies OptionTable<RunOptions>;

export const RESUME_TABLE = {
  ...SHARED,
  answers: optionOf(Array.isArray, "an array of answers"),
} satisfies OptionTable<ResumeOptions>;
