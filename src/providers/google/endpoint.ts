import { Failures } from "../shared/failures/failures.js";
import { createScrub } from "../shared/failures/secrets.js";
import { isHostedBy } from "../shared/http/base-url.js";
import { Connection } from "../shared/http/connection.js";
import {
  lowerCased,
  missingKey,
  readEnvironmentKey,
  readEnvironmentURL,
  secretsIn,
} from "../shared/http/connection-options.js";
import type { Endpoint } from "../shared/http/model-api.js";
import { isRecord } from "../shared/is-record.js";
import type { GoogleOptions } from "./options.js";
import type { GoogleBody, GoogleClient } from "./wire.js";

/** The server that receives the requests. */
export interface GoogleEndpoint extends Endpoint<GoogleBody> {
  /** Whether this is Google itself, so that its prices and limits apply. */
  readonly isGoogle: boolean;
}

const GOOGLE_URL = "https://generativelanguage.googleapis.com/v1beta";

/** @throws ConfigurationError `OPTION_INVALID` when a key is needed and there is not one, or the environment is wrong */
export function createGoogleEndpoint(options: GoogleOptions): GoogleEndpoint {
  const { client, id: provider = "google", model, fetch } = options;
  const headers = lowerCased(options.headers);
  if (client) return clientEndpoint(client, options, headers);
  const baseURL = options.baseURL ?? readEnvironmentURL("GOOGLE_GEMINI_BASE_URL") ?? GOOGLE_URL;
  const isGoogle = isHostedBy(baseURL, "googleapis.com");
  const isSignedIn = headers.authorization !== undefined || headers["x-goog-api-key"] !== undefined;
  const apiKey = options.apiKey ?? (isSignedIn ? undefined : readEnvironmentKey("GEMINI_API_KEY", "GOOGLE_API_KEY"));
  if (apiKey === undefined && !isSignedIn && isGoogle) {
    throw missingKey(
      "google()",
      'Pass "apiKey", set GEMINI_API_KEY, or pass the "baseURL" of a server that needs none.',
    );
  }
  const connection = new Connection({
    provider,
    model,
    baseURL,
    fetch,
    headers: { ...(apiKey !== undefined && { "x-goog-api-key": apiKey }), ...headers },
    secrets: [apiKey, ...secretsIn(headers)],
  });
  const version = /\/v\d/.test(new URL(baseURL).pathname) ? "" : "/v1beta";
  const path = `${version}${modelPath(model)}:streamGenerateContent?alt=sse`;
  return {
    send: (body, signal) => connection.events(path, body, signal),
    failures: connection.failures,
    isGoogle,
    ...(isHostedBy(baseURL, "generativelanguage.googleapis.com") && { mediaVendor: "gemini" }),
  };
}

/** A name with a slash says itself where it stands, such as `tunedModels/mine`. */
function modelPath(model: string): string {
  const path = model.split("/").map(encodeURIComponent).join("/");
  return model.includes("/") ? `/${path}` : `/models/${path}`;
}

function clientEndpoint(
  client: GoogleClient,
  { id: provider = "google", model }: GoogleOptions,
  headers: Record<string, string>,
): GoogleEndpoint {
  const { apiKey } = client as { apiKey?: unknown };
  const secrets = [typeof apiKey === "string" ? apiKey : undefined, ...secretsIn(headers)];
  const failures = new Failures({ provider, model, scrub: createScrub(secrets) });
  return {
    async send({ contents, generationConfig, ...rest }, signal) {
      const config = { ...generationConfig, ...rest, abortSignal: signal, httpOptions: { headers } };
      try {
        const parameters = { model, contents: contents as never, config: config as never };
        return await client.models.generateContentStream(parameters);
      } catch (thrown) {
        throw failures.client(withBody(thrown), false);
      }
    },
    failure: (thrown) => failures.client(withBody(thrown), true),
    failures,
    isGoogle: true,
  };
}

/** The SDK writes the body of a refusal into the message of its error. */
function withBody(thrown: unknown): unknown {
  const { message, status } = (typeof thrown === "object" && thrown !== null ? thrown : {}) as {
    message?: unknown;
    status?: unknown;
  };
  if (typeof message !== "string" || typeof status !== "number") return thrown;
  try {
    const body: unknown = JSON.parse(message);
    return isRecord(body) ? { message, status, error: body } : thrown;
  } catch {
    return thrown;
  }
}
