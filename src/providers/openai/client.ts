import { ConfigurationError } from "../../contracts/errors.js";
import { boundedFetch } from "../shared/bounded-fetch.js";
import { readEnvironment } from "../shared/environment.js";
import { loadPeer } from "../shared/load-peer.js";
import { createScrub, type Scrub } from "../shared/secrets.js";
import { ServerEvents } from "../shared/server-events.js";
import { checkBaseURL, type OpenAIOptions } from "./options.js";
import type { CallOptions, ChatRequest } from "./wire.js";

/** Where requests go. */
export interface Endpoint {
  /**
   * Sends a request. Steps through the chunks of the response; a step may be several. The client is loaded and made on
   * first use; a failed attempt is made again.
   */
  send(body: ChatRequest, options: CallOptions): Promise<AsyncIterable<unknown>>;
  /** Whether this is OpenAI itself, so that its newest parameters are understood and its prices apply. */
  readonly isOpenAI: boolean;
  readonly scrub: Scrub;
}

/** A server of the host's own needs no key; the SDK insists on one. */
const NO_KEY = "no-key-needed";

/** @throws ConfigurationError `OPTION_INVALID` when a key is needed and there is none, or the environment names no URL */
export function createEndpoint(options: OpenAIOptions): Endpoint {
  const { client } = options;
  if (client) {
    const { baseURL, apiKey } = client as { baseURL?: unknown; apiKey?: unknown };
    return {
      // Wrappers count and trace what passes through their own stream.
      send: async (body, call) => await client.chat.completions.create(body, call),
      isOpenAI: typeof baseURL === "string" && isOpenAIHost(baseURL),
      scrub: createScrub([asText(apiKey), ...secretHeaders(options)]),
    };
  }
  const baseURL = options.baseURL ?? baseURLOfEnvironment();
  const isOpenAI = baseURL === undefined || isOpenAIHost(baseURL);
  const apiKey = options.apiKey ?? readEnvironment("OPENAI_API_KEY") ?? (isOpenAI ? undefined : NO_KEY);
  if (apiKey === undefined) {
    throw new ConfigurationError("OPTION_INVALID", {
      message:
        'openai() has no API key. Pass "apiKey", set OPENAI_API_KEY, or pass the "baseURL" of a server that needs none.',
      details: { option: "apiKey" },
    });
  }
  let made: Promise<OwnClient> | undefined;
  const scrub = createScrub([apiKey, ...secretHeaders(options)]);
  return {
    async send(body, call) {
      made ??= makeClient({ apiKey, ...(baseURL !== undefined && { baseURL }) }).catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      const response = await (await made).chat.completions.create(body, call).asResponse();
      return new ServerEvents(response, { provider: options.id ?? "openai", scrub });
    },
    isOpenAI,
    scrub,
  };
}

/** The SDK's client: it sends requests and reads refusals; its reader of streams is slow and strict, and ours is used. */
interface OwnClient {
  readonly chat: {
    readonly completions: { create(body: ChatRequest, call: CallOptions): { asResponse(): Promise<Response> } };
  };
}

async function makeClient(settings: { apiKey: string; baseURL?: string }): Promise<OwnClient> {
  const peer = { name: "openai", range: ">=6 <8", neededBy: "openai()" };
  const { OpenAI } = await loadPeer(peer, () => import("openai"));
  // Retries are one layer, ours.
  return new OpenAI({ ...settings, fetch: boundedFetch, maxRetries: 0, logLevel: "off" }) as unknown as OwnClient;
}

function baseURLOfEnvironment(): string | undefined {
  const variable = "OPENAI_BASE_URL";
  const baseURL = readEnvironment(variable);
  if (baseURL !== undefined) checkBaseURL(variable, baseURL);
  return baseURL;
}

function isOpenAIHost(baseURL: string): boolean {
  if (!URL.canParse(baseURL)) return false;
  const { hostname } = new URL(baseURL);
  return hostname === "openai.com" || hostname.endsWith(".openai.com");
}

function secretHeaders({ headers = {} }: OpenAIOptions): (string | undefined)[] {
  const isSecret = (name: string) => /auth|key|token|secret|cookie/i.test(name);
  return Object.entries(headers).flatMap(([name, value]) => (isSecret(name) ? [value, value.split(" ").at(-1)] : []));
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
