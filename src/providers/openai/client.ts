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
import type { OpenAIOptions } from "./options.js";

/** A ready SDK client: `new OpenAI(…)`, `new AzureOpenAI(…)`, or anything with the method of the API that is used. */
export interface OpenAIClient {
  readonly chat?: {
    readonly completions: { create(body: ChatRequest, options?: CallOptions): PromiseLike<AsyncIterable<unknown>> };
  };
  readonly responses?: {
    create(body: ResponsesRequest, options?: CallOptions): PromiseLike<AsyncIterable<unknown>>;
  };
}

/** The options passed to an SDK client with each request. */
export interface CallOptions {
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /** Always 0: the engine retries. */
  readonly maxRetries?: number | undefined;
  /** Sent beside the client's own. */
  readonly headers?: Record<string, string> | undefined;
}

/** The fields that every chat completion's body has. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly object[];
  readonly stream: true;
}

/** The fields that every response's body has. The SDK declares the first two as optional. */
export interface ResponsesRequest {
  readonly model?: unknown;
  readonly input?: unknown;
  readonly stream: true;
}

/** The server that receives the requests. */
export interface OpenAIEndpoint extends Endpoint<object> {
  /** Whether this is OpenAI itself, so that its newest parameters are understood and its prices apply. */
  readonly isOpenAI: boolean;
  /** Absent with a client, whose address is its own business. */
  readonly baseURL?: string;
}

const PATHS = { chat: "/chat/completions", responses: "/responses" } as const;

const OPENAI_URL = "https://api.openai.com/v1";

/** @throws ConfigurationError `OPTION_INVALID` when a key is needed and there is not one, or the environment is wrong */
export function createEndpoint(options: OpenAIOptions): OpenAIEndpoint {
  const { client, id: provider = "openai", model, api = "chat", headers, fetch } = options;
  if (client) return clientEndpoint(client, options);
  const baseURL = options.baseURL ?? readEnvironmentURL("OPENAI_BASE_URL") ?? OPENAI_URL;
  const isOpenAI = isHostedBy(baseURL, "openai.com");
  const { apiKeyEnv = "OPENAI_API_KEY" } = options;
  const apiKey = options.apiKey ?? readEnvironmentKey(apiKeyEnv);
  // A hosted server with a variable of its own needs a key; one that speaks plain HTTP is the host's.
  if (apiKey === undefined && (isOpenAI || (options.apiKeyEnv !== undefined && baseURL.startsWith("https:")))) {
    throw missingKey("openai()", `Pass "apiKey", set ${apiKeyEnv}, or pass the "baseURL" of a server that needs none.`);
  }
  const connection = new Connection({
    provider,
    model,
    baseURL,
    fetch,
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...lowerCased(headers) },
    secrets: [apiKey, ...secretsIn(headers)],
  });
  return {
    send: (body, signal) => connection.events(PATHS[api], body, signal),
    failures: connection.failures,
    isOpenAI,
    baseURL,
    ...(isOpenAI && { mediaVendor: "openai" }),
  };
}

/** Wrappers count and trace what passes through their client, so its own stream is read. */
function clientEndpoint(client: OpenAIClient, options: OpenAIOptions): OpenAIEndpoint {
  const { id: provider = "openai", model, api = "chat", headers } = options;
  const { baseURL, apiKey } = client as { baseURL?: unknown; apiKey?: unknown };
  const secrets = [typeof apiKey === "string" ? apiKey : undefined, ...secretsIn(headers)];
  const failures = new Failures({ provider, model, scrub: createScrub(secrets) });
  const isOpenAI = typeof baseURL === "string" && isHostedBy(baseURL, "openai.com");
  return {
    async send(body, signal) {
      try {
        // Retries are one layer, ours.
        const call = { signal, maxRetries: 0, ...(headers && { headers: { ...headers } }) };
        return await createOf(client, api)!(body, call);
      } catch (thrown) {
        throw failures.client(thrown, false);
      }
    },
    failure: (thrown) => failures.client(thrown, true),
    failures,
    isOpenAI,
    ...(isOpenAI && { mediaVendor: "openai" }),
  };
}

type Create = (body: object, options: CallOptions) => PromiseLike<AsyncIterable<unknown>>;

/** The client's method for one API, bound to it; `undefined` when it has none. */
export function createOf(client: OpenAIClient, api: "chat" | "responses"): Create | undefined {
  const owner = (api === "chat" ? client.chat?.completions : client.responses) as { create?: Create } | undefined;
  return typeof owner?.create === "function" ? (body, call) => owner.create!(body, call) : undefined;
}
