import { ProviderError } from "../../contracts/errors.js";
import type { CacheMissReason, ProviderAdapter, ProviderEvent, ProviderRequest } from "../../contracts/provider.js";
import { byDefault, checkOptions, FLAG, FUNCTION, type OptionTable } from "../../json/check-options.js";
import { decorateProvider } from "../decorate.js";
import { type CacheBreak, compareRequests, type SentRequest, snapshot } from "./compare-requests.js";

/** The reaction to a request that does not begin with the one before. */
export interface CacheGuardOptions {
  /** Throws `CACHE_BROKEN` instead of sending the request. Default: `false`. */
  readonly strict?: boolean | undefined;
  /** Called for each break, before the request is sent. What it throws is ignored. */
  readonly onBreak?: ((found: CacheBreak) => void) | undefined;
  /** Called at the end of a response whose vendor says that its cache did not hit as it might have. What it throws is ignored. */
  readonly onMiss?: ((miss: CacheMiss) => void) | undefined;
}

/** A miss of a vendor's cache, as the vendor explains it. */
export interface CacheMiss extends CacheMissReason {
  readonly sessionId: string;
  /** The transcript that sent the request, when it is known. */
  readonly transcriptId?: string;
  /** The extra cost of the missed tokens over reading them from the cache. `null`: tokens or price are not known. */
  readonly costUsd: number | null;
  /** The break that was found in the request, if there was one. */
  readonly found?: CacheBreak;
}

const OPTIONS = {
  strict: byDefault(false, FLAG),
  onBreak: FUNCTION,
  onMiss: FUNCTION,
} satisfies OptionTable<CacheGuardOptions>;

/** Conversations that are watched at once; of more, the one that was silent longest is forgotten. */
const MAX_CONVERSATIONS = 1_000;

/**
 * Watches that the beginning of a conversation's requests does not change, so that prompt caches hit: system prompt, tools
 * and messages may only grow at the end, until a new epoch begins. A break names the segment, the first byte that
 * differs, the cause and the tokens that have to be paid again.
 *
 * Compares what the adapter is handed, one conversation at a time. Messages that are the same objects are not looked at.
 *
 * @example
 * const provider = withCacheGuard(openai({ model: "gpt-5.1" }), { onBreak: (found) => console.warn(found.cause) });
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function withCacheGuard(provider: ProviderAdapter, options: CacheGuardOptions = {}): ProviderAdapter {
  const { strict, onBreak, onMiss } = checkOptions("withCacheGuard()", options, OPTIONS);
  const conversations = new Map<string, SentRequest>();

  function check(request: ProviderRequest): CacheBreak | undefined {
    const key = request.epoch?.transcriptId ?? request.sessionId;
    const before = conversations.get(key);
    conversations.delete(key);
    conversations.set(key, snapshot(request));
    if (conversations.size > MAX_CONVERSATIONS) conversations.delete(conversations.keys().next().value!);
    const found = before && before.epoch === request.epoch?.id ? compareRequests(before, request) : undefined;
    if (!found) return undefined;
    report(found, onBreak);
    if (strict) throw brokenCache(provider.id, found);
    return found;
  }

  /** The same events; the end of the message reports a miss. */
  async function* watched(request: ProviderRequest, found: CacheBreak | undefined): AsyncGenerator<ProviderEvent> {
    for await (const event of provider.stream(request)) {
      if (event.type === "message-end" && event.cacheMiss) {
        const { sessionId, epoch } = request;
        const costUsd = costOf(provider, event.cacheMiss);
        const about = { sessionId, ...(epoch && { transcriptId: epoch.transcriptId }), costUsd };
        report({ ...event.cacheMiss, ...about, ...(found && { found }) }, onMiss);
      }
      yield event;
    }
  }

  return decorateProvider(provider, (request) => ({
    [Symbol.asyncIterator]: () => {
      const found = check(request);
      if (onMiss) return watched(request, found);
      return provider.stream(request)[Symbol.asyncIterator]();
    },
  }));
}

/** The extra cost of tokens that were not read from the cache. */
function costOf({ id, model, prices }: ProviderAdapter, { missedTokens }: CacheMissReason): number | null {
  if (missedTokens === undefined || !prices) return null;
  const of = (cacheReadTokens: number) =>
    prices({ provider: id, model }, { inputTokens: missedTokens, outputTokens: 0, cacheReadTokens });
  const [paid, cached] = [of(0), of(missedTokens)];
  return paid === null || cached === null ? null : paid - cached;
}

function report<Found>(found: Found, listener: ((found: Found) => void) | undefined): void {
  try {
    listener?.(found);
  } catch {
    // A listener's own failure must not end the run that it watches.
  }
}

function brokenCache(provider: string, found: CacheBreak): ProviderError {
  const { segment, at, cause, tokensLost } = found;
  return new ProviderError("CACHE_BROKEN", {
    message: `The request to provider "${provider}" does not begin with the one before: ${cause} (first difference at byte ${at} of its ${segment}). About ${tokensLost} cached tokens are lost. Make what writes it deterministic, or begin a new epoch.`,
    details: { ...found },
  });
}
