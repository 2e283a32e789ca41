import { ProviderError } from "../../contracts/errors.js";

/**
 * The id of one response while it streams. By the protocols it is the same in every event, so two ids are two responses, as
 * from a proxy that lost its server and asked again. A server that gives each event an id of its own says nothing by it.
 */
export class ResponseIdentity {
  #id: unknown;
  #isKept = false;
  #hasOther = false;

  /** Whether this id, which the next event has, is another response's. Without one there is nothing to say. */
  isOther(id: unknown): boolean {
    if (typeof id !== "string" || id === "") return false;
    if (id === this.#id) this.#isKept = true;
    else if (this.#id !== undefined) this.#hasOther = true;
    this.#id = id;
    return this.#isKept && this.#hasOther;
  }
}

/** The error for a stream in which the message begins a second time: what came before it must not be mixed with it. */
export function begunAgain(provider: string): ProviderError {
  const message = `Provider "${provider}" began its message again in the middle of the stream. If it does so again, check the proxy in front of it.`;
  return new ProviderError("STREAM_BROKEN", { message, retryable: true });
}
