import type { ProviderRequest, ToolChoice } from "../../../contracts/provider.js";
import type { ToolDefinition } from "../../../contracts/tool.js";
import { isRecord } from "../../shared/is-record.js";
import { objectSchema } from "../../shared/object-schema.js";
import { wholeText } from "../../shared/whole-text.js";
import { wireMessages } from "./messages.js";
import type { Habits } from "./server-quirks.js";
import type { WireMessage } from "./wire.js";

/** Longest `prompt_cache_key` OpenAI takes. */
export const MAX_CACHE_KEY_CHARS = 64;

/** The body for one request. `providerOptions` come last and win, except that the answer is always streamed. */
export function chatRequest(
  request: ProviderRequest,
  { id, model }: { readonly id: string; readonly model: string },
  habits: Habits,
): object {
  const { output, providerOptions } = request;
  const tools = request.toolChoice === "none" && habits.toolChoice === false ? [] : request.tools;
  return {
    model,
    messages: [...systemMessage(request, habits), ...wireMessages(request.messages, { ...habits, provider: id })],
    ...(tools.length > 0 && toolFields(tools, request.toolChoice, habits)),
    ...(output && habits.jsonSchema !== false && { response_format: responseFormat(output, habits) }),
    ...(request.maxOutputTokens !== undefined && { [habits.maxTokensField]: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.reasoning !== undefined && { reasoning_effort: request.reasoning }),
    ...(habits.promptCacheKey && { prompt_cache_key: request.sessionId.slice(0, MAX_CACHE_KEY_CHARS) }),
    ...(habits.streamUsage && { stream_options: { include_usage: true } }),
    ...(isRecord(providerOptions) && providerOptions),
    stream: true,
  };
}

function systemMessage({ system }: ProviderRequest, habits: Habits): WireMessage[] {
  const texts = system.map((section) => section.text).filter((text) => text !== "");
  return texts.length === 0 ? [] : [{ role: habits.systemRole ?? "system", content: wholeText(texts.join("\n\n")) }];
}

function toolFields(tools: readonly ToolDefinition[], choice: ToolChoice | undefined, habits: Habits): object {
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: objectSchema(inputSchema) },
    })),
    ...(choice !== undefined && habits.toolChoice !== false && { tool_choice: toolChoice(choice) }),
    ...(habits.parallelToolCalls !== undefined && { parallel_tool_calls: habits.parallelToolCalls }),
  };
}

function toolChoice(choice: ToolChoice): unknown {
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
}

function responseFormat(schema: unknown, habits: Habits): unknown {
  return { type: "json_schema", json_schema: { name: "output", schema, strict: habits.strictSchema ?? false } };
}
