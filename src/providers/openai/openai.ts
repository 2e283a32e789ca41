import type { ProviderAdapter, ProviderRequest } from "../../contracts/provider.js";
import type { EventReader } from "../shared/http/response-stream.js";
import { ResponseStream } from "../shared/http/response-stream.js";
import { findModelLimits } from "../shared/models/known-models.js";
import { listPrices } from "../shared/models/price-of.js";
import { ChunkReader } from "./chat/chunk-reader.js";
import { chatRequest } from "./chat/request.js";
import { initialHabits, learnFrom } from "./chat/server-quirks.js";
import { createEndpoint, type OpenAIEndpoint } from "./client.js";
import type { OpenAICompat } from "./options.js";
import { checkOpenAIOptions, type OpenAIOptions } from "./options.js";
import { withProbeAccess } from "./probe/probe-access.js";
import { ResponseReader } from "./responses/event-reader.js";
import { responsesRequest } from "./responses/request.js";
import { initialResponsesHabits, learnResponsesHabits } from "./responses/server-quirks.js";
import { StrictAnswerReader } from "./strict-answer.js";

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
  checkOpenAIOptions(options);
  const { id = "openai", model, api = "chat" } = options;
  const endpoint = createEndpoint(options);
  // Another server's price and window are its own, whatever the model is called.
  const vendor = endpoint.isOpenAI ? "openai" : id === "openai" ? "" : id;
  const limits = findModelLimits({ provider: vendor, model });
  const contextWindow = options.contextWindow ?? limits?.contextWindow;
  const maxOutputTokens = options.maxOutputTokens ?? limits?.maxOutputTokens;
  const adapter: ProviderAdapter = {
    id,
    model,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    prices: listPrices(vendor),
    stream:
      api === "chat"
        ? streamWith(endpoint, chatDialect(options, endpoint.isOpenAI))
        : streamWith(endpoint, responsesDialect(options, endpoint.isOpenAI)),
  };
  const { baseURL } = endpoint;
  if (api !== "chat" || baseURL === undefined) return adapter;
  return withProbeAccess(adapter, { id, model, baseURL, apiKeyEnv: options.apiKeyEnv ?? "OPENAI_API_KEY", endpoint });
}

function streamWith<Habits>(endpoint: OpenAIEndpoint, dialect: Dialect<Habits>): ProviderAdapter["stream"] {
  let { habits } = dialect;

  async function open(request: ProviderRequest, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
    let tried = habits;
    let body = dialect.write(request, tried);
    while (true) {
      try {
        const source = await endpoint.send(body, signal);
        if (tried !== habits) habits = tried;
        return source;
      } catch (error) {
        if (signal.aborted) throw error;
        ({ tried, body } = learn(error, request, tried, body));
      }
    }
  }

  /** What to try next. A refusal that none of our habits has to do with is thrown. */
  function learn(error: unknown, request: ProviderRequest, tried: Habits, body: object) {
    const refused = JSON.stringify(body);
    for (let learned = dialect.learn(error, tried); learned; learned = dialect.learn(error, learned)) {
      const next = dialect.write(request, learned);
      if (JSON.stringify(next) !== refused) return { tried: learned, body: next };
    }
    throw error;
  }

  const { failures, failure } = endpoint;
  return (request) =>
    new ResponseStream({
      reader: dialect.createReader(request),
      request,
      failures,
      ...(failure && { failure }),
      open: (signal) => open(request, signal),
    });
}

/** One of OpenAI's two APIs: how it is asked, and how its stream is read. */
interface Dialect<Habits> {
  /** What the server takes, as far as it is known. */
  readonly habits: Habits;
  /** The body for one request. */
  write(request: ProviderRequest, habits: Habits): object;
  /** What to do differently after this failure; `null` when asking again would not help. */
  learn(error: unknown, habits: Habits): Habits | null;
  createReader(request: ProviderRequest): EventReader;
}

/** Chat completions. */
function chatDialect({ id = "openai", model, compat = {} }: OpenAIOptions, isOpenAI: boolean) {
  return {
    habits: initialHabits(id, compat, isOpenAI),
    write: (request, habits) => chatRequest(request, model, habits),
    learn: learnFrom,
    createReader: (request) => {
      const toolNames = () => new Set(request.tools.map((tool) => tool.name));
      return strictly(new ChunkReader(id, toolNames, compat), request, compat);
    },
  } satisfies Dialect<ReturnType<typeof initialHabits>>;
}

/** Responses. */
function responsesDialect({ id = "openai", model, compat = {} }: OpenAIOptions, isOpenAI: boolean) {
  return {
    habits: initialResponsesHabits(compat, model, isOpenAI),
    write: (request, habits) => responsesRequest(request, { id, model }, habits),
    learn: learnResponsesHabits,
    createReader: (request) => strictly(new ResponseReader(id), request, compat),
  } satisfies Dialect<ReturnType<typeof initialResponsesHabits>>;
}

/** An answer by a schema in strict mode is brought back into the host's own schema. */
function strictly(reader: EventReader, { output }: ProviderRequest, { strictSchema }: OpenAICompat): EventReader {
  return output && strictSchema ? new StrictAnswerReader(reader, output) : reader;
}
