// Serves: Anthropic, OpenAI, Google, Zhipu, MiniMax, Cloudflare, DashScope, Volcengine, and gateways that sell credits.
// Accounts that are empty or may not spend more, which no wait of seconds changes. Vendors answer that with 400, with
// the status of a wrong key and with others, and few have a name for it.
import { isRateLimit } from "../../../text/context-overflow.js";
import { isDailyQuota } from "./retry-after.js";

/** The names of such a refusal. Zhipu, MiniMax and Cloudflare use numbers. */
const EMPTY_NAME =
  /insufficient_(?:\w+_)?quota|billing_(?:hard|not|error)|credit|overdue|arrear|setlimit|(?:enough|account|insufficient)_?balance|\b(?:1008|1113|1304|1311|2061|3036)\b/;

const QUOTA =
  /exceeded[_ ](?:your )?current[_ ]quota|quota_?exceeded|quota(?: \w+){0,3} exhausted|quota_exhausted|payment[_ ]required|usage[_ ]limit[_ ](?:has been )?(?:reached|exceeded)|reached your (?:\w+ )?usage limit|(?:daily|weekly|monthly) (?:\w+ )?(?:limit|quota)|\/ ?month\b|\bper day\b|exhausted (?:your|its) (?:\w+ ){0,3}quota/;

/** A quota that is full again so soon is not one that is spent. */
const SOON_FULL = /(?:\b|_)per[_ ](?:second|minute|hour)(?:\b|_)/;

const EMPTY = new RegExp(
  [
    /(?:insufficient|not enough|(?:run|ran)? ?out of|have any|all available) (?:(?!permission|privilege|access|scope)\w+ ){0,4}(?:balance|credits?|funds|quota)/,
    /(?:balance|credits?|funds|trial|pack) (?:\w+ ){0,3}(?:too low|insufficient|exhausted|depleted|used up|expired)/,
    /used up your (?:\w+ )?(?:points|credits|balance)|more credits|balance required|valid credit card/,
    /spend(?:ing)? (?:limit|cap)|budget (?:limit )?(?:has been )?exceeded|key limit exceeded|account is overdue/,
    /out of extra usage|draw from your extra usage|extra usage is required/, // Anthropic
    /hit your (?:daily|weekly|monthly|session|usage|spending) limit|your specified api usage limits/, // Anthropic
    /free tier .{0,30}exhausted|available in your (?:\w+ )?plan|plan (?:does )?not (?:include|support)/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** An unprocessable request and an unknown model are what some gateways call an empty account, too. */
const EMPTY_STATUSES = new Set<number | undefined>([undefined, 400, 401, 402, 403, 404, 412, 422, 429, 500]);

/** A quota of nothing, such as that of a model outside the plan. */
const NO_QUOTA = /\bquota exceeded\b.*\blimit: 0\b/s;

/** Larger than the quota of one minute: no wait makes it fit. */
const NEVER_FITS = /request too large|too large for model|reduce your message size|must be reduced/;

/** Whether a refusal is about a quota. `names` and `text` are in lower case. */
export function isQuota(status: number | undefined, names: string, text: string): boolean {
  if (status === 402 || isEmpty(status, names, text)) return true;
  if (status !== undefined && status !== 429 && status !== 403) return false;
  return (QUOTA.test(names) || QUOTA.test(text)) && !SOON_FULL.test(text);
}

/** Whether waiting does not help. Google calls the quota of a minute by the same words as an empty account, but says when. */
export function isSpent(
  { status, names, text, body }: { status: number | undefined; names: string; text: string; body: unknown },
  retryAfterMs: number | undefined,
): boolean {
  if (isRateLimit(text) && NEVER_FITS.test(text)) return true;
  if (isEmpty(status, names, text) || isDailyQuota(body) || NO_QUOTA.test(text)) return true;
  return isQuota(status, names, text) && (retryAfterMs === undefined || status === 402);
}

function isEmpty(status: number | undefined, names: string, text: string): boolean {
  return EMPTY_STATUSES.has(status) && (EMPTY_NAME.test(names) || EMPTY.test(text));
}
