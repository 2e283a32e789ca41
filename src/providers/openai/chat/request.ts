import type { JsonSchema } from "../../../contracts/json.js";
import type { ProviderRequest, ToolChoice } from "../../../contracts/provider.js";
import type { ToolDefinition } from "../../../contracts/tool-call.js";
import { isObject } from "../../../json/is-object.js";
import { objectSchema } from "../../shared/request/object-schema.js";
import { wholeText } from "../../shared/request/whole-text.js";
import { answerForm, namedSchema } from "../answer-schema.js";
import { atLeast, type OpenAIEffort } from "../efforts.js";
import type { OpenAISettings } from "../options.js";
import { wireFunction } from "../wire-function.js";
import { alternating, withPreface } from "./message-order.js";
import type { WireMessage } from "./messages.js";
import { wireMessages } from "./messages.js";
import type { ChatCapabilities } from "./server-quirks.js";

/** Longest `prompt_cache_key` OpenAI takes. */
export const MAX_CACHE_KEY_CHARS = 64;

/** The body for one request. `providerOptions` come last and win, except for how the answer is sent. */
export function chatRequest(request: ProviderRequest, settings: OpenAISettings, server: ChatCapabilities): object {
  const { output, providerOptions } = request;
  const { model, toolOptions } = settings;
  // An effort that the host has chosen for this model is sent in any case: a model that has none refuses it by name.
  const isChosen = request.reasoning === undefined && server.reasoningControl === "none";
  const reasoning = request.reasoning ?? settings.effort;
  const system = systemText(request, server);
  const ordered = withSystem(system, wireMessages(request.messages, { ...server, model }), server.systemRole);
  const tools = request.toolChoice === "none" && server.toolChoice === false ? [] : request.tools;
  return {
    model,
    messages: server.alternates ? alternating(ordered) : ordered,
    ...(tools.length > 0 && toolFields(tools, toolOptions, request.toolChoice, server)),
    ...(output && responseFormat(output, server)),
    ...(request.maxOutputTokens !== undefined &&
      server.maxTokensField !== "none" && { [server.maxTokensField]: request.maxOutputTokens }),
    ...(request.temperature !== undefined && server.temperature && { temperature: request.temperature }),
    ...(reasoning !== undefined && reasoningFields(reasoning, isChosen ? "effort" : server.reasoningControl, server)),
    ...(server.promptCacheKey && { prompt_cache_key: request.sessionId.slice(0, MAX_CACHE_KEY_CHARS) }),
    ...(server.streamUsage && { stream_options: { include_usage: true } }),
    ...(isObject(providerOptions) && providerOptions),
    stream: true,
  };
}

function systemText({ system, output }: ProviderRequest, server: ChatCapabilities): string {
  const texts = system.map((section) => section.text).filter((text) => text !== "");
  // Where the schema has no place of its own, the model has to be asked for it.
  if (output && answerForm(output, server) !== "schema") texts.push(schemaPrompt(output));
  return wholeText(texts.join("\n\n"));
}

function withSystem(text: string, messages: WireMessage[], role: ChatCapabilities["systemRole"]): WireMessage[] {
  if (text === "") return messages;
  return role === "user" ? withPreface(text, messages) : [{ role, content: text }, ...messages];
}

function toolFields(
  tools: readonly ToolDefinition[],
  options: OpenAISettings["toolOptions"],
  choice: ToolChoice | undefined,
  server: ChatCapabilities,
): object {
  return {
    tools: tools.map((tool) => ({
      type: "function",
      function: wireFunction(tool, options, parametersOf(tool.inputSchema, server)),
    })),
    ...(choice !== undefined && server.toolChoice !== false && { tool_choice: toolChoice(choice) }),
    ...(server.parallelToolCalls !== undefined && { parallel_tool_calls: server.parallelToolCalls }),
  };
}

function parametersOf(inputSchema: JsonSchema, { emptySchemas }: ChatCapabilities): { parameters?: JsonSchema } {
  const parameters = objectSchema(inputSchema);
  const isEmpty = !isObject(parameters.properties) || Object.keys(parameters.properties).length === 0;
  return isEmpty && !emptySchemas ? {} : { parameters };
}

function toolChoice(choice: ToolChoice): unknown {
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
}

function responseFormat(schema: JsonSchema, server: ChatCapabilities): object {
  const form = answerForm(schema, server);
  if (form === "words") return {};
  const format =
    form === "object" ? { type: "json_object" } : { type: "json_schema", json_schema: namedSchema(schema, server) };
  return { response_format: format };
}

/** Asks for an answer in a schema by words, where the schema has no place of its own. */
export function schemaPrompt(schema: JsonSchema): string {
  return `Write your final answer as a single JSON value that fits this JSON Schema, with no other text around it:\n${JSON.stringify(schema)}`;
}

function reasoningFields(
  effort: OpenAIEffort,
  control: ChatCapabilities["reasoningControl"],
  { leastEffort }: ChatCapabilities,
): object {
  const isOn = effort !== "none";
  switch (control) {
    case "effort":
      return { reasoning_effort: atLeast(leastEffort, effort) };
    case "object":
      return {
        reasoning: isOn || leastEffort !== "none" ? { effort: atLeast(leastEffort, effort) } : { enabled: false },
      };
    case "thinking":
      return { thinking: { type: isOn ? "enabled" : "disabled" } };
    case "enable_thinking":
      return { enable_thinking: isOn };
    case "chat_template":
      return { chat_template_kwargs: { enable_thinking: isOn } };
    case "none":
      return {};
  }
}
