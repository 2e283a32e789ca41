import type { ProviderAdapter, ProviderRequest } from "../../contracts/provider.js";
import { findModelLimits } from "../shared/known-models.js";
import { ResponseStream } from "../shared/response-stream.js";
import { ChunkReader } from "./chat/chunk-reader.js";
import { chatRequest } from "./chat/request.js";
import { initialHabits, learnFrom } from "./chat/server-quirks.js";
import { createEndpoint } from "./client.js";
import { checkOpenAIOptions, type OpenAIOptions } from "./options.js";

/**
 * A model behind OpenAI's chat completions, or behind any server that speaks them.
 *
 * Speaks over `fetch`: nothing has to be installed. Does not retry; `withRetry` does. What is
 * not known of a server is found out: see `OpenAICompat`. A response without a finish reason is `STREAM_BROKEN`, never
 * the end of a message, unless the server has said that it is done. Usage is absent when the server sends none. Aborting
 * closes the connection at once and the stream throws the signal's reason. Messages and details of errors hold no keys.
 *
 * @example
 * openai({ model: "gpt-5.1" });
 * openai({ id: "ollama", model: "qwen3", baseURL: "http://localhost:11434/v1" });
 *
 * @throws ConfigurationError `OPTION_INVALID` for options that cannot work
 */
export function openai(options: OpenAIOptions): ProviderAdapter {
  checkOpenAIOptions(options);
  const { id = "openai", model } = options;
  const endpoint = createEndpoint(options);
  const limits = endpoint.isOpenAI ? findModelLimits({ provider: "openai", model }) : undefined;
  const contextWindow = options.contextWindow ?? limits?.contextWindow;
  const maxOutputTokens = options.maxOutputTokens ?? limits?.maxOutputTokens;
  let habits = initialHabits(options.compat ?? {}, endpoint.isOpenAI);

  async function open(request: ProviderRequest, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
    let tried = habits;
    while (true) {
      const body = chatRequest(request, { id, model }, tried);
      try {
        const source = await endpoint.send(body, signal);
        if (tried !== habits) habits = tried;
        return source;
      } catch (error) {
        const learned = signal.aborted ? null : learnFrom(error, tried);
        if (!learned) throw error;
        tried = learned;
      }
    }
  }

  return {
    id,
    model,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    stream: (request) =>
      new ResponseStream({
        reader: new ChunkReader(id, () => new Set(request.tools.map((tool) => tool.name))),
        request,
        failures: endpoint.failures,
        ...(endpoint.failure && { failure: endpoint.failure }),
        open: (signal) => open(request, signal),
      }),
  };
}
