import { isObject } from "../../json/is-object.js";
import { isHostedBy } from "../shared/http/base-url.js";
import { lowerCased } from "../shared/http/connection-options.js";
import type { Endpoint } from "../shared/http/model-api.js";
import { clientEndpoint, connectTo, type Vendor } from "../shared/http/vendor-server.js";
import { vendorOfClaude } from "../shared/media/vendor-limits.js";
import type { AnthropicOptions } from "./options.js";
import { betaOfServerTool } from "./server/server-tools.js";
import type { AnthropicBody, AnthropicMessage } from "./wire.js";

/** The server that receives the requests. */
export interface AnthropicEndpoint extends Endpoint<AnthropicBody> {
  /** Whether this is Anthropic itself, so that its prices and limits apply. */
  readonly isAnthropic: boolean;
}

const ANTHROPIC: Vendor = {
  owner: "anthropic()",
  url: "https://api.anthropic.com",
  urlVariable: "ANTHROPIC_BASE_URL",
  domain: "anthropic.com",
  keyVariables: ["ANTHROPIC_API_KEY"],
  keyHeader: "x-api-key",
};

const VERSION = "2023-06-01";
const BINDING_BETA = "thinking-binding-controls-2026-08-01";
const TASK_BUDGET_BETA = "task-budgets-2026-03-13";
const THREAD_BETA = "message-threads-2026-08-12";
const DIAGNOSIS_BETA = "cache-diagnosis-2026-04-07";
const COMPACTION_BETA = "compact-2026-09-04";
const FALLBACK_BETA = "server-side-fallback-2026-07-01";

/** @throws ConfigurationError `OPTION_INVALID` when a key is needed and there is not one, or the environment is wrong */
export function createAnthropicEndpoint(given: AnthropicOptions & { readonly id: string }): AnthropicEndpoint {
  const { client, betas = [] } = given;
  const headers = lowerCased(given.headers);
  const beta = [headers["anthropic-beta"], ...betas].filter(Boolean).join(",");
  if (beta !== "") headers["anthropic-beta"] = beta;
  const options = { ...given, headers };
  if (client) {
    const endpoint = clientEndpoint<AnthropicBody>(client, options, (body, signal) =>
      // Retries are one layer, ours.
      client.messages.create(body, { signal, maxRetries: 0, headers: { ...headers, ...withBeta(headers, body) } }),
    );
    const { baseURL } = endpoint;
    return { ...endpoint, isAnthropic: isHostedBy(baseURL, "anthropic.com"), mediaVendor: vendorOfClaude(baseURL) };
  }
  const { connection, baseURL, isVendors } = connectTo(ANTHROPIC, options, { "anthropic-version": VERSION });
  const path = /\/v\d+\/*$/.test(new URL(baseURL).pathname) ? "/messages" : "/v1/messages";
  return {
    send: (body, signal) => connection.events(path, body, signal, withBeta(headers, body)),
    failures: connection.failures,
    isAnthropic: isVendors,
    mediaVendor: vendorOfClaude(baseURL),
  };
}

function leadsWithSummary(first: AnthropicMessage | undefined): boolean {
  return first?.content[0]?.type === "compaction";
}

/** The betas that a request's own fields need beside the host's. */
function withBeta(headers: Record<string, string>, body: AnthropicBody): Record<string, string> | undefined {
  const { thinking, tools = [], output_config, fallbacks, thread, diagnostics } = body;
  const [first] = body.messages as readonly AnthropicMessage[];
  const needed = [
    isObject(thinking) && thinking.block_binding !== undefined && BINDING_BETA,
    isObject(output_config) && output_config.task_budget !== undefined && TASK_BUDGET_BETA,
    fallbacks && FALLBACK_BETA,
    thread && THREAD_BETA,
    diagnostics && DIAGNOSIS_BETA,
    (body.compaction || leadsWithSummary(first)) && COMPACTION_BETA,
    ...tools.map(betaOfServerTool),
  ].filter((beta) => typeof beta === "string");
  if (needed.length === 0) return undefined;
  const given = headers["anthropic-beta"]?.split(",") ?? [];
  return { "anthropic-beta": [...new Set([...given, ...needed])].join(",") };
}
