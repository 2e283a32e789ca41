// A server that never compacts, whatever its model is said to do: it is asked until that is clear, and then not again.
import { isHarnessError, ProviderError } from "../../../contracts/errors.js";
import type { ProviderEvent, ProviderRequest } from "../../../contracts/provider.js";

/** A refusal that is about the wish itself. Another one may be about this conversation: the second in a row counts. */
const NOT_KNOWN =
  /^(?=.*compact).*(?:unsupported|not (?:supported|permitted|allowed|available)|does not support|un(?:known|recogni[sz]ed|expected)|extra inputs|invalid (?:value|type))/is;

export class RefusedCompaction {
  #refusals = 0;
  #isTold = false;

  constructor(private readonly provider: string) {}

  get #isLearned(): boolean {
    return this.#refusals > 1;
  }

  /** @throws ProviderError `BAD_REQUEST` in place of a request that would be refused once more */
  check({ compact }: ProviderRequest): void {
    if (compact && this.#isLearned) throw new ProviderError("BAD_REQUEST", { message: this.#message });
  }

  take({ compact }: ProviderRequest): void {
    if (compact) this.#refusals = 0;
  }

  refuse({ compact }: ProviderRequest, error: unknown): void {
    if (!compact || !isHarnessError(error, "BAD_REQUEST")) return;
    this.#refusals += NOT_KNOWN.test(error.message) ? 2 : 1;
  }

  /** For the host, once, with the first request that is answered afterwards. */
  notices(): ProviderEvent[] {
    if (!this.#isLearned || this.#isTold) return [];
    this.#isTold = true;
    return [{ type: "notice", code: "SERVER_STATE", message: this.#message, details: { cause: "compaction" } }];
  }

  get #message(): string {
    return `The server of provider "${this.provider}" refuses to compact, so it is not asked again. Leave serverCompaction() out of the stages.`;
  }
}
