// Serves: OpenAI, Anthropic, Google, Bedrock, xAI, DeepSeek, Groq, OpenRouter, MiniMax, Zhipu, Baidu, Portkey.
// The code of a refusal: by its status, where that says enough, else by the refusal's own names. Wording
// counts where most vendors have no name: a conversation that is too long, and an account that may not spend more.
import type { ProviderErrorCode } from "../../../contracts/errors.js";
import { isContextOverflow } from "../../../text/context-overflow.js";
import { isQuota } from "./quota.js";

/** Statuses that say what has failed, whatever else is said. 446 is a guardrail of Portkey, 498 a full queue of Groq. */
const BY_STATUS: ReadonlyMap<number | undefined, ProviderErrorCode> = new Map([
  [401, "AUTH"],
  [403, "AUTH"],
  // A server behind this one failed, or it was disturbed.
  ...[408, 409, 424, 425, 499].map((status) => [status, "SERVER"] as const),
  [429, "RATE_LIMITED"],
  ...[446, 451].map((status) => [status, "CONTENT_FILTERED"] as const),
  ...[498, 503, 529].map((status) => [status, "OVERLOADED"] as const),
]);

type Row = readonly [RegExp, ProviderErrorCode];

/** Names that count beside any status but 429. */
const BY_ANY_NAME: readonly Row[] = [
  [
    /content_?(?:policy|filter)|sensitive_?content|data_inspection_failed|moderation|censor|guardrail|malicious|(?:bio|cyber)_policy/,
    "CONTENT_FILTERED",
  ],
  [/\b(?:refusal|safety|1026|1027|1301)\b/, "CONTENT_FILTERED"], // OpenRouter; MiniMax and Zhipu number theirs.
  // The model wrote a call or an answer that Groq could not read. Asked again, it most often gets it right.
  [/tool_use_failed|json_validate_failed/, "SERVER"],
  [/\bmodelerror\b/, "BAD_REQUEST"], // Zen answers an unknown model with 401.
];

/** Names that count where the status is a vague one, or there is not one. */
const BY_NAME: readonly Row[] = [
  [/rate[_ ]?limit|too[_ ]many[_ ]requests|throttl|resource_?exhausted|\b1002\b/, "RATE_LIMITED"],
  [/overload|slow_?down|unavailable|at capacity|no[_ ]capacity|not_?ready|\b(?:1305|336100)\b/, "OVERLOADED"],
  [
    /authentication|unauthenticated|permission|unauthori[sz]ed|forbidden|invalid[_ ](?:\w+[_ ])?(?:key|token)|api_key_(?:invalid|expired)|access[_ ]denied|\b1004\b/,
    "AUTH",
  ],
  [/timeout|timed out|deadline|server_error/, "SERVER"],
];

/** Names of what is wrong with a request, in a stream; OpenAI's for an image among them. */
const BAD_REQUEST =
  /bad[_ ]?request|\binvalid[_ ]?(?!response)|not[_ ]found|unsupported|validation|failed_precondition|\bimage_(?:too|parse|file)|empty_image|download_image|\b2013\b/;

/** Messages with 400 or 403 for which the vendor has no name. */
const BY_WORDING: readonly Row[] = [
  [/content filtering policy/, "CONTENT_FILTERED"], // Anthropic
  [/content exists risk/, "CONTENT_FILTERED"], // DeepSeek
  [/violates usage guidelines/, "CONTENT_FILTERED"], // xAI, with 403
  [/rejected as a result of our safety system/, "CONTENT_FILTERED"], // OpenAI
  [/api key (?:not valid|expired|has expired)|(?:incorrect|invalid) api key/, "AUTH"], // Google, xAI
  [/organization has been disabled/, "AUTH"], // Anthropic
  [/tool_use_failed|json_validate_failed/, "SERVER"], // LiteLLM quotes Groq's name.
];

/** Longest name at the beginning of a text. Unit: characters. */
const MAX_NAME_CHARS = 20;

/** `names` are all names of the refusal, `text` is its message; both in lower case. */
export function failureCodeOf(status: number | undefined, names: string, text: string): ProviderErrorCode {
  // A gateway may wrap the refusal of the model behind it into any failure of its own; a limit of rate uses the same words.
  if (isContextOverflow(names.split(" "), status === 429 ? "" : text)) return "CONTEXT_TOO_LONG";
  const named = status === 429 ? undefined : find(BY_ANY_NAME, names);
  if (named) return named;
  const worded = status === 400 || status === 403 ? find(BY_WORDING, text) : undefined;
  if (worded) return worded;
  if (isQuota(status, names, text)) return "RATE_LIMITED";
  // A refusal that is only a text has its name in front: "ResourceExhausted: …".
  const name = names === "" && status === undefined ? text.slice(0, MAX_NAME_CHARS) : names;
  return BY_STATUS.get(status) ?? find(BY_NAME, name) ?? vague(status, names);
}

/** A failure inside a stream that has no name is most often the server's own trouble. */
function vague(status: number | undefined, names: string): ProviderErrorCode {
  if (status === 413) return "CONTEXT_TOO_LONG";
  if (status === undefined) return BAD_REQUEST.test(names) ? "BAD_REQUEST" : "SERVER";
  return status >= 500 ? "SERVER" : "BAD_REQUEST";
}

function find(rows: readonly Row[], said: string): ProviderErrorCode | undefined {
  return rows.find(([pattern]) => pattern.test(said))?.[1];
}
