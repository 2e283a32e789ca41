import type { ProviderAdapter } from "../../contracts/provider.js";
import { checkOptions } from "../../json/check-options.js";
import { streamWith } from "../shared/http/model-api.js";
import { modelCard } from "../shared/models/model-card.js";
import { ANTHROPIC_MISS, CacheMissReader } from "../shared/state/cache-miss-reader.js";
import { ServerState, type StatePlan } from "../shared/state/server-state.js";
import { CompactionReader } from "../shared/state/server-summary.js";
import { createAnthropicEndpoint } from "./endpoint.js";
import { AnthropicReader } from "./event-reader.js";
import { ANTHROPIC_LESSONS, initialModelCapabilities, thinksByEffort } from "./model-capabilities.js";
import { ANTHROPIC_OPTIONS, type AnthropicOptions, checkAgainstModel } from "./options.js";
import { prepareRequest, type RequestSettings } from "./request.js";
import { anthropicToolName, CODE_EXECUTION, runsPrograms } from "./server/server-tools.js";
import type { AnthropicBody, AnthropicMessage } from "./wire.js";

/** The price of input that stays in the cache for an hour, by the price of other input (read 2026-11). */
const HOUR_WRITE_FACTOR = 2;

/** Output limit of a model that is not known. Unit: tokens. */
const DEFAULT_OUTPUT_TOKENS = 32_000;

/**
 * A model behind Anthropic's Messages API, or behind any server that speaks it.
 *
 * Speaks over `fetch`: nothing has to be installed. Does not retry; `withRetry` does. The end of the tools, of the system
 * prompt and of the messages are marked for the prompt cache. Thinking goes back to the model that wrote it exactly as it
 * came. A response that breaks off before its end is `STREAM_BROKEN`. Aborting closes the connection at once and the
 * stream throws the signal's reason. Messages and details of errors hold no keys.
 *
 * @example
 * anthropic({ model: "claude-opus-5" });
 *
 * @throws ConfigurationError `OPTION_INVALID` for options that cannot work
 */
export function anthropic(options: AnthropicOptions): ProviderAdapter {
  const checked = checkOptions("anthropic()", options, ANTHROPIC_OPTIONS);
  checkAgainstModel(checked);
  const { id, model, cache, serverTools, state, cacheDiagnosis } = checked;
  const endpoint = createAnthropicEndpoint(checked);
  const writeFactor = cache === "1h" ? HOUR_WRITE_FACTOR : undefined;
  const card = modelCard({ ...checked, writeFactor }, "anthropic()", "anthropic", endpoint.isAnthropic);
  const settings: RequestSettings = {
    ...checked,
    owner: `${id}/${model}`,
    maxOutputTokens: card.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS,
    cache: cache === false ? undefined : cache,
  };
  const stream = streamWith(endpoint, {
    capabilities: initialModelCapabilities(model),
    write(request, capabilities, plan) {
      const whole = prepareRequest(request, settings, capabilities);
      return plan ? { ...whole, body: inThread(whole.body, plan, cacheDiagnosis) } : whole;
    },
    lessons: ANTHROPIC_LESSONS,
    createReader({ compact }) {
      const reader = new AnthropicReader(id, settings.owner);
      if (compact) return new CompactionReader(reader);
      return cacheDiagnosis ? new CacheMissReader(reader, ANTHROPIC_MISS) : reader;
    },
    state: state === "server" || cacheDiagnosis ? new ServerState({ id, model }, state === "server") : undefined,
  });
  return {
    ...card,
    ...(serverTools.length > 0 && { serverTools: serverTools.map(anthropicToolName) }),
    ...(serverTools.some(runsPrograms) && { programs: CODE_EXECUTION }),
    ...(thinksByEffort(model) && { compacts: true }),
    stream,
  };
}

/** The whole request as it goes out by a plan: the new messages alone where the server has the others. */
function inThread(whole: AnthropicBody, { isKept, previous, lastId }: StatePlan, isDiagnosed: boolean): AnthropicBody {
  const body = isDiagnosed ? { ...whole, diagnostics: { previous_message_id: lastId } } : whole;
  if (!isKept) return body;
  if (!previous) return { ...body, thread: { type: "create" } };
  const messages = body.messages as readonly AnthropicMessage[];
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  const thread = { type: "continue", previous_message_id: previous.responseId };
  return { ...body, messages: messages.slice(answer + 1), thread };
}
