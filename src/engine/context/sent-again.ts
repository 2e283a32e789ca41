// The tokens that a session's next request sends once more, for hooks that warn of their cost.
import type { HookPayloads } from "../../contracts/hook.js";
import type { RunState } from "../run/run-state.js";

/** Nothing where the last call was not counted, or the view was made smaller since. */
export function sentAgain({ transcript, meter, provider }: RunState): Pick<HookPayloads["PreModelSwitch"], SentAgain> {
  const { usage } = transcript.lastUsage ?? {};
  if (!usage || usage.estimated) return {};
  const contextTokens = usage.inputTokens + usage.outputTokens;
  const written = { inputTokens: contextTokens, outputTokens: 0, cacheWriteTokens: contextTokens };
  const estimatedCacheWriteUsd = meter.priceOf(provider, written);
  return { contextTokens, ...(estimatedCacheWriteUsd !== null && { estimatedCacheWriteUsd }) };
}

type SentAgain = "contextTokens" | "estimatedCacheWriteUsd";
