import { isHostedBy } from "../shared/http/base-url.js";
import { lowerCased } from "../shared/http/connection-options.js";
import type { Endpoint } from "../shared/http/model-api.js";
import { clientEndpoint, connectTo, type Vendor } from "../shared/http/vendor-server.js";
import type { GoogleOptions } from "./options.js";
import type { GoogleBody } from "./wire.js";

/** The server that receives the requests. */
export interface GoogleEndpoint extends Endpoint<GoogleBody> {
  /** Whether this is Google itself, so that its prices and limits apply. */
  readonly isGoogle: boolean;
}

const GOOGLE: Vendor = {
  owner: "google()",
  url: "https://generativelanguage.googleapis.com/v1beta",
  urlVariable: "GOOGLE_GEMINI_BASE_URL",
  domain: "googleapis.com",
  keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  keyHeader: "x-goog-api-key",
};

/** @throws ConfigurationError `OPTION_INVALID` when a key is needed and there is not one, or the environment is wrong */
export function createGoogleEndpoint(options: GoogleOptions & { readonly id: string }): GoogleEndpoint {
  const { client, model } = options;
  if (client) {
    const headers = lowerCased(options.headers);
    const endpoint = clientEndpoint<GoogleBody>(client, options, ({ contents, generationConfig, ...rest }, signal) => {
      const config = { ...generationConfig, ...rest, abortSignal: signal, httpOptions: { headers } };
      return client.models.generateContentStream({ model, contents: contents as never, config: config as never });
    });
    return { ...endpoint, isGoogle: true };
  }
  const { connection, baseURL, isVendors } = connectTo(GOOGLE, options);
  const version = /\/v\d/.test(new URL(baseURL).pathname) ? "" : "/v1beta";
  const path = `${version}${modelPath(model)}:streamGenerateContent?alt=sse`;
  return {
    send: (body, signal) => connection.events(path, body, signal),
    failures: connection.failures,
    isGoogle: isVendors,
    ...(isHostedBy(baseURL, "generativelanguage.googleapis.com") && { mediaVendor: "gemini" }),
  };
}

/** A name with a slash says itself where it stands, such as `tunedModels/mine`. */
function modelPath(model: string): string {
  const path = model.split("/").map(encodeURIComponent).join("/");
  return model.includes("/") ? `/${path}` : `/models/${path}`;
}
