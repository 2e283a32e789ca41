import { ProviderError } from "../../../contracts/errors.js";
import { type LeastEffort, leastEffortIn } from "../least-effort.js";
import type { OpenAICompat, ReasoningControl } from "../options.js";
import { isTemperatureRefused, REFUSED } from "../refused-field.js";

/** What one server takes: its `compat` switches with the defaults filled in, corrected by what it has refused. */
export interface Habits extends Omit<OpenAICompat, "maxTokensField"> {
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
  readonly leastEffort: LeastEffort;
  readonly systemRole: "system" | "developer" | "user";
  /** Whether the roles of messages have to alternate. */
  readonly alternates: boolean;
  /** Whether calls may be streamed; where they may not, a request with tools asks for one document. */
  readonly streamsCalls: boolean;
  /** Whether a tool without parameters may have a schema that says so. */
  readonly emptySchemas: boolean;
  /** Whether `temperature` is understood: models that reason refuse it. */
  readonly temperature: boolean;
  /** What to call the output limit instead, once it is refused; nothing where the host has given its name. */
  readonly otherMaxTokensFields: readonly MaxTokensField[];
}

/** What the output limit is called; `"none"` where it has no name. */
type MaxTokensField = "max_tokens" | "max_completion_tokens" | "none";

/** The switches as given, and the sensible rest. */
export function initialHabits(provider: string, compat: OpenAICompat, isOpenAI: boolean): Habits {
  const { maxTokensField = isOpenAI ? "max_completion_tokens" : "max_tokens" } = compat;
  const otherMaxTokensField = maxTokensField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  return {
    ...compat,
    provider,
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
    leastEffort: "none",
    systemRole: compat.systemRole ?? "system",
    alternates: false,
    streamsCalls: true,
    emptySchemas: true,
    temperature: true,
    otherMaxTokensFields: compat.maxTokensField === undefined ? [otherMaxTokensField, "none"] : [],
  };
}

/**
 * What to do differently after a refusal; `null` when it is not about one of our habits.
 * A habit is given up once at most, so that asking again ends.
 */
export function learnFrom(error: unknown, habits: Habits): Habits | null {
  if (!(error instanceof ProviderError) || (error.code !== "BAD_REQUEST" && error.status !== 500)) return null;
  const said = error.message.toLowerCase();
  if (habits.streamUsage && /stream_options|include_usage/.test(said)) return { ...habits, streamUsage: false };
  if (habits.systemRole !== "user" && NO_SYSTEM_ROLE.test(said)) return { ...habits, systemRole: "user" };
  if (!habits.alternates && /roles must alternate/.test(said)) return { ...habits, alternates: true };
  if (habits.streamsCalls && isCallStreamRefused(said)) return { ...habits, streamsCalls: false };
  if (habits.emptySchemas && EMPTY_SCHEMA.test(said)) return { ...habits, emptySchemas: false };
  if (habits.reasoningField === undefined && /reasoning_content.{0,60}must be passed/.test(said)) {
    return { ...habits, reasoningField: "reasoning_content" };
  }
  if (!habits.shortCallIds && /tool.?call.?id.{0,120}length of 9/.test(said)) return { ...habits, shortCallIds: true };
  if (habits.nullContent && NULL_CONTENT.test(said)) return { ...habits, nullContent: false };
  if (habits.promptCacheKey && said.includes("prompt_cache_key")) return { ...habits, promptCacheKey: false };
  if (habits.jsonSchema !== false && /response_format|json_schema|json_object|json mode|guided/.test(said)) {
    return { ...habits, jsonSchema: habits.jsonSchema === true ? "object" : false };
  }
  if (habits.temperature && isTemperatureRefused(said)) return { ...habits, temperature: false };
  if (habits.toolChoice && /tool[_ ]?choice/.test(said)) return { ...habits, toolChoice: false };
  const leastEffort = leastEffortIn(said);
  if (leastEffort && habits.leastEffort === "none") return { ...habits, leastEffort };
  if (habits.reasoningControl !== "none" && REASONING.test(said)) return { ...habits, reasoningControl: "none" };
  const [next, ...otherMaxTokensFields] = habits.otherMaxTokensFields;
  if (next && said.includes(habits.maxTokensField) && REFUSED.test(said)) {
    return { ...habits, maxTokensField: next, otherMaxTokensFields };
  }
  return null;
}

/** Whether a server streams text, but no calls. */
export function isCallStreamRefused(said: string): boolean {
  return (
    /\bstream(?:ing|ed)?\b/i.test(said) &&
    /\btools?\b|\bfunction calling\b/i.test(said) &&
    REFUSED.test(said.toLowerCase())
  );
}

/** `properties: {}`, as servers refuse it. */
const EMPTY_SCHEMA =
  /\b(?:properties|parameters)\b.{0,80}(?:non-?empty|not be empty|at least one)|object schema missing properties/;

/** `content: null` beside calls, as servers refuse it. */
const NULL_CONTENT =
  /valid string\b.{0,80}\bcontent\b|content\W.{0,80}(?:null|none\b|nil\b|not an allowed value|valid string|must be (?:a )?(?:non-?null|string)|should be (?:a )?(?:valid )?string|required)|(?:null|none|nil)\b.{0,80}\bcontent\b|invalid type: null|got null|no content/;

/** Models without a place for the system prompt: Gemma, the first that reasoned, and templates of others. */
const NO_SYSTEM_ROLE =
  /(?:system|developer) (?:role|instruction|message|prompt)s? (?:is |are )?not (?:supported|enabled|allowed)|role['"`]? does not support ['"`](?:system|developer)|only user and assistant roles/;

/** Words about how much to reason. */
const REASONING =
  /reasoning[_ ]?effort|reasoningeffort|enable_thinking|chat_template_kwargs|\bthinking\b|\breasoning\b/;
