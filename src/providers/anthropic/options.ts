import type { JsonObject } from "../../contracts/json.js";
import {
  byDefault,
  FLAG,
  listOf,
  numberFrom,
  type OptionTable,
  oneOf,
  optionError,
  optionOf,
  recordOf,
  required,
  STRING,
  tableOf,
  withMethods,
} from "../../json/check-options.js";
import { isObject } from "../../json/is-object.js";
import { CONNECTION_OPTIONS, type ConnectionOptions } from "../shared/http/connection-options.js";
import type { CacheLifetime } from "./cache-breakpoints.js";
import { thinksByEffort } from "./model-capabilities.js";
import { ANTHROPIC_SERVER_TOOL, type AnthropicServerTool, anthropicToolName } from "./server/server-tools.js";
import type { AnthropicClient, AnthropicEffort, AnthropicThinking } from "./wire.js";

/** The vendor's own switches for one of your tools. */
export interface AnthropicToolOptions {
  /** Whether the model is held to the tool's schema. Default: `false`. */
  readonly strict?: boolean | undefined;
  /** Inputs as they may look, for the model to read. */
  readonly inputExamples?: readonly JsonObject[] | undefined;
  /** Whether arguments stream before they are known to be JSON. Default: `false`. */
  readonly eagerInputStreaming?: boolean | undefined;
  /** Whether the model sees the tool only once a tool search of the server has found it. Default: `false`. */
  readonly deferLoading?: boolean | undefined;
  /** Sends the vendor's own definition in place of the tool's: for `createMemoryTool()`, whose tool it is. */
  readonly type?: "memory_20250818" | undefined;
  /** Its callers: `"direct"` is the model itself, `"code_execution_…"` a program of it. Default: the model alone. */
  readonly allowedCallers?: readonly string[] | undefined;
}

/** A model that the server asks in place of the first one. */
export interface AnthropicFallback {
  readonly model: string;
  /** Unit: tokens. Default: those of the request. */
  readonly maxOutputTokens?: number | undefined;
}

/** Options of `anthropic()`. */
export interface AnthropicOptions extends ConnectionOptions {
  /** E.g. `"claude-opus-5"`. */
  readonly model: string;
  /** Default: `ANTHROPIC_API_KEY`. Not needed with a `baseURL` of your own, or an `authorization` header. */
  readonly apiKey?: string | undefined;
  /** With or without `/v1` at its end. Default: `ANTHROPIC_BASE_URL`, else Anthropic. */
  readonly baseURL?: string | undefined;
  /**
   * A ready client of the SDK (Bedrock, Vertex, a wrapper); then `apiKey`, `baseURL` and `fetch` are its own business. Its
   * retries are switched off.
   */
  readonly client?: AnthropicClient | undefined;
  /** Recorded with each message and looked up in price tables. Default: `"anthropic"`. */
  readonly id?: string | undefined;
  /**
   * Most output tokens of a request that does not set its own limit; the API insists on one. Default: the model's limit
   * where it is known, else 32,000, lowered to what the model says it takes.
   */
  readonly maxOutputTokens?: number | undefined;
  /**
   * The thinking of requests that say nothing about `reasoning`. Default: left out, and the model does as
   * Anthropic decides.
   */
  readonly thinking?: AnthropicThinking | undefined;
  /** The lifetime of cached prefixes, or `false` for no caching. Default: `"5m"`; `"1h"` costs more to write. */
  readonly cache?: CacheLifetime | false | undefined;
  /** Whether several tools may be called at once. Default: left to the API, which allows it. */
  readonly parallelToolCalls?: boolean | undefined;
  /** Tools that Anthropic's servers run. They stand beside your own; rules and modes decide whether they are offered. Default: none. */
  readonly serverTools?: readonly AnthropicServerTool[] | undefined;
  /** Switches for your own tools, by their names. */
  readonly toolOptions?: Readonly<Record<string, AnthropicToolOptions>> | undefined;
  /** The effort of requests that say nothing about `reasoning`. Default: the model's own. Models up to Claude 4.5 have none. */
  readonly effort?: AnthropicEffort | undefined;
  /**
   * The budget for all of its work on a task that the model is told, for it to plan with: no limit. At least 1,024. Unit: tokens.
   * Models up to Claude 4.5 have none.
   */
  readonly taskBudget?: number | undefined;
  /** Models that the server itself asks, in this order, when the first one cannot answer. Default: none. */
  readonly fallbacks?: readonly AnthropicFallback[] | undefined;
  /**
   * The place where a conversation is kept. `"server"`: in a thread of Anthropic's, which is sent only what is new; when that cannot be gone on
   * with, the whole request is sent again, as with `"client"`, which a notice says. Default: `"client"`.
   */
  readonly state?: "client" | "server" | undefined;
  /**
   * Whether Anthropic says why its cache did not hit, comparing each request with the conversation's last one, which it keeps an account of
   * for that. `withCacheGuard({ onMiss })` gets it. Default: `false`.
   */
  readonly cacheDiagnosis?: boolean | undefined;
  /** Sent as `anthropic-beta`. */
  readonly betas?: readonly string[] | undefined;
}

