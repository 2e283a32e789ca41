import { ProviderError } from "../../../contracts/errors.js";

/** The error for a stream in which the message begins a second time: what came before it must not be mixed with it. */
export function begunAgain(provider: string): ProviderError {
  const message = `Provider "${provider}" began its message again in the middle of the stream. If it does so again, check the proxy in front of it.`;
  return new ProviderError("STREAM_BROKEN", { message, retryable: true });
}
