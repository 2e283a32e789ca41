// Serves: OpenAI, Mistral, DeepSeek, Groq, GLM, Qwen, OpenRouter, Google, vLLM, llama.cpp.
import type { Lesson } from "../../shared/lessons.js";
import type { ModelName } from "../../shared/models/known-models.js";
import { leastEffortOf, type OpenAIEffort } from "../efforts.js";
import type { OpenAICompat, ReasoningControl } from "../options.js";
import { LEAST_EFFORT, REFUSED, TEMPERATURE } from "../shared-lessons.js";

/** The capabilities of one server: its `compat` switches with the defaults filled in, corrected by its refusals. */
export interface ChatCapabilities extends Omit<OpenAICompat, "maxTokensField"> {
  /** The adapter's `id`. */
  readonly provider: string;
  readonly streamUsage: boolean;
  readonly maxTokensField: MaxTokensField;
  readonly promptCacheKey: boolean;
  readonly reasoningField: OpenAICompat["reasoningField"];
  readonly nullContent: boolean;
  readonly shortCallIds: boolean;
  readonly jsonSchema: boolean | "object";
  /** Whether a structured answer has to be an object. */
  readonly objectAnswers: boolean;
  readonly toolChoice: boolean;
  readonly reasoningControl: ReasoningControl;
  readonly leastEffort: OpenAIEffort;
  readonly systemRole: "system" | "developer" | "user";
  /** Whether the roles of messages have to alternate. */
  readonly alternates: boolean;
  /** Whether a tool without parameters may have a schema that says so. */
  readonly emptySchemas: boolean;
  /** Whether `temperature` is understood: models that reason refuse it. */
  readonly temperature: boolean;
  /** Other names for the output limit, once it is refused; none where the host has named it. */
  readonly otherMaxTokensFields: readonly MaxTokensField[];
}

/** The name of the output limit; `"none"` where it has none. */
type MaxTokensField = "max_tokens" | "max_completion_tokens" | "none";

/** The switches as given, and the sensible rest. */
export function initialChatCapabilities(name: ModelName, compat: OpenAICompat, isOpenAI: boolean): ChatCapabilities {
  const { maxTokensField = isOpenAI ? "max_completion_tokens" : "max_tokens" } = compat;
  const otherMaxTokensField = maxTokensField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  return {
    ...compat,
    provider: name.provider,
    streamUsage: compat.streamUsage ?? true,
    maxTokensField,
    promptCacheKey: compat.promptCacheKey ?? isOpenAI,
    reasoningField: compat.reasoningField,
    nullContent: compat.nullContent ?? true,
    shortCallIds: compat.shortCallIds ?? false,
    jsonSchema: compat.jsonSchema ?? true,
    objectAnswers: isOpenAI,
    toolChoice: compat.toolChoice ?? true,
    reasoningControl: compat.reasoningControl ?? "effort",
    leastEffort: leastEffortOf(name),
    systemRole: compat.systemRole ?? "system",
    alternates: false,
    emptySchemas: true,
    temperature: true,
    otherMaxTokensFields: compat.maxTokensField === undefined ? [otherMaxTokensField, "none"] : [],
  };
}

/** `content: null` beside calls, as OpenAI, Qwen, llama.cpp and servers on pydantic refuse it. */
const NO_NULL = "(?:null|none|nil|no|valid string|not an allowed value|must be a string|required)";
const NULL_CONTENT = new RegExp(`\\b${NO_NULL}\\b.{0,80}\\bcontent\\b|\\bcontent\\b.{0,80}\\b${NO_NULL}\\b`);

/** The lessons of refusals, each in the words of a server that is named beside it. */
export const CHAT_LESSONS: readonly Lesson<ChatCapabilities>[] = [
  [/stream_options|include_usage/, (now) => now.streamUsage && { streamUsage: false }], // Mistral
  // Gemma, the first models of OpenAI that reasoned, and templates of others have no place for a system prompt.
  [
    /(?:system|developer) (?:role|instruction|message|prompt)s? (?:is |are )?not (?:supported|enabled|allowed)|role['"`]? does not support ['"`](?:system|developer)|only user and assistant roles/,
    (now) => now.systemRole !== "user" && { systemRole: "user" },
  ],
  [/roles must alternate/, (now) => !now.alternates && { alternates: true }], // vLLM, llama.cpp
  // Google: `properties: {}`
  [
    /\b(?:properties|parameters)\b.{0,80}non-?empty|object schema missing properties/,
    (now) => now.emptySchemas && { emptySchemas: false },
  ],
  // DeepSeek
  [
    /reasoning_content.{0,60}must be passed/,
    (now) => now.reasoningField === undefined && { reasoningField: "reasoning_content" },
  ],
  [/tool.?call.?id.{0,120}length of 9/, (now) => !now.shortCallIds && { shortCallIds: true }], // Mistral
  [NULL_CONTENT, (now) => now.nullContent && { nullContent: false }],
  // DeepSeek, Groq beside tools, vLLM
  [
    /response_format|json_schema|json_object|json mode|guided/,
    ({ jsonSchema }) => jsonSchema !== false && { jsonSchema: jsonSchema === true ? "object" : false },
  ],
  TEMPERATURE, // OpenAI
  [/tool[_ ]?choice/, (now) => now.toolChoice && { toolChoice: false }], // DeepSeek, GLM
  LEAST_EFFORT, // OpenAI, OpenRouter
  [
    /reasoning[_ ]?effort|reasoningeffort|enable_thinking|chat_template_kwargs|\bthinking\b|\breasoning\b/,
    (now) => now.reasoningControl !== "none" && { reasoningControl: "none" },
  ],
  [REFUSED, otherMaxTokensField], // OpenAI
];

function otherMaxTokensField({ maxTokensField, otherMaxTokensFields }: ChatCapabilities, said: string) {
  const [next, ...others] = otherMaxTokensFields;
  return next && said.includes(maxTokensField) && { maxTokensField: next, otherMaxTokensFields: others };
}
