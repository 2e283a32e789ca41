import { ProviderError, type ProviderErrorCode } from "../../../contracts/errors.js";
import type { JsonObject } from "../../../contracts/json.js";
import { isContextOverflow, isRateLimit } from "../../../text/context-overflow.js";
import { readLimitReset } from "./limit-reset.js";
import { readableText } from "./readable-text.js";
import { type HeaderReader, isDailyQuota, readRetryAfter, readRetryDelay } from "./retry-after.js";
import type { Scrub } from "./secrets.js";

/** A refusal as a server sent it, before it is understood. */
export interface Refusal {
  /** The adapter's `id`, for the message. */
  readonly provider: string;
  readonly model: string;
  /** The HTTP status; absent for an error inside a stream that does not name one. */
  readonly status?: number | undefined;
  /** The vendor's own code and type, e.g. `"insufficient_quota"`. */
  readonly code?: string | undefined;
  readonly type?: string | undefined;
  /** Everything that it calls itself, `code` and `type` among it. */
  readonly names: readonly string[];
  readonly message: string;
  readonly header?: HeaderReader | undefined;
  /** All that it said, parsed when it was JSON: some say there when to come back. */
  readonly body?: unknown;
}

const RETRYABLE: ReadonlySet<ProviderErrorCode> = new Set([
  "RATE_LIMITED",
  "OVERLOADED",
  "TIMEOUT",
  "CONNECTION",
  "SERVER",
  "STREAM_BROKEN",
]);

const QUOTA =
  /billing_error|exceeded[_ ](?:your )?current[_ ]quota|quota_?exceeded|quota(?: \w+){0,3} exhausted|quota_exhausted|(?:credit|account) balance|billing[_ ](?:hard[_ ])?(?:limit|not)|payment[_ ]required|more credits|usage[_ ]limit[_ ](?:has been )?(?:reached|exceeded)|reached your (?:\w+ )?usage limit|(?:daily|weekly|monthly) (?:\w+ )?(?:limit|quota)|\/ ?month\b|\bper day\b|exhausted (?:your|its) (?:\w+ ){0,3}quota|(?:今日|每日).{0,8}(?:上限|限额)/;

/** A quota that is full again so soon is not one that is spent. */
const SOON_FULL = /(?:\b|_)per[_ ](?:second|minute|hour)(?:\b|_)/;

