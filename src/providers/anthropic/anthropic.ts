import type { ProviderAdapter, ProviderRequest } from "../../contracts/provider.js";
import { ResponseStream } from "../shared/http/response-stream.js";
import { sendAndLearn } from "../shared/http/send-and-learn.js";
import { findModelLimits } from "../shared/models/known-models.js";
import { listPrices } from "../shared/models/price-of.js";
import { createAnthropicEndpoint } from "./endpoint.js";
import { AnthropicReader } from "./event-reader.js";
import { initialModelHabits, learnModelHabits } from "./model-habits.js";
import { type AnthropicOptions, checkAnthropicOptions } from "./options.js";
import { prepareRequest, type RequestSettings } from "./request.js";

/** Output limit of a model that is not known. Unit: tokens. */
const DEFAULT_OUTPUT_TOKENS = 32_000;

/**
 * A model behind Anthropic's Messages API, or behind any server that speaks it.
 *
 * Speaks over `fetch`: nothing has to be installed. Does not retry; `withRetry` does. The end of the tools, of the system
 * prompt and of the messages are marked for the prompt cache. Thinking goes back to the model that wrote it exactly as it
 * came. A response that breaks off before its end is `STREAM_BROKEN`. Aborting closes the connection at once and the
 * stream throws the signal's reason. Messages and details of errors hold no keys.
 *
 * @example
 * anthropic({ model: "claude-opus-5" });
 *
 * @throws ConfigurationError `OPTION_INVALID` for options that cannot work
 */
export function anthropic(options: AnthropicOptions): ProviderAdapter {
  checkAnthropicOptions(options);
  const { id = "anthropic", model, cache = "5m", parallelToolCalls, thinking } = options;
  const endpoint = createAnthropicEndpoint(options);
  // Another server's price and window are its own, whatever the model is called.
  const vendor = endpoint.isAnthropic ? "anthropic" : id === "anthropic" ? "" : id;
  const limits = findModelLimits({ provider: vendor, model });
  const contextWindow = options.contextWindow ?? limits?.contextWindow;
  const maxOutputTokens = options.maxOutputTokens ?? limits?.maxOutputTokens;
  const settings: RequestSettings = {
    model,
    owner: `${id}/${model}`,
    maxOutputTokens: maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS,
    cache: cache === false ? undefined : cache,
    parallelToolCalls,
    thinking,
  };
  let habits = initialModelHabits(model);

  async function open(request: ProviderRequest, reader: AnthropicReader, signal: AbortSignal) {
    const send = async (form: typeof habits) => {
      const { body, outputTool } = prepareRequest(request, settings, form);
      const source = await endpoint.send(body, signal);
      reader.outputTool = outputTool;
      return source;
    };
    const known = habits;
    const { reply, form } = await sendAndLearn(known, send, learnModelHabits, signal);
    // Another request may have learned something meanwhile: what taught nothing must not undo it.
    if (form !== known) habits = form;
    return reply;
  }

  function stream(request: ProviderRequest): ResponseStream {
    const reader = new AnthropicReader(id, settings.owner);
    return new ResponseStream({
      reader,
      request,
      failures: endpoint.failures,
      ...(endpoint.failure && { failure: endpoint.failure }),
      open: (signal) => open(request, reader, signal),
    });
  }

  return {
    id,
    model,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    prices: listPrices(vendor),
    stream,
  };
}
