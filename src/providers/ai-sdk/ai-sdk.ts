import type { ProviderAdapter, ProviderRequest } from "../../contracts/provider.js";
import { Failures } from "../shared/failures/failures.js";
import { createScrub } from "../shared/failures/secrets.js";
import { secretsIn } from "../shared/http/connection-options.js";
import { ResponseStream } from "../shared/http/response-stream.js";
import { MediaCheck } from "../shared/media/media-check.js";
import { LeftOutNotices, mediaOf } from "../shared/media/media-of.js";
import { vendorOfAiSdk } from "../shared/media/vendor-limits.js";
import { findModelLimits } from "../shared/models/known-models.js";
import { listPrices } from "../shared/models/price-of.js";
import { aiSdkCallOptions } from "./call-options.js";
import { type AiSdkLanguageModel, specificationOf } from "./language-model.js";
import { aiSdkFailure, refusedMediaType } from "./model-failures.js";
import { type AiSdkOptions, checkAiSdkOptions } from "./options.js";
import { AiSdkReader } from "./part-reader.js";
import { NOT_READ } from "./prompt.js";

/**
 * A language model of the AI SDK (versions 2, 3 and 4 of its specification), with any of its providers.
 *
 * Needs nothing of the AI SDK itself: the model is known by its structure. Does not retry; `withRetry` does. Metadata that
 * the provider attaches to text, reasoning and calls goes back with them to the same model. Aborting ends the call and its
 * stream.
 *
 * @example
 * import { mistral } from "@ai-sdk/mistral";
 * aiSdk(mistral("mistral-large-latest"));
 *
 * @throws ConfigurationError `OPTION_INVALID` for what is not a model of these versions, and for options that cannot work
 */
export function aiSdk(languageModel: AiSdkLanguageModel, options: AiSdkOptions = {}): ProviderAdapter {
  const version = specificationOf(languageModel);
  checkAiSdkOptions(options);
  const { provider, modelId: model } = languageModel;
  const { id = provider, headers, providerOptions } = options;
  const owner = `ai-sdk:${provider}/${model}`;
  const refusedTypes = new Set<string>();
  const failures = new Failures({ provider: id, model, scrub: createScrub(secretsIn(headers)) });
  // Names are like "openai.chat" and "google.generative-ai".
  const vendor = options.id ?? provider.split(".")[0]!;
  const limits = findModelLimits({ provider: vendor, model });
  const contextWindow = options.contextWindow ?? limits?.contextWindow;
  const maxOutputTokens = options.maxOutputTokens ?? limits?.maxOutputTokens;

  const mediaCheck = new MediaCheck(vendorOfAiSdk(provider));
  const notices = new LeftOutNotices();

  async function open(asked: ProviderRequest, reader: AiSdkReader, signal: AbortSignal) {
    const { request, leftOut } = await mediaCheck.check(asked, signal);
    while (true) {
      try {
        const call = aiSdkCallOptions(request, { version, owner, refusedTypes }, { headers, providerOptions }, signal);
        const { stream } = await languageModel.doStream(call as never);
        const unread =
          refusedTypes.size === 0 ? [] : mediaOf(request).filter((part) => refusedTypes.has(part.mediaType));
        const alsoOut = unread.map((part) => ({ part, reason: NOT_READ }));
        reader.events.push(...notices.of(request.sessionId, [...leftOut, ...alsoOut]));
        return new StreamSteps(stream);
      } catch (thrown) {
        // A history may hold files that this model's provider cannot send.
        const refused = refusedMediaType(thrown);
        if (refused === undefined || refusedTypes.has(refused)) throw aiSdkFailure(thrown, failures, false);
        refusedTypes.add(refused);
      }
    }
  }

  return {
    id,
    model,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    prices: listPrices(vendor),
    stream: (request) => {
      const reader = new AiSdkReader(failures, owner);
      return new ResponseStream({
        reader,
        request,
        failures,
        failure: (thrown) => aiSdkFailure(thrown, failures, true),
        open: (signal) => open(request, reader, signal),
      });
    },
  };
}

/** A web stream as an async iterator, also where streams are not themselves; leaving it cancels the stream. */
class StreamSteps implements AsyncIterableIterator<unknown, undefined> {
  readonly #reader: ReadableStreamDefaultReader<unknown>;

  constructor(stream: ReadableStream<unknown>) {
    this.#reader = stream.getReader();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<unknown, undefined>> {
    const { value, done } = await this.#reader.read();
    return done ? { value: undefined, done: true } : { value, done: false };
  }

  async return(): Promise<IteratorResult<unknown, undefined>> {
    await this.#reader.cancel();
    return { value: undefined, done: true };
  }
}
