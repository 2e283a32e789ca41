import type { ProviderAdapter, ProviderRequest } from "../../contracts/provider.js";
import { type ModelApi, streamWith } from "../shared/http/model-api.js";
import type { EventReader } from "../shared/http/response-stream.js";
import { modelCard } from "../shared/models/model-card.js";
import { CacheMissReader, OPENAI_MISS } from "../shared/state/cache-miss-reader.js";
import { ServerState } from "../shared/state/server-state.js";
import { CompactionReader } from "../shared/state/server-summary.js";
import { ChunkReader } from "./chat/chunk-reader.js";
import { chatRequest } from "./chat/request.js";
import { CHAT_LESSONS, initialChatCapabilities } from "./chat/server-quirks.js";
import { createEndpoint, type OpenAIEndpoint } from "./client.js";
import { isCumulativeHost } from "./compat-profiles.js";
import { reasons } from "./efforts.js";
import { type CheckedOptions, checkOpenAIOptions, type OpenAIOptions } from "./options.js";
import { withProbeAccess } from "./probe/probe-access.js";
import { ResponseReader } from "./responses/event-reader.js";
import { responsesRequest } from "./responses/request.js";
import { initialResponsesCapabilities, RESPONSES_LESSONS } from "./responses/server-quirks.js";
import { openaiToolName, PROGRAMS } from "./server-tools.js";
import { StrictAnswerReader, StrictCallsReader } from "./strict-answer.js";
import { strictSchemas } from "./wire-function.js";

/**
 * A model behind OpenAI's chat completions or responses, or behind any server that speaks one of them.
 *
 * Speaks over `fetch`: nothing has to be installed. Does not retry; `withRetry` does. What is not known of a server is
 * found out: see `OpenAICompat`. A response that does not say why the model ended is `STREAM_BROKEN`, never the end of a
 * message, unless the server has said that it is done. Usage is absent when the server sends none. Aborting closes the
 * connection at once and the stream throws the signal's reason. Messages and details of errors hold no keys.
 *
 * @example
 * openai({ model: "gpt-5.1", api: "responses" });
 * openai({ id: "ollama", model: "qwen3", baseURL: "http://localhost:11434/v1" });
 *
 * @throws ConfigurationError `OPTION_INVALID` for options that cannot work
 */
export function openai(options: OpenAIOptions): ProviderAdapter {
  const checked = checkOpenAIOptions(options);
  const { id, model, api, apiKeyEnv = "OPENAI_API_KEY", serverTools } = checked;
  const endpoint = createEndpoint(checked);
  const adapter: ProviderAdapter = {
    ...modelCard(checked, "openai()", "openai", endpoint.isOpenAI),
    ...(serverTools.length > 0 && { serverTools: serverTools.map(openaiToolName) }),
    ...(serverTools.some(({ type }) => type === PROGRAMS) && { programs: PROGRAMS }),
    ...(api === "responses" && reasons(model) && { compacts: true }),
    stream:
      api === "chat"
        ? streamWith(endpoint, chatApi(checked, endpoint))
        : streamWith(endpoint, responsesApi(checked, endpoint.isOpenAI)),
  };
  const { baseURL } = endpoint;
  if (api !== "chat" || baseURL === undefined) return adapter;
  return withProbeAccess(adapter, { id, model, baseURL, apiKeyEnv, endpoint });
}

/** Chat completions. */
function chatApi(settings: CheckedOptions, { isOpenAI, baseURL }: OpenAIEndpoint) {
  const { id, model, compat } = settings;
  const { thinkTags, cumulativeText = isCumulativeHost(baseURL) } = compat;
  return {
    capabilities: initialChatCapabilities({ provider: id, model }, compat, isOpenAI),
    write: (request, capabilities) => ({ body: chatRequest(request, settings, capabilities) }),
    lessons: CHAT_LESSONS,
    createReader: (request) => {
      const toolNames = () => new Set(request.tools.map((tool) => tool.name));
      return strictly(new ChunkReader(id, toolNames, { thinkTags, cumulativeText }), request, settings);
    },
  } satisfies ModelApi<ReturnType<typeof initialChatCapabilities>, object>;
}

/** Responses. */
function responsesApi(settings: CheckedOptions, isOpenAI: boolean) {
  const { id, model, compat } = settings;
  return {
    capabilities: initialResponsesCapabilities({ provider: id, model }, compat, isOpenAI),
    write: (request, capabilities, plan) => ({ body: responsesRequest(request, settings, capabilities, plan) }),
    lessons: RESPONSES_LESSONS,
    state:
      settings.state === "server" || settings.cacheDiagnosis
        ? new ServerState({ id, model }, settings.state === "server")
        : undefined,
    createReader: (request) => {
      const reader = new ResponseReader(id);
      if (request.compact) return new CompactionReader(reader);
      return strictly(settings.cacheDiagnosis ? new CacheMissReader(reader, OPENAI_MISS) : reader, request, settings);
    },
  } satisfies ModelApi<ReturnType<typeof initialResponsesCapabilities>, object>;
}

/** Brings values that follow a schema in strict mode back into the host's own schema. */
function strictly(
  reader: EventReader,
  { output, tools }: ProviderRequest,
  { compat, toolOptions }: CheckedOptions,
): EventReader {
  const answering = output && compat.strictSchema ? new StrictAnswerReader(reader, output) : reader;
  const schemas = strictSchemas(tools, toolOptions);
  return schemas.size > 0 ? new StrictCallsReader(answering, schemas) : answering;
}
