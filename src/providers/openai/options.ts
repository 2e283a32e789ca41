import { ConfigurationError } from "../../contracts/errors.js";
import {
  byDefault,
  checkOptions,
  FLAG,
  listOf,
  type OptionTable,
  oneOf,
  optionError,
  optionOf,
  recordOf,
  required,
  STRING,
  tableOf,
  type WithDefaults,
} from "../../json/check-options.js";
import { CONNECTION_OPTIONS, type ConnectionOptions } from "../shared/http/connection-options.js";
import { createOf, type OpenAIClient } from "./client.js";
import { type OpenAIEffort, reasons } from "./efforts.js";
import { takesBreakpoints } from "./responses/cache-breakpoints.js";
import { OPENAI_SERVER_TOOL, type OpenAIServerTool, openaiToolName } from "./server-tools.js";

/** The vendor's own switches for one of your tools. `deferLoading` and `allowedCallers` need `api: "responses"`. */
export interface OpenAIToolOptions {
  /**
   * Whether the model is held to the tool's schema, which is put into the subset that OpenAI takes then. Properties that are
   * optional in yours and come as `null` are left out again. Default: `false`.
   */
  readonly strict?: boolean | undefined;
  /** Whether the model sees the tool only once a tool search of the server has found it. Default: `false`. */
  readonly deferLoading?: boolean | undefined;
  /** Its callers: `"direct"` is the model itself, `"programmatic"` a program of it. Default: the model alone. */
  readonly allowedCallers?: readonly ("direct" | "programmatic")[] | undefined;
}

/**
 * The differences of an OpenAI-compatible server from OpenAI. Omitted ones are found out: the sensible default is
 * sent, and when the server refuses it by name, the request is repeated without it and the adapter remembers.
 */
export interface OpenAICompat {
  /** Whether `stream_options: { include_usage: true }` is sent. Default: `true`, until the server refuses it. */
  readonly streamUsage?: boolean | undefined;
  /**
   * The name of the output limit. Default: `"max_completion_tokens"` for OpenAI, `"max_tokens"` for other base
   * URLs, until the server refuses it.
   */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens" | undefined;
  /**
   * The field in which earlier reasoning goes back to the server. Default: the field it came in, or the
   * `reasoning_details` that came with it. A name sends it with
   * every message that called tools, empty if need be (DeepSeek and Kimi insist); `"none"` never sends it.
   */
  readonly reasoningField?: "reasoning_content" | "reasoning" | "none" | undefined;
  /** Whether `tool_choice` is understood. `false` leaves it out, and the tools with it when none may be called. Default: `true`. */
  readonly toolChoice?: boolean | undefined;
  /**
   * Whether the schema of a structured answer is sent as `strict`, so that the model cannot leave it. It is put into the
   * subset of JSON Schema that OpenAI takes then (`toStrictSchema`). Default: `false`.
   */
  readonly strictSchema?: boolean | undefined;
  /**
   * Whether `response_format` with a JSON Schema is understood. `"object"`: with `json_object` only. Where the schema cannot
   * be sent, it is written into the system prompt. Default: `true`, until the server refuses it.
   */
  readonly jsonSchema?: boolean | "object" | undefined;
  /**
   * The form of a request's reasoning effort: `effort` as `reasoning_effort`, `object` as `reasoning.effort`
   * (OpenRouter), `thinking` as `thinking.type` (DeepSeek, GLM, Kimi), `enable_thinking` (Qwen), `chat_template` as
   * `chat_template_kwargs.enable_thinking` (vLLM, llama.cpp), `none` not at all. Default: `"effort"`, until it is refused.
   */
  readonly reasoningControl?: ReasoningControl | undefined;
  /** Whether text that begins with `<think>` or the like is reasoning up to `</think>`: the server leaves the tags in. Default: `false`. */
  readonly thinkTags?: boolean | undefined;
  /**
   * Whether pieces of text, reasoning and arguments may each hold all that came before: what a piece begins with is then
   * said once. Such a server may also send new text, so pieces are passed on as they came when one begins otherwise, when
   * all are equal, and, if the text ends with the second, when that repeats the first alone (`ha`, `haha`) or the first is
   * short and has no word in it (`1`, `10`). Default: `true` for DashScope (`aliyuncs.com`) and Baidu Qianfan
   * (`baidubce.com`), else `false`, and all that comes is passed on. `probeProvider` finds it out.
   */
  readonly cumulativeText?: boolean | undefined;
  /**
   * The role of the system prompt; with `"user"` it stands before what the user says first. Default: `"system"`, until the
   * server refuses it.
   */
  readonly systemRole?: "system" | "developer" | "user" | undefined;
  /** Sent as `parallel_tool_calls`. Default: left out. */
  readonly parallelToolCalls?: boolean | undefined;
  /** Sends the session's id as `prompt_cache_key`. Default: for OpenAI itself only. */
  readonly promptCacheKey?: boolean | undefined;
  /** Whether `content: null` is understood in messages that only call tools. Default: `true`, until the server refuses it. */
  readonly nullContent?: boolean | undefined;
  /** Whether call ids have to be nine letters and digits (Mistral). Default: `false`, until the server refuses others. */
  readonly shortCallIds?: boolean | undefined;
  /** With `api: "responses"`, how reasoning is summarised for the reader. Default: `"auto"`, until the server refuses it. */
  readonly reasoningSummary?: "auto" | "concise" | "detailed" | "none" | undefined;
}

