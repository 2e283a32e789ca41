import type { ProviderAdapter, ProviderRequest } from "../../contracts/provider.js";
import { findModelLimits } from "../shared/known-models.js";
import { ChatStream } from "./chat-stream.js";
import { ChunkReader } from "./chunk-reader.js";
import { createEndpoint } from "./client.js";
import { asFailure, broken, chunkFailure } from "./failure.js";
import { checkOptions, type OpenAIOptions } from "./options.js";
import { chatRequest } from "./request.js";
import { initialHabits, learnFrom } from "./server-quirks.js";

/**
 * A model behind OpenAI's chat completions, or behind any server that speaks them.
 *
 * The SDK (`openai`, an optional peer) is loaded with the first request and does not retry; `withRetry` does. What is
 * not known of a server is found out: see `OpenAICompat`. A response without a finish reason is `STREAM_BROKEN`, never
 * the end of a message. Usage is absent when the server sends none. Aborting closes the connection at once and the
 * stream throws the signal's reason. Messages and details of errors hold no keys.
 *
 * @example
 * openai({ model: "gpt-5.1" });
 * openai({ id: "ollama", model: "qwen3", baseURL: "http://localhost:11434/v1" });
 *
 * @throws ConfigurationError `OPTION_INVALID` for options that cannot work; with the first request `PEER_MISSING`
 */
export function openai(options: OpenAIOptions): ProviderAdapter {
  checkOptions(options);
  const { id = "openai", model, headers } = options;
  const endpoint = createEndpoint(options);
  const limits = endpoint.isOpenAI ? findModelLimits({ provider: "openai", model }) : undefined;
  const contextWindow = options.contextWindow ?? limits?.contextWindow;
  const maxOutputTokens = options.maxOutputTokens ?? limits?.maxOutputTokens;
  let habits = initialHabits(options.compat ?? {}, endpoint.isOpenAI);

  async function open(request: ProviderRequest, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
    let tried = habits;
    while (true) {
      try {
        const body = chatRequest(request, { id, model }, tried);
        const call = { signal, maxRetries: 0, ...(headers && { headers: { ...headers } }) };
        const stream = await endpoint.send(body, call);
        if (tried !== habits) habits = tried;
        return stream;
      } catch (thrown) {
        const error = asFailure(thrown, { id, model, scrub: endpoint.scrub, isStreaming: false });
        const learned = signal.aborted ? null : learnFrom(error, tried);
        if (!learned) throw error;
        tried = learned;
      }
    }
  }

  function stream(request: ProviderRequest): ChatStream {
    const reader = new ChunkReader(id, () => new Set(request.tools.map((tool) => tool.name)));
    const scene = () => ({ id, model, scrub: endpoint.scrub, isStreaming: true });
    return new ChatStream({
      reader,
      request,
      open: (signal) => open(request, signal),
      failure: (thrown) => asFailure(thrown, scene()),
      refusal: (error) => chunkFailure(error, scene()),
      cutOff: () =>
        broken(
          reader.hasStarted
            ? `The stream of provider "${id}" ended in the middle of a message.`
            : `Provider "${id}" ended its answer without a single event. If that goes on, check that baseURL is right and the server streams.`,
        ),
    });
  }

  return {
    id,
    model,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    stream,
  };
}