const TOOL_OPTIONS = {
  strict: FLAG,
  inputExamples: listOf(optionOf(isObject, "an object"), "inputs"),
  eagerInputStreaming: FLAG,
  deferLoading: FLAG,
  type: oneOf("memory_20250818"),
  allowedCallers: listOf(STRING, "names of callers"),
} satisfies OptionTable<AnthropicToolOptions>;

const FALLBACK = {
  model: required(STRING),
  maxOutputTokens: numberFrom(1, "tokens"),
} satisfies OptionTable<AnthropicFallback>;

/** The rules of the options, and their defaults. */
export const ANTHROPIC_OPTIONS = {
  ...CONNECTION_OPTIONS,
  id: byDefault("anthropic", STRING),
  model: required(STRING),
  client: optionOf(isClient, "a client with messages.create()"),
  thinking: optionOf(isThinking, 'thinking as the API takes it, such as { type: "enabled", budget_tokens: 8000 }'),
  cache: byDefault("5m", oneOf("5m", "1h", false)),
  parallelToolCalls: FLAG,
  serverTools: byDefault([], listOf(ANTHROPIC_SERVER_TOOL, "tools of the server")),
  toolOptions: byDefault({}, recordOf(tableOf(TOOL_OPTIONS), "options of tools by their names")),
  cacheDiagnosis: byDefault(false, FLAG),
  state: byDefault("client", oneOf("client", "server")),
  effort: oneOf("low", "medium", "high", "xhigh", "max"),
  taskBudget: numberFrom(1_024, "tokens"),
  fallbacks: byDefault([], listOf(tableOf(FALLBACK), "models")),
  betas: byDefault(
    [],
    optionOf((value) => Array.isArray(value) && value.every((name) => /^[\w.-]+$/.test(name)), "an array of names"),
  ),
} satisfies OptionTable<AnthropicOptions>;

/** @throws ConfigurationError `OPTION_INVALID` for an option that the model does not have, and for a server tool named twice */
export function checkAgainstModel({ model, effort, taskBudget, serverTools = [] }: AnthropicOptions): void {
  if (!thinksByEffort(model)) {
    const expected = `a model that thinks by effort: "${model}" does not`;
    if (effort !== undefined) throw optionError("anthropic()", "effort", effort, expected);
    if (taskBudget !== undefined) throw optionError("anthropic()", "taskBudget", taskBudget, expected);
  }
  const names = serverTools.map(anthropicToolName);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw optionError("anthropic()", "serverTools", twice, "each tool once");
}

function isClient(value: unknown): boolean {
  return isObject(value) && withMethods("create").accepts(value.messages);
}

function isThinking(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { type, budget_tokens } = value;
  return type === "enabled"
    ? Number.isSafeInteger(budget_tokens) && (budget_tokens as number) >= 1_024
    : type === "adaptive" || type === "between_tools" || type === "disabled";
}
