import {
  byDefault,
  FLAG,
  type OptionTable,
  oneOf,
  optionOf,
  required,
  STRING,
  withMethods,
} from "../../json/check-options.js";
import { isObject } from "../../json/is-object.js";
import { CONNECTION_OPTIONS, type ConnectionOptions } from "../shared/http/connection-options.js";
import type { CacheLifetime } from "./cache-breakpoints.js";
import type { AnthropicClient, AnthropicThinking } from "./wire.js";

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
  /** Sent as `anthropic-beta`. */
  readonly betas?: readonly string[] | undefined;
}

/** The rules of the options, and their defaults. */
export const ANTHROPIC_OPTIONS = {
  ...CONNECTION_OPTIONS,
  id: byDefault("anthropic", STRING),
  model: required(STRING),
  client: optionOf(isClient, "a client with messages.create()"),
  thinking: optionOf(isThinking, 'thinking as the API takes it, such as { type: "enabled", budget_tokens: 8000 }'),
  cache: byDefault("5m", oneOf("5m", "1h", false)),
  parallelToolCalls: FLAG,
  betas: byDefault(
    [],
    optionOf((value) => Array.isArray(value) && value.every((name) => /^[\w.-]+$/.test(name)), "an array of names"),
  ),
} satisfies OptionTable<AnthropicOptions>;

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