/** The form in which a server is asked for more or less reasoning. */
export type ReasoningControl = "effort" | "object" | "thinking" | "enable_thinking" | "chat_template" | "none";

/** Options of `openai()`. */
export interface OpenAIOptions extends ConnectionOptions {
  /** E.g. `"gpt-5.1"`. */
  readonly model: string;
  /**
   * `"chat"` is chat completions, which every compatible server speaks; `"responses"` is OpenAI's newer API, which keeps
   * the reasoning of earlier turns. Nothing is stored on the server with either, unless `state` says so. Default: `"chat"`.
   */
  readonly api?: "chat" | "responses" | undefined;
  /** Default: `OPENAI_API_KEY`. Servers of your own (`baseURL`) may need none. */
  readonly apiKey?: string | undefined;
  /** The variable of the environment that holds the key. Default: `"OPENAI_API_KEY"`. */
  readonly apiKeyEnv?: string | undefined;
  /** Default: `OPENAI_BASE_URL`, else OpenAI. */
  readonly baseURL?: string | undefined;
  /**
   * A ready client of the vendor's SDK (Azure, a proxy, a wrapper); then `apiKey`, `baseURL` and `fetch` are its own
   * business. Its retries are switched off.
   */
  readonly client?: OpenAIClient | undefined;
  /** The server's differences from OpenAI. Omitted ones are found out. */
  readonly compat?: OpenAICompat | undefined;
  /**
   * Recorded with each message and looked up in price tables. Default: `"openai"`. Give every other server its own name:
   * reasoning goes back only to the provider that wrote it.
   */
  readonly id?: string | undefined;
  /**
   * Tools that OpenAI's servers run, with `api: "responses"`. They stand beside your own; rules and modes decide whether they
   * are offered. Default: none.
   */
  readonly serverTools?: readonly OpenAIServerTool[] | undefined;
  /**
   * The place where a conversation is kept. `"server"`, with `api: "responses"`: by OpenAI, which stores each response and is sent only what is
   * new; when that cannot be gone on with, the whole request is sent again, as with `"client"`, which a notice says. Default: `"client"`.
   */
  readonly state?: "client" | "server" | undefined;
  /**
   * The least lifetime of cached prefixes whose ends are marked here, with `api: "responses"` and gpt-5.6 or later: the system prompt, which
   * goes out as a developer's message then, the request, and the one before. Default: left to OpenAI, which marks the end of each request.
   */
  readonly cache?: "30m" | "12h" | undefined;
  /**
   * Whether OpenAI is asked, with `api: "responses"`, why its cache did not hit, comparing each request with the conversation's last one.
   * `withCacheGuard({ onMiss })` gets what it says. Default: `false`.
   */
  readonly cacheDiagnosis?: boolean | undefined;
  /** Switches for your own tools, by their names. */
  readonly toolOptions?: Readonly<Record<string, OpenAIToolOptions>> | undefined;
  /** The effort of requests that say nothing about `reasoning`. Default: the model's own. Models that do not reason have none. */
  readonly effort?: OpenAIEffort | undefined;
}

