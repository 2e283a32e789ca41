import { ProviderError, type ProviderErrorCode } from "../../src/contracts/errors.js";
import type { ProviderAdapter, ProviderEvent, ProviderRequest } from "../../src/contracts/provider.js";

/** What a playing provider does with one request: events, and then perhaps an error. */
export type Play = readonly (ProviderEvent | Error)[] | "stall";

/** A provider that plays these turns, one a request; the last one goes on. */
export function playing(id: string, ...plays: Play[]) {
  const requests: ProviderRequest[] = [];
  const provider: ProviderAdapter & { requests: ProviderRequest[] } = {
    id,
    model: `${id}-model`,
    requests,
    async *stream(request) {
      requests.push(request);
      const play = plays[Math.min(requests.length, plays.length) - 1]!;
      if (play === "stall") {
        yield { type: "message-start" };
        request.signal.throwIfAborted();
        await new Promise((_, reject) => {
          request.signal.addEventListener("abort", () => reject(request.signal.reason), { once: true });
        });
        return;
      }
      for (const step of play) {
        if (step instanceof Error) throw step;
        yield step;
      }
    },
  };
  return provider;
}

export function said(text: string, usage?: { inputTokens: number; outputTokens: number }): Play {
  return [
    { type: "message-start" },
    { type: "text-delta", text },
    { type: "message-end", finishReason: "stop", ...(usage && { usage }) },
  ];
}

export function failing(code: ProviderErrorCode, retryAfterMs?: number, retryable = true): ProviderError {
  return new ProviderError(code, { message: code, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) });
}
