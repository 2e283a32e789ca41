import type { ProviderAdapter, ProviderRequest } from "../../contracts/provider.js";
import { ResponseStream } from "../shared/http/response-stream.js";
import { sendAndLearn } from "../shared/http/send-and-learn.js";
import { findModelLimits } from "../shared/models/known-models.js";
import { listPrices } from "../shared/models/price-of.js";
import { googleToolName } from "./contents.js";
import { createGoogleEndpoint } from "./endpoint.js";
import { initialModelFeatures, learnModelFeatures, type ModelFeatures } from "./model-features.js";
import { checkGoogleOptions, type GoogleOptions } from "./options.js";
import { type GoogleSettings, prepareBody } from "./request-body.js";
import { GoogleReader } from "./response-reader.js";

/**
 * A model behind the Gemini API, or behind Vertex AI.
 *
 * Speaks over `fetch`: nothing has to be installed. Does not retry; `withRetry` does. Signatures of thoughts go back on
 * the very part they came with; calls that another model wrote get the stand-in that Google documents. Schemas are sent
 * in the part of JSON Schema that Google reads: see `toGoogleSchema`. A response that breaks off before its finish reason
 * is `STREAM_BROKEN`. Aborting closes the connection at once and the stream throws the signal's reason. Messages and
 * details of errors hold no keys.
 *
 * @example
 * google({ model: "gemini-3-pro" });
 *
 * @throws ConfigurationError `OPTION_INVALID` for options that cannot work
 */
export function google(options: GoogleOptions): ProviderAdapter {
  checkGoogleOptions(options);
  const { id = "google", model, thinking, schemas } = options;
  const endpoint = createGoogleEndpoint(options);
  // Another server's price and window are its own, whatever the model is called.
  const vendor = endpoint.isGoogle ? "google" : id === "google" ? "" : id;
  const limits = findModelLimits({ provider: vendor, model });
  const contextWindow = options.contextWindow ?? limits?.contextWindow;
  const maxOutputTokens = options.maxOutputTokens ?? limits?.maxOutputTokens;
  const settings: GoogleSettings = { model, owner: `${id}/${model}`, thinking };
  let features: ModelFeatures = { ...initialModelFeatures(model), ...(schemas && { schemas }) };

  async function open(request: ProviderRequest, reader: GoogleReader, signal: AbortSignal) {
    const send = async (form: typeof features) => {
      const { body, outputTool } = prepareBody(request, settings, form);
      const source = await endpoint.send(body, signal);
      reader.outputTool = outputTool;
      return source;
    };
    const known = features;
    const { reply, form } = await sendAndLearn(known, send, learnModelFeatures, signal);
    // Another request may have learned something meanwhile: what taught nothing must not undo it.
    if (form !== known) features = form;
    return reply;
  }

  function stream(request: ProviderRequest): ResponseStream {
    const toolNameOf = (wireName: string) => {
      const tool = request.tools.find(({ name }) => name !== wireName && googleToolName(name) === wireName);
      return tool && !request.tools.some(({ name }) => name === wireName) ? tool.name : wireName;
    };
    const reader = new GoogleReader(id, settings.owner, toolNameOf);
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
