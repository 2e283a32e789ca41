import type { ProviderAdapter, ProviderRequest } from "../../contracts/provider.js";
import { checkOptions } from "../../json/check-options.js";
import { streamWith } from "../shared/http/model-api.js";
import { modelCard } from "../shared/models/model-card.js";
import { googleToolName } from "./contents.js";
import { createGoogleEndpoint } from "./endpoint.js";
import { GOOGLE_LESSONS, initialModelFeatures } from "./model-features.js";
import { GOOGLE_OPTIONS, type GoogleOptions } from "./options.js";
import { type GoogleSettings, prepareBody } from "./request.js";
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
  const checked = checkOptions("google()", options, GOOGLE_OPTIONS);
  const { id, model, thinking } = checked;
  const endpoint = createGoogleEndpoint(checked);
  const settings: GoogleSettings = { model, owner: `${id}/${model}`, thinking };
  const stream = streamWith(endpoint, {
    capabilities: initialModelFeatures(model),
    write: (request, features) => prepareBody(request, settings, features),
    lessons: GOOGLE_LESSONS,
    createReader: (request) => new GoogleReader(id, settings.owner, (wireName) => toolNameOf(wireName, request)),
  });
  return { ...modelCard(checked, "google()", "google", endpoint.isGoogle), stream };
}

/** The name of the tool that was sent under this one. */
function toolNameOf(wireName: string, { tools }: ProviderRequest): string {
  const tool = tools.find(({ name }) => name !== wireName && googleToolName(name) === wireName);
  return tool && !tools.some(({ name }) => name === wireName) ? tool.name : wireName;
}