const COMPAT = {
  streamUsage: FLAG,
  maxTokensField: oneOf("max_tokens", "max_completion_tokens"),
  reasoningField: oneOf("reasoning_content", "reasoning", "none"),
  toolChoice: FLAG,
  strictSchema: FLAG,
  jsonSchema: oneOf(true, false, "object"),
  reasoningControl: oneOf("effort", "object", "thinking", "enable_thinking", "chat_template", "none"),
  thinkTags: FLAG,
  cumulativeText: FLAG,
  systemRole: oneOf("system", "developer", "user"),
  parallelToolCalls: FLAG,
  promptCacheKey: FLAG,
  nullContent: FLAG,
  shortCallIds: FLAG,
  reasoningSummary: oneOf("auto", "concise", "detailed", "none"),
} satisfies OptionTable<OpenAICompat>;

const TOOL_OPTIONS = {
  strict: FLAG,
  deferLoading: FLAG,
  allowedCallers: listOf(oneOf("direct", "programmatic"), "callers"),
} satisfies OptionTable<OpenAIToolOptions>;

const OPTIONS = {
  ...CONNECTION_OPTIONS,
  id: byDefault("openai", STRING),
  model: required(STRING),
  api: byDefault("chat", oneOf("chat", "responses")),
  apiKeyEnv: STRING,
  client: optionOf(isClient, "a client with chat.completions.create or responses.create"),
  compat: byDefault({}, tableOf(COMPAT)),
  serverTools: byDefault([], listOf(OPENAI_SERVER_TOOL, "tools of the server")),
  toolOptions: byDefault({}, recordOf(tableOf(TOOL_OPTIONS), "options of tools by their names")),
  cache: oneOf("30m", "12h"),
  cacheDiagnosis: byDefault(false, FLAG),
  state: byDefault("client", oneOf("client", "server")),
  effort: oneOf("none", "minimal", "low", "medium", "high", "xhigh", "max"),
} satisfies OptionTable<OpenAIOptions>;

/** Options with their defaults. */
export type CheckedOptions = WithDefaults<OpenAIOptions, typeof OPTIONS>;

/** The options that decide how a request is written. */
export type OpenAISettings = Pick<
  CheckedOptions,
  "id" | "model" | "serverTools" | "toolOptions" | "effort" | "cache" | "cacheDiagnosis"
>;

/** @throws ConfigurationError `OPTION_INVALID` that names the first wrong option; secrets are not repeated */
export function checkOpenAIOptions(options: OpenAIOptions): CheckedOptions {
  const renamed = { baseUrl: "baseURL", modelId: "model", name: "id" };
  const checked = checkOptions("openai()", options, OPTIONS, { renamed });
  checkTogether(checked);
  const { api, client } = checked;
  if (!client || createOf(client, api)) return checked;
  const method = api === "chat" ? "chat.completions.create" : "responses.create";
  throw new ConfigurationError("OPTION_INVALID", {
    message: `Option "client" of openai() has no ${method}, which api: "${api}" needs.`,
    details: { option: "client" },
  });
}

/** Options that need the newer API, or a model that reasons. */
function checkTogether({ api, model, effort, serverTools, toolOptions, state, cache }: CheckedOptions): void {
  const refuse = (option: string, value: unknown, expected: string) => {
    throw optionError("openai()", option, value, expected);
  };
  if (effort !== undefined && !reasons(model)) {
    refuse("effort", effort, `a model that reasons: "${model}" does not`);
  }
  const names = serverTools.map(openaiToolName);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) refuse("serverTools", twice, "each tool once");
  if (cache !== undefined && !takesBreakpoints(model)) {
    refuse("cache", cache, `a model that takes marks, gpt-5.6 or later: "${model}" does not`);
  }
  if (api === "responses") return;
  if (cache !== undefined) refuse("cache", cache, 'none without api: "responses"');
  if (state === "server") refuse("state", state, '"client" without api: "responses"');
  if (serverTools.length > 0) refuse("serverTools", serverTools, 'none without api: "responses"');
  const newer = Object.entries(toolOptions).find(([, one]) => one.deferLoading || one.allowedCallers);
  if (newer) refuse(`toolOptions.${newer[0]}`, newer[1], 'strict alone without api: "responses"');
}

function isClient(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return createOf(value, "chat") !== undefined || createOf(value, "responses") !== undefined;
}
