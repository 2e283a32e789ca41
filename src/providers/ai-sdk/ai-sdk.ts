import type { ProviderAdapter } from "../../contracts/provider.js";
import { Failures } from "../shared/failures/failures.js";
import { createScrub } from "../shared/failures/secrets.js";
import { secretsIn } from "../shared/http/connection-options.js";
import { type Endpoint, streamWith } from "../shared/http/model-api.js";
import type { Lesson } from "../shared/lessons.js";
import { mediaOf } from "../shared/media/media-of.js";
import { vendorOfAiSdk } from "../shared/media/vendor-limits.js";
import { modelCard } from "../shared/models/model-card.js";
import { NOT_READ } from "./ai-sdk-prompt.js";
import { aiSdkCallOptions } from "./call-options.js";
import { type AiSdkLanguageModel, specificationOf } from "./language-model.js";
import { aiSdkFailure, UNSUPPORTED_TYPE } from "./model-failures.js";
import { type AiSdkOptions, checkAiSdkOptions } from "./options.js";
import { AiSdkReader } from "./part-reader.js";

/** The types of files that a provider has refused: a history may hold files that it cannot send. */
interface ReadTypes {
  readonly refusedTypes: ReadonlySet<string>;
}

const LESSONS: readonly Lesson<ReadTypes>[] = [
  [
    UNSUPPORTED_TYPE,
    ({ refusedTypes }, said) => {
      const type = UNSUPPORTED_TYPE.exec(said)![1]!;
      return !refusedTypes.has(type) && { refusedTypes: new Set([...refusedTypes, type]) };
    },
  ],
];

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
  const failures = new Failures({ provider: id, model, scrub: createScrub(secretsIn(headers)) });
  // Names are like "openai.chat" and "google.generative-ai".
  const vendor = options.id ?? provider.split(".")[0]!;
  const endpoint: Endpoint<object> = {
    async send(call, abortSignal) {
      try {
        const { stream } = await languageModel.doStream({ ...call, abortSignal } as never);
        return new StreamSteps(stream);
      } catch (thrown) {
        throw aiSdkFailure(thrown, failures, false);
      }
    },
    failure: (thrown) => aiSdkFailure(thrown, failures, true),
    failures,
    mediaVendor: vendorOfAiSdk(provider),
  };
  const stream = streamWith<ReadTypes, object>(endpoint, {
    capabilities: { refusedTypes: new Set() },
    write(request, { refusedTypes }) {
      const body = aiSdkCallOptions(request, { version, owner, refusedTypes }, { headers, providerOptions });
      const unread =
        refusedTypes.size === 0
          ? []
          : mediaOf(request).filter((part) => refusedTypes.has(part.mediaType.toLowerCase()));
      return { body, leftOut: unread.map((part) => ({ part, reason: NOT_READ })) };
    },
    lessons: LESSONS,
    createReader: () => new AiSdkReader(failures, owner),
  });
  return { ...modelCard({ ...options, id, model }, "aiSdk()", vendor, true), stream };
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