/** An account that is empty or may not spend more. Vendors answer it with 400, with the status of a wrong key, and others. */
const EMPTY_ACCOUNT = new RegExp(
  [
    /(?:insufficient|not[_ ]enough|(?:run|ran)? ?out of|have any|all available)[_ ](?:(?!permission|privilege|access|scope)\w+[_ ]){0,4}(?:balance|credits?|funds|quota)/,
    /(?:balance|credits?|funds|trial|pack)[_ ](?:\w+ ){0,3}(?:too low|insufficient|exhausted|depleted|used up|expired)/,
    /used up your (?:\w+ )?(?:points|credits|balance)/,
    /(?:billing[_ ]hard|spend(?:ing)?)[_ ](?:limit|cap)|budget[_ ](?:limit )?(?:has been )?exceeded|key limit exceeded|setlimitexceeded/,
    /balance required|overdue|arrear|out of extra usage|draw from your extra usage|extra usage is required|valid credit card|billing_not_active/,
    /hit your (?:daily|weekly|monthly|session|usage|spending) limit|your specified api usage limits/,
    /daily free allocation|free tier .{0,30}exhausted|available in your (?:\w+ )?plan|plan (?:does )?not (?:include|support)/,
    /余额不足|额度不足|(?:额度|配额)已用尽|欠费/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** An unprocessable request and an unknown model are what some gateways call an empty account, too. */
const EMPTY_ACCOUNT_STATUSES: ReadonlySet<number | undefined> = new Set([
  undefined,
  400,
  401,
  402,
  403,
  404,
  412,
  422,
  429,
  500,
]);

/** A quota of nothing, such as that of a model outside the plan. */
const NO_QUOTA = /\bquota exceeded\b.*\blimit: 0\b/s;

/** Gateways refuse the name of a model with the status of a wrong key. */
const WRONG_MODEL = /^model \S+ (?:is )?not (?:supported|found|available)/;

/** Larger than the quota of one minute: no wait makes it fit. */
const NEVER_FITS = /request too large|too large for model|reduce your message size|must be reduced/;

const FILTERED =
  /content[_ ](?:policy|filter|management policy|exists risk)|responsible ?ai|data_inspection_failed|inappropriate content|considered high risk|violat\w+ (?:(?:our|the) )?(?:usage|content|safety|guardrail) (?:polic|guideline)|blocked by (?:\w+ ){0,3}(?:guardrail|moderation|safety|filter)|rejected as a result of our safety system|prompt injection|flagged (?:as|by|for)|input was flagged|sensitive_words|new_sensitive|sensitivecontent|may contain sensitive|content .{0,30}\bunsafe|unsafe (?:or sensitive )?content|敏感内容|(?:bio|cyber)_policy/;

/** What a refusal of content calls itself, where the same word in a message may be about anything. */
const FILTERED_NAME = /moderation|censor|guardrail|(?:^| )(?:safety|refusal|malicious)\b/;

/** Google and xAI answer a wrong key with 400. */
const WRONG_KEY =
  /(?:invalid|incorrect|wrong|malformed|expired|revoked|missing) (?:\w+ )?api[-_ ]?key|api[-_ ]?key(?: \w+)?(?: is| was)? (?:not valid|invalid|incorrect|expired|revoked|missing|not found)|(?:api_key_invalid|invalid_api_key|api_key_expired)|authentication[_ ](?:failed|fails|error)|(?:invalid|expired) (?:access |api |auth(?:entication|orization)? )?token\b|login fail|organization has been (?:disabled|restricted|suspended)/;

/** Limits of rate that come with another status than their own. */
const TOO_FAST = /rate.?limit (?:\w+ )?(?:exceeded|reached)|request rate increased too quickly/;

/** The model wrote a call or an answer that Groq could not read. Asked again, it most often gets it right. */
const MODEL_FAILED = /tool_use_failed|json_validate_failed/;

/** Refusals that are not about the request: a server behind this one failed, or it was disturbed. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 424, 425, 499]);

/** What a refusal without an HTTP status calls itself. */
const BY_TYPE: readonly (readonly [RegExp, ProviderErrorCode])[] = [
  [/rate[_ ]?limit|too[_ ]many[_ ]requests|throttl|resource_exhausted/, "RATE_LIMITED"],
  [/overload|slow_?down|unavailable|at capacity|no[_ ]capacity|not_?ready/, "OVERLOADED"],
  [
    /authentication|unauthenticated|permission|unauthori[sz]ed|forbidden|invalid[_ ](?:\w+[_ ])?(?:key|token)|access[_ ]denied/,
    "AUTH",
  ],
  [/timeout|timed out|deadline/, "SERVER"],
  [/bad[_ ]?request|\binvalid[_ ]?(?!response)|not[_ ]found|unsupported|validation|failed_precondition/, "BAD_REQUEST"],
  // What OpenAI finds wrong with an image.
  [/\bimage_(?:too|parse|file)|empty_image|download_image/, "BAD_REQUEST"],
];

/** Turns a refusal into the error that hosts and retries understand. The message is bounded and holds no secrets. */
export function toProviderError(refusal: Refusal, scrub: Scrub): ProviderError {
  const { provider, model, message, header } = refusal;
  const { status } = refusal;
  const names = refusal.names.join(" ").toLowerCase();
  const code = codeOf(status, names, message);
  const text = message.slice(0, 20_000).toLowerCase();
  const asked = (header && readRetryAfter(header)) ?? readRetryDelay(refusal.body, text);
  const isSpent = code === "RATE_LIMITED" && isSpentFor(refusal, status, names, text, asked);
  const reset =
    asked === undefined && code === "RATE_LIMITED" && !isSpent && header ? readLimitReset(header) : undefined;
  const retryAfterMs = asked ?? reset;
  // Anthropic and OpenAI know of some failures that repeating them is in vain.
  const isVain = isSpent || header?.("x-should-retry")?.trim() === "false";
  const said = readableText(message, scrub) || "nothing that explains it";
  return new ProviderError(code, {
    message: `Provider "${provider}" refused the request for model "${model}"${status ? ` with status ${status}` : ""}: ${said}${/[.!?…]$/.test(said) ? "" : "."}${remedy(code, isSpent, status)}`,
    retryable: RETRYABLE.has(code) && !isVain,
    details: detailsOf(refusal, scrub),
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Whether waiting does not help. Google calls the quota of a minute by the same words as an empty account, but says when. */
function isSpentFor(
  { body }: Refusal,
  status: number | undefined,
  names: string,
  text: string,
  retryAfterMs: number | undefined,
): boolean {
  if (isRateLimit(text) && NEVER_FITS.test(text)) return true;
  if (isEmptyAccount(status, names, text) || isDailyQuota(body) || NO_QUOTA.test(text)) return true;
  if (!isQuota(status, names, text)) return false;
  return retryAfterMs === undefined || status === 402;
}

function codeOf(status: number | undefined, names: string, message: string): ProviderErrorCode {
  const text = message.slice(0, 20_000).toLowerCase();
  // A gateway may wrap the refusal of the model behind it into any failure of its own; a limit of rate uses the same words.
  if (isContextOverflow(names.split(" "), status === 429 ? "" : text)) return "CONTEXT_TOO_LONG";
  if (status === 451 || status === 446) return "CONTENT_FILTERED"; // 446: a guardrail of Portkey
  const isRefusalOfContent = status === undefined || (status >= 400 && status <= 500 && status !== 429);
  const isFiltered = FILTERED.test(names) || FILTERED_NAME.test(names) || FILTERED.test(text);
  if (isRefusalOfContent && isFiltered) return "CONTENT_FILTERED";
  if (status === 400 && WRONG_KEY.test(`${names} ${text}`)) return "AUTH";
  if (isQuota(status, names, text) || (status === 400 && TOO_FAST.test(text))) return "RATE_LIMITED";
  if (status === 400 && names.split(" ").includes("server_error")) return "SERVER";
  if (MODEL_FAILED.test(names) || MODEL_FAILED.test(text)) return "SERVER";
  if (status === undefined) return BY_TYPE.find(([name]) => name.test(names))?.[1] ?? byWords(text);
  if (status === 429) return "RATE_LIMITED";
  if (status === 401 || status === 403) return WRONG_MODEL.test(text) ? "BAD_REQUEST" : "AUTH";
  if (status === 413) return isRateLimit(`${names} ${text}`) ? "RATE_LIMITED" : "CONTEXT_TOO_LONG";
  if (status === 503 || status === 529 || status === 498) return "OVERLOADED";
  if (PASSING.has(status)) return "SERVER";
  if (status >= 500) return /overloaded|at capacity/.test(`${names} ${text}`) ? "OVERLOADED" : "SERVER";
  return "BAD_REQUEST";
}

/** An error inside a stream that names no kind is most often the server's own trouble. */
function byWords(text: string): ProviderErrorCode {
  if (isRateLimit(text) || /too many requests|throttl|resource[ _-]?exhausted|限频|频率|请求过多/.test(text))
    return "RATE_LIMITED";
  if (/overloaded|at capacity|temporarily unavailable|high (?:load|demand)|\bbusy\b|负载|繁忙|访问量/.test(text))
    return "OVERLOADED";
  if (WRONG_KEY.test(text) || /unauthorized/.test(text)) return "AUTH";
  if (/^invalid param/.test(text)) return "BAD_REQUEST";
  return "SERVER";
}

function isQuota(status: number | undefined, names: string, text: string): boolean {
  if (status === 402 || isEmptyAccount(status, names, text)) return true;
  if (status !== undefined && status !== 429 && status !== 403) return false;
  return (QUOTA.test(names) || QUOTA.test(text)) && !SOON_FULL.test(text);
}

function isEmptyAccount(status: number | undefined, names: string, text: string): boolean {
  return EMPTY_ACCOUNT_STATUSES.has(status) && (EMPTY_ACCOUNT.test(names) || EMPTY_ACCOUNT.test(text));
}

function remedy(code: ProviderErrorCode, isSpent: boolean, status: number | undefined): string {
  if (isSpent) return " Waiting does not help: check the account's quota and limits.";
  if (code === "AUTH") return " Check the API key and its rights.";
  if (status !== undefined && status < 400) return " The server redirects: check baseURL.";
  if (status === 404 || status === 405) return " Check the model's name and the path of baseURL: most end in /v1.";
  return "";
}

function detailsOf({ code, type, header }: Refusal, scrub: Scrub): JsonObject {
  const requestId = header?.("x-request-id") ?? header?.("request-id");
  const bounded = (value: string) => scrub(value).slice(0, 200);
  return {
    ...(code && { vendorCode: bounded(code) }),
    ...(type && { vendorType: bounded(type) }),
    ...(requestId && { requestId: bounded(requestId) }),
  };
}
