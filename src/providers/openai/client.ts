import { ConfigurationError } from "../../contracts/errors.js";
import { boundedFetch, type Fetch } from "../shared/bounded-fetch.js";
import { readEnvironment } from "../shared/environment.js";
import { loadPeer } from "../shared/load-peer.js";
import { createScrub, type Scrub } from "../shared/secrets.js";
import type { OpenAIOptions } from "./options.js";
import type { OpenAIClient } from "./wire.js";

/** Where requests go. */
export interface Endpoint {
  /** Loaded and made on first use; a failed attempt is made again. */
  client(): Promise<OpenAIClient>;
  /** Whether this is OpenAI itself, so that its newest parameters are understood and its prices apply. */
  readonly isOpenAI: boolean;
  readonly scrub: Scrub;
}

/** A server of the host's own needs no key; the SDK insists on one. */
const NO_KEY = "no-key-needed";

/** @throws ConfigurationError `OPTION_INVALID` when a key is needed and there is none */
export function createEndpoint(options: OpenAIOptions): Endpoint {
  const { client } = options;
  if (client) {
    const { baseURL, apiKey } = client as { baseURL?: unknown; apiKey?: unknown };
    return {
      client: () => Promise.resolve(client),
      isOpenAI: typeof baseURL === "string" && isOpenAIHost(baseURL),
      scrub: createScrub([asText(apiKey), ...secretHeaders(options)]),
    };
  }
  const baseURL = options.baseURL ?? readEnvironment("OPENAI_BASE_URL");
  const isOpenAI = baseURL === undefined || isOpenAIHost(baseURL);
  const apiKey = options.apiKey ?? readEnvironment("OPENAI_API_KEY") ?? (isOpenAI ? undefined : NO_KEY);
  if (apiKey === undefined) {
    throw new ConfigurationError("OPTION_INVALID", {
      message:
        'openai() has no API key. Pass "apiKey", set OPENAI_API_KEY, or pass the "baseURL" of a server that needs none.',
      details: { option: "apiKey" },
    });
  }
  let made: Promise<OpenAIClient> | undefined;
  const fetch = boundedFetch(options.id ?? "openai");
  const make = () => makeClient({ apiKey, fetch, ...(baseURL !== undefined && { baseURL }) });
  return {
    client: () => {
      made ??= make().catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      return made;
    },
    isOpenAI,
    scrub: createScrub([apiKey, ...secretHeaders(options)]),
  };
}

async function makeClient(settings: { apiKey: string; baseURL?: string; fetch: Fetch }): Promise<OpenAIClient> {
  const peer = { name: "openai", range: ">=6 <8", neededBy: "openai()" };
  const { OpenAI } = await loadPeer(peer, () => import("openai"));
  // Retries are one layer, ours. The SDK would print what it cannot parse; it reaches the host as an error instead.
  return new OpenAI({ ...settings, maxRetries: 0, logLevel: "off" }) as OpenAIClient;
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
