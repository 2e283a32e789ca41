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
import { vendorOfClaude } from "../shared/media/vendor-limits.js";
import type { AnthropicOptions } from "./options.js";
import type { AnthropicBody, AnthropicClient } from "./wire.js";

/** The server that receives the requests. */
export interface AnthropicEndpoint extends Endpoint<AnthropicBody> {
  /** Whether this is Anthropic itself, so that its prices and limits apply. */
  readonly isAnthropic: boolean;
}

const ANTHROPIC_URL = "https://api.anthropic.com";
const VERSION = "2023-06-01";
const BINDING_BETA = "thinking-binding-controls-2026-08-01";

/** @throws ConfigurationError `OPTION_INVALID` when a key is needed and there is not one, or the environment is wrong */
export function createAnthropicEndpoint(options: AnthropicOptions): AnthropicEndpoint {
  const { client, id: provider = "anthropic", model, fetch, betas = [] } = options;
  const given = lowerCased(options.headers);
  const beta = [given["anthropic-beta"], ...betas].filter(Boolean).join(",");
  const headers: Record<string, string> = { ...given, ...(beta !== "" && { "anthropic-beta": beta }) };
  if (client) return clientEndpoint(client, options, headers);
  const baseURL = options.baseURL ?? readEnvironmentURL("ANTHROPIC_BASE_URL") ?? ANTHROPIC_URL;
  const isAnthropic = isHostedBy(baseURL, "anthropic.com");
  const isSignedIn = headers.authorization !== undefined || headers["x-api-key"] !== undefined;
  const apiKey = options.apiKey ?? (isSignedIn ? undefined : readEnvironmentKey("ANTHROPIC_API_KEY"));
  if (apiKey === undefined && !isSignedIn && isAnthropic) {
    throw missingKey(
      "anthropic()",
      'Pass "apiKey", set ANTHROPIC_API_KEY, or pass the "baseURL" of a server that needs none.',
    );
  }
  const connection = new Connection({
    provider,
    model,
    baseURL,
    fetch,
    headers: { "anthropic-version": VERSION, ...(apiKey !== undefined && { "x-api-key": apiKey }), ...headers },
    secrets: [apiKey, ...secretsIn(headers)],
  });
  const path = /\/v\d+\/*$/.test(new URL(baseURL).pathname) ? "/messages" : "/v1/messages";
  return {
    send: (body, signal) => connection.events(path, body, signal, withBeta(headers, body)),
    failures: connection.failures,
    isAnthropic,
    mediaVendor: vendorOfClaude(baseURL),
  };
}

/** Wrappers count and trace what passes through their client, so its own stream is read. */
function clientEndpoint(
  client: AnthropicClient,
  { id: provider = "anthropic", model }: AnthropicOptions,
  headers: Record<string, string>,
): AnthropicEndpoint {
  const { baseURL, apiKey } = client as { baseURL?: unknown; apiKey?: unknown };
  const secrets = [typeof apiKey === "string" ? apiKey : undefined, ...secretsIn(headers)];
  const failures = new Failures({ provider, model, scrub: createScrub(secrets) });
  return {
    async send(body, signal) {
      try {
        // Retries are one layer, ours.
        return await client.messages.create(body, {
          signal,
          maxRetries: 0,
          headers: { ...headers, ...withBeta(headers, body) },
        });
      } catch (thrown) {
        throw failures.client(thrown, false);
      }
    },
    failure: (thrown) => failures.client(thrown, true),
    failures,
    isAnthropic: typeof baseURL === "string" && isHostedBy(baseURL, "anthropic.com"),
    mediaVendor: vendorOfClaude(baseURL),
  };
}

/** The betas that a request's own fields need beside the host's. */
function withBeta(headers: Record<string, string>, { thinking }: AnthropicBody): Record<string, string> | undefined {
  if (!isRecord(thinking) || thinking.block_binding === undefined) return undefined;
  const given = headers["anthropic-beta"];
  return { "anthropic-beta": given === undefined ? BINDING_BETA : `${given},${BINDING_BETA}` };
}
