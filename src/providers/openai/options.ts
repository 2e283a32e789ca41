import { ConfigurationError } from "../../contracts/errors.js";
import type { OpenAIClient } from "./wire.js";

/**
 * How an OpenAI-compatible server differs from OpenAI. Whatever is left out is found out: the sensible default is
 * sent, and when the server refuses it by name, the request is repeated without it and the adapter remembers.
 */
export interface OpenAICompat {
  /** Whether `stream_options: { include_usage: true }` is sent. Default: `true`, until the server refuses it. */
  readonly streamUsage?: boolean;
  /**
   * What the output limit is called. Default: `"max_completion_tokens"` for OpenAI, `"max_tokens"` for other base
   * URLs, until the server refuses it.
   */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /**
   * The field in which earlier reasoning goes back to the server. Default: the field it came in, or the
   * `reasoning_details` that came with it. A name sends it with
   * every message that called tools, empty if need be (DeepSeek and Kimi insist); `"none"` never sends it.
   */
  readonly reasoningField?: "reasoning_content" | "reasoning" | "none";
  /** Whether `tool_choice` is understood. `false` leaves it out, and the tools with it when none may be called. Default: `true`. */
  readonly toolChoice?: boolean;
  /** Whether the schema of a structured answer is sent as `strict`: OpenAI then accepts a subset of JSON Schema only. Default: `false`. */
  readonly strictSchema?: boolean;
  /** Whether `response_format` with a JSON Schema is understood. Default: `true`. */
  readonly jsonSchema?: boolean;
  /** The role of the system prompt. Default: `"system"`. */
  readonly systemRole?: "system" | "developer";
  /** Sent as `parallel_tool_calls`. Default: left out. */
  readonly parallelToolCalls?: boolean;
  /** Sends the session's id as `prompt_cache_key`. Default: for OpenAI itself only. */
  readonly promptCacheKey?: boolean;
}

/** Options of `openai()`. */
export interface OpenAIOptions {
  /** E.g. `"gpt-5.1"`. */
  readonly model: string;
  /** Default: `OPENAI_API_KEY`. Servers of your own (`baseURL`) may need none. */
  readonly apiKey?: string | undefined;
  /** Default: `OPENAI_BASE_URL`, else OpenAI. */
  readonly baseURL?: string | undefined;
  /** A ready client (Azure, a proxy, a wrapper); then `apiKey` and `baseURL` are its own business. Its retries are switched off. */
  readonly client?: OpenAIClient | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Unit: tokens. Default: from the table of known models, for OpenAI itself only. */
  readonly contextWindow?: number | undefined;
  /** The model's own limit. Unit: tokens. Default: from the table of known models, for OpenAI itself only. */
  readonly maxOutputTokens?: number | undefined;
  readonly compat?: OpenAICompat | undefined;
  /**
   * Recorded with each message and looked up in price tables. Default: `"openai"`. Give every other server its own name:
   * reasoning goes back only to the provider that wrote it.
   */
  readonly id?: string | undefined;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string" && value.trim() !== "";
const isCount: Check = (value) => Number.isInteger(value) && (value as number) > 0;
const isBoolean: Check = (value) => typeof value === "boolean";
const isObject: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const oneOf =
  (...names: readonly unknown[]): Check =>
  (value) =>
    names.includes(value);

const HTTP_URL = 'an http(s) URL without a user name in it, such as "http://localhost:8080/v1"';

const OPTIONS: Readonly<Record<keyof OpenAIOptions, readonly [Check, string]>> = {
  model: [isText, "the name of a model"],
  apiKey: [isText, "a key"],
  baseURL: [isHttpUrl, HTTP_URL],
  client: [isClient, "a client with chat.completions.create"],
  headers: [
    (value) => isObject(value) && Object.values(value as object).every((v) => typeof v === "string"),
    "texts by header name",
  ],
  contextWindow: [isCount, "a positive whole number of tokens"],
  maxOutputTokens: [isCount, "a positive whole number of tokens"],
  compat: [isObject, "an object of switches"],
  id: [isText, "a name"],
};

const COMPAT: Readonly<Record<keyof OpenAICompat, readonly [Check, string]>> = {
  streamUsage: [isBoolean, "true or false"],
  maxTokensField: [oneOf("max_tokens", "max_completion_tokens"), '"max_tokens" or "max_completion_tokens"'],
  reasoningField: [oneOf("reasoning_content", "reasoning", "none"), '"reasoning_content", "reasoning" or "none"'],
  toolChoice: [isBoolean, "true or false"],
  strictSchema: [isBoolean, "true or false"],
  jsonSchema: [isBoolean, "true or false"],
  systemRole: [oneOf("system", "developer"), '"system" or "developer"'],
  parallelToolCalls: [isBoolean, "true or false"],
  promptCacheKey: [isBoolean, "true or false"],
};

/** @throws ConfigurationError `OPTION_INVALID` that names the first wrong option; secrets are not repeated */
export function checkOptions(options: OpenAIOptions): void {
  if (!isObject(options) || options.model === undefined) refuse("model", "missing", OPTIONS.model[1]);
  checkAll(options, OPTIONS, "");
  if (options.compat) checkAll(options.compat, COMPAT, "compat.");
}

/** @throws ConfigurationError `OPTION_INVALID` when the variable of the environment holds no URL; it is not repeated */
export function checkBaseURL(variable: string, value: string): void {
  if (isHttpUrl(value)) return;
  const message = `The variable ${variable} is not usable; expected ${HTTP_URL}.`;
  throw new ConfigurationError("OPTION_INVALID", { message, details: { option: "baseURL" } });
}

function checkAll(given: object, checks: Readonly<Record<string, readonly [Check, string]>>, prefix: string): void {
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check) refuse(prefix + name, "not known", `one of ${Object.keys(checks).join(", ")}`);
    if (value !== undefined && !check[0](value))
      refuse(prefix + name, `not usable (its type is ${typeof value})`, check[1]);
  }
}

function refuse(name: string, what: string, expected: string): never {
  throw new ConfigurationError("OPTION_INVALID", {
    message: `Option "${name}" of openai() is ${what}; expected ${expected}.`,
    details: { option: name },
  });
}

function isHttpUrl(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

function isClient(value: unknown): boolean {
  const { chat } = (value ?? {}) as Partial<OpenAIClient>;
  return typeof chat?.completions?.create === "function";
}
