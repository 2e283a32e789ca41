import type { ProviderRequest } from "../../contracts/provider.js";
import type { EventReader } from "../shared/response-stream.js";
import { ChunkReader } from "./chat/chunk-reader.js";
import { chatRequest } from "./chat/request.js";
import { initialHabits, learnFrom } from "./chat/server-quirks.js";
import type { OpenAICompat, OpenAIOptions } from "./options.js";
import { ResponseReader } from "./responses/event-reader.js";
import { responsesRequest } from "./responses/request.js";
import { initialResponsesHabits, learnResponsesHabits } from "./responses/server-quirks.js";
import { StrictAnswerReader } from "./strict-answer.js";

/** One of OpenAI's two APIs: how it is asked, and how its stream is read. */
export interface Dialect<Habits> {
  /** What the server takes, as far as it is known. */
  readonly habits: Habits;
  /** The body for one request. */
  write(request: ProviderRequest, habits: Habits): object;
  /** What to do differently after this failure; `null` when asking again would not help. */
  learn(error: unknown, habits: Habits): Habits | null;
  createReader(request: ProviderRequest): EventReader;
}

/** Chat completions. */
export function chatDialect({ id = "openai", model, compat = {} }: OpenAIOptions, isOpenAI: boolean) {
  return {
    habits: initialHabits(compat, isOpenAI),
    write: (request, habits) => chatRequest(request, { id, model }, habits),
    learn: learnFrom,
    createReader: (request) => {
      const toolNames = () => new Set(request.tools.map((tool) => tool.name));
      return strictly(new ChunkReader(id, toolNames, compat), request, compat);
    },
  } satisfies Dialect<ReturnType<typeof initialHabits>>;
}

/** Responses. */
export function responsesDialect({ id = "openai", model, compat = {} }: OpenAIOptions, isOpenAI: boolean) {
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
