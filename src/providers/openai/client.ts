import { isHostedBy } from "../shared/http/base-url.js";
import type { Endpoint } from "../shared/http/model-api.js";
import { type AdapterOptions, clientEndpoint, connectTo, type Vendor } from "../shared/http/vendor-server.js";

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

const OPENAI: Vendor = {
  owner: "openai()",
  url: "https://api.openai.com/v1",
  urlVariable: "OPENAI_BASE_URL",
  domain: "openai.com",
  keyVariables: ["OPENAI_API_KEY"],
  keyHeader: "authorization",
};

const PATHS = { chat: "/chat/completions", responses: "/responses" } as const;

type EndpointOptions = AdapterOptions & {
  readonly api: keyof typeof PATHS;
  readonly client?: OpenAIClient | undefined;
  readonly apiKeyEnv?: string | undefined;
};

/** @throws ConfigurationError `OPTION_INVALID` when a key is needed and there is not one, or the environment is wrong */
export function createEndpoint(options: EndpointOptions): OpenAIEndpoint {
  const { client, api, apiKeyEnv, headers } = options;
  if (client) {
    const { baseURL, ...endpoint } = clientEndpoint<object>(client, options, (body, signal) =>
      // Retries are one layer, ours.
      createOf(client, api)!(body, { signal, maxRetries: 0, ...(headers && { headers: { ...headers } }) }),
    );
    return forVendor(endpoint, isHostedBy(baseURL, "openai.com"));
  }
  // A hosted server with a variable of its own needs a key; one that speaks plain HTTP is the host's.
  const vendor = apiKeyEnv === undefined ? OPENAI : { ...OPENAI, keyVariables: [apiKeyEnv], needsKey: true };
  const { connection, baseURL, isVendors } = connectTo(vendor, options);
  const send: OpenAIEndpoint["send"] = (body, signal) => connection.events(PATHS[api], body, signal);
  return { ...forVendor({ send, failures: connection.failures }, isVendors), baseURL };
}

function forVendor(endpoint: Endpoint<object>, isOpenAI: boolean): OpenAIEndpoint {
  return { ...endpoint, isOpenAI, ...(isOpenAI && { mediaVendor: "openai" }) };
}

type Create = (body: object, options: CallOptions) => PromiseLike<AsyncIterable<unknown>>;

/** The client's method for one API, bound to it; `undefined` when it has none. */
export function createOf(client: OpenAIClient, api: "chat" | "responses"): Create | undefined {
  const owner = (api === "chat" ? client.chat?.completions : client.responses) as { create?: Create } | undefined;
  return typeof owner?.create === "function" ? (body, call) => owner.create!(body, call) : undefined;
}
