import type { JsonObject } from "../../../src/contracts/json.js";
import { chatChunks, type FaultReply, type FaultRequest, sse } from "../../../src/testing/fault-server/index.js";

/** What a compatible server does that others do not. */
export interface ServerQuirks {
  /** Fields of the body it refuses, or all that are not listed. */
  readonly refuses?: readonly string[];
  readonly refusesUnknown?: boolean;
  /** Fields of an assistant message it refuses. */
  readonly refusesInMessages?: readonly string[];
  readonly refusesNullContent?: boolean;
  readonly wantsShortIds?: boolean;
  /** Reasoning has to come back with calls. */
  readonly wantsReasoning?: boolean;
  /** What limits the reply. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens" | "either";
  readonly ignoresToolChoice?: boolean;
  /** Kinds of `response_format` that are acted on; others are refused. */
  readonly formats?: readonly string[];
  /** Whether usage comes without being asked for. */
  readonly alwaysCounts?: boolean;
  readonly thinks?: "reasoning_content" | "reasoning" | "tags";
}

const STANDARD = [
  "model",
  "messages",
  "stream",
  "stream_options",
  "tools",
  "tool_choice",
  "temperature",
  "response_format",
  "max_tokens",
];

type Asked = Record<string, unknown> & { messages: Record<string, unknown>[] };

/** Replies as a server with these quirks does. */
export function playServer(quirks: ServerQuirks): (request: FaultRequest) => FaultReply {
  return ({ body }) => {
    const asked = body as Asked;
    const refusal = refusalOf(asked, quirks);
    if (refusal !== undefined) {
      return {
        status: 400,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ error: { message: refusal, type: "invalid_request_error" } }),
      };
    }
    return { body: sse(replyOf(asked, quirks)) };
  };
}

function refusalOf(asked: Asked, quirks: ServerQuirks): string | undefined {
  const refused = Object.keys(asked).find(
    (field) => quirks.refuses?.includes(field) || (quirks.refusesUnknown && !STANDARD.includes(field)),
  );
  if (refused) return `Extra inputs are not permitted: '${refused}'`;
  const format = (asked.response_format as { type?: string } | undefined)?.type;
  if (format && quirks.formats && !quirks.formats.includes(format))
    return `This response_format type is unavailable now`;
  for (const [at, message] of asked.messages.entries()) {
    const field = Object.keys(message).find((name) => quirks.refusesInMessages?.includes(name));
    if (field) return `'messages.${at}' : property '${field}' is unsupported`;
    const calls = (message.tool_calls ?? []) as { id: string }[];
    if (quirks.refusesNullContent && message.role === "assistant" && message.content === null) {
      return `messages.${at}.content: Input should be a valid string`;
    }
    const badId = calls.find(({ id }) => quirks.wantsShortIds && !/^[a-zA-Z0-9]{9}$/.test(id));
    if (badId) return `Tool call id was ${badId.id} but must be a-z, A-Z, 0-9, with a length of 9.`;
    if (quirks.wantsReasoning && calls.length > 0 && message.reasoning_content === undefined) {
      return "The `reasoning_content` in the thinking mode must be passed back to the API.";
    }
  }
  return undefined;
}

function replyOf(asked: Asked, quirks: ServerQuirks): JsonObject[] {
  const { maxTokensField = "either", thinks, alwaysCounts = false } = quirks;
  const limited = ["max_tokens", "max_completion_tokens"].some(
    (field) => asked[field] !== undefined && (maxTokensField === "either" || maxTokensField === field),
  );
  const isLong = JSON.stringify(asked.messages).includes("Count from");
  const mustCall = asked.tool_choice === "required" && !quirks.ignoresToolChoice;
  const json = (asked.response_format as { type?: string } | undefined)?.type;
  const plain = json ? '{"ok":true}' : isLong ? "1, 2, 3" : "ok";
  const counts = alwaysCounts || (asked.stream_options as { include_usage?: boolean } | undefined)?.include_usage;
  const cut = isLong && limited;
  const chunks = chatChunks({
    text: mustCall ? "" : thinks === "tags" ? `<think>Hm.</think>${plain}` : plain,
    ...(thinks === "reasoning_content" && { reasoning: "Hm." }),
    ...(mustCall && { toolCalls: [{ name: "probe", arguments: { word: "ok" } }] }),
    ...(cut && { finishReason: "length" }),
    ...(counts && { usage: { prompt_tokens: 10, completion_tokens: cut ? 16 : 400 } }),
  });
  if (thinks !== "reasoning") return chunks;
  return [
    chunks[0]!,
    { choices: [{ index: 0, delta: { reasoning: "Hm." }, finish_reason: null }] },
    ...chunks.slice(1),
  ];
}
