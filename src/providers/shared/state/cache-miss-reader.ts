import type { CacheMissReason, ProviderEvent } from "../../../contracts/provider.js";
import { isObject } from "../../../json/is-object.js";
import { tokenCount } from "../counted-usage.js";
import { PassingReader } from "../http/passing-reader.js";
import type { EventReader } from "../http/response-stream.js";

/** Reads beside a response what the vendor says of its cache, and puts it into the end of the message. */
export class CacheMissReader extends PassingReader {
  #miss: CacheMissReason | undefined;

  constructor(
    inner: EventReader,
    /** Finds the report of a miss in a piece of data: an object with a `reason` or a `type`, and the tokens missed. */
    private readonly find: (data: { readonly [field: string]: unknown }) => unknown,
  ) {
    super(inner);
  }

  override read(data: unknown): void {
    const said = isObject(data) ? this.find(data) : undefined;
    if (isObject(said)) {
      const reason = said.reason ?? said.type;
      const missedTokens = tokenCount(said.cache_missed_input_tokens ?? said.cache_missed_tokens);
      if (typeof reason === "string") this.#miss = { reason, ...(missedTokens !== undefined && { missedTokens }) };
    }
    super.read(data);
  }

  protected take(event: ProviderEvent): void {
    this.events.push(event.type === "message-end" && this.#miss ? { ...event, cacheMiss: this.#miss } : event);
  }
}

/** The place where the vendors put it; `undefined` where nothing was missed. */
export const ANTHROPIC_MISS = (data: { readonly [field: string]: unknown }): unknown => {
  const holder = [data.message, data.delta, data].find((one) => isObject(one) && isObject(one.diagnostics));
  return isObject(holder) && isObject(holder.diagnostics) ? holder.diagnostics.cache_miss_reason : undefined;
};

export const OPENAI_MISS = ({ response }: { readonly [field: string]: unknown }): unknown => {
  const said = isObject(response) ? response.prompt_cache_diagnostics : undefined;
  return isObject(said) && said.type === "cache_miss" ? said : undefined;
};
