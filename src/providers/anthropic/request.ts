import type { JsonSchema } from "../../contracts/json.js";
import type { ProviderRequest, ToolChoice } from "../../contracts/provider.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { isObject } from "../../json/is-object.js";
import { portableToolName } from "../shared/request/portable-names.js";
import { callersFor } from "../shared/request/program-callers.js";
import { type CacheLifetime, markLast, markMessages, markTools } from "./cache-breakpoints.js";
import { textBlock } from "./content.js";
import { anthropicInputSchema } from "./input-schema.js";
import { anthropicMessages } from "./messages.js";
import type { ModelCapabilities } from "./model-capabilities.js";
import type { AnthropicFallback, AnthropicToolOptions } from "./options.js";
import { anthropicOutputSchema } from "./output-schema.js";
import { lastContainer } from "./server/code-calls.js";
import { asCompaction } from "./server/server-compaction.js";
import { type AnthropicServerTool, anthropicToolName, CODE_EXECUTION } from "./server/server-tools.js";
import { thinkingFields, withoutStaleThinking } from "./thinking.js";
import { isThinkingBlock } from "./thinking-blocks.js";
import type { AnthropicBlock, AnthropicBody, AnthropicEffort, AnthropicMessage, AnthropicThinking } from "./wire.js";

/** The settings of an adapter that decide how a request is written. */
export interface RequestSettings {
  readonly model: string;
  /** The owner of the thinking that may go back, as `id/model`. */
  readonly owner: string;
  /** Output tokens when the request does not say. */
  readonly maxOutputTokens: number;
  readonly cache: CacheLifetime | undefined;
  readonly parallelToolCalls?: boolean | undefined;
  readonly thinking?: AnthropicThinking | undefined;
  readonly serverTools: readonly AnthropicServerTool[];
  readonly toolOptions: Readonly<Record<string, AnthropicToolOptions>>;
  readonly effort?: AnthropicEffort | undefined;
  readonly taskBudget?: number | undefined;
  readonly fallbacks: readonly AnthropicFallback[];
}

/** A request's body, and the tool that its response answers with. */
export interface PreparedRequest {
  readonly body: AnthropicBody;
  /** The tool whose call is the structured answer, when there is one. */
  readonly outputTool?: string;
}

/** The body for one request. `providerOptions` come last and win, except that the answer is always streamed. */
export function prepareRequest(
  request: ProviderRequest,
  settings: RequestSettings,
  capabilities: ModelCapabilities,
): PreparedRequest {
  const { output, providerOptions, temperature } = request;
  const cache = capabilities.cacheControl ? settings.cache : undefined;
  const container = lastContainer(request.messages, settings.owner);
  const messages = anthropicMessages(request.messages, {
    owner: settings.owner,
    sendsThinking: capabilities.replaysThinking,
    sendsServerWork: capabilities.replaysServerWork,
    resumesPrograms: container !== undefined && !capabilities.lostContainers.includes(container),
    isCompacting: request.compact !== undefined,
  });
  const wanted = request.maxOutputTokens ?? settings.maxOutputTokens;
  const maxTokens = Math.min(wanted, capabilities.maxTokens ?? wanted);
  const outputTool = output && capabilities.structured === "tool" ? output : undefined;
  const { fields: toolFields, isForced } = toolFieldsOf(request, settings, messages, outputTool, capabilities);
  const thinking = thinkingOf(request, settings, { capabilities, maxTokens, isForced, messages });
  const mayBeStale = capabilities.dropsStaleThinking && messages.some(({ content }) => content.some(isThinkingBlock));
  const outputConfig = {
    ...outputEffort(request, settings, thinking.effort),
    ...(output && !outputTool && { format: { type: "json_schema", schema: anthropicOutputSchema(output) } }),
  };
  const thinks = thinking.thinking !== undefined && thinking.thinking.type !== "disabled";
  const body: AnthropicBody = {
    model: settings.model,
    max_tokens: maxTokens,
    ...systemFields(request, cache),
    ...(toolFields.tools.length > 0 && { ...toolFields, tools: markTools(toolFields.tools, cache) }),
    messages: markMessages(messages, cache),
    ...(mayBeStale && { thinking: withoutStaleThinking(thinking.thinking) }),
    ...(!mayBeStale && thinking.thinking && { thinking: thinking.thinking }),
    ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }),
    // Models that think take no temperature.
    ...(temperature !== undefined && capabilities.temperature && !thinks && { temperature }),
    ...(settings.fallbacks.length > 0 && { fallbacks: settings.fallbacks.map(wireFallback) }),
    ...(isObject(providerOptions) && providerOptions),
    ...(container && isProgramWaiting(messages) && containerField(container, providerOptions)),
    stream: true,
  };
  if (request.compact) return { body: asCompaction(body, request.compact) };
  return { body, ...(outputTool && { outputTool: OUTPUT_TOOL }) };
}

/** The effort of the request, or else that of the adapter. */
function outputEffort(
  { reasoning }: ProviderRequest,
  { effort, taskBudget }: RequestSettings,
  asked: AnthropicEffort | undefined,
): object {
  const wanted = asked ?? (reasoning === undefined ? effort : undefined);
  const budget = taskBudget !== undefined && { task_budget: { type: "tokens", total: taskBudget } };
  return { ...(wanted && { effort: wanted }), ...budget };
}

function wireFallback({ model, maxOutputTokens }: AnthropicFallback): object {
  return { model, ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }) };
}

/** A container that the host describes by the skills in it is that in which a program waits. */
function containerField(id: string, providerOptions: unknown): object {
  const asked = isObject(providerOptions) ? providerOptions.container : undefined;
  if (asked !== undefined && !isObject(asked)) return {};
  return { container: asked ? { id, ...asked } : id };
}

function isProgramWaiting(messages: readonly AnthropicMessage[]): boolean {
  const last = messages.findLast(({ role }) => role === "assistant");
  return last?.content.some((block) => isCall(block) && block.caller !== undefined) === true;
}

function systemFields({ system }: ProviderRequest, cache: CacheLifetime | undefined): object {
  const blocks = system.map(({ text }) => textBlock(text)).filter((block) => block !== null);
  return blocks.length === 0 ? {} : { system: markLast(blocks, cache) };
}

interface ToolFields {
  readonly tools: readonly object[];
  readonly tool_choice?: object;
}

function toolFieldsOf(
  request: ProviderRequest,
  { parallelToolCalls, serverTools, toolOptions }: RequestSettings,
  messages: readonly AnthropicMessage[],
  output: JsonSchema | undefined,
  { forcedChoice }: ModelCapabilities,
): { readonly fields: ToolFields; readonly isForced: boolean } {
  const { toolChoice = "auto" } = request;
  const offered = serverTools.filter((tool) => request.serverTools?.includes(anthropicToolName(tool)));
  const theirs = offered.map((tool) => ({ ...tool, name: anthropicToolName(tool) }));
  const hosted = theirs.find(({ name }) => name === CODE_EXECUTION)?.type;
  const own = [...theirs, ...wireTools(request.tools, toolOptions, hosted)];
  const tools = output ? [...own, wireOutputTool(output)] : own;
  if (tools.length === 0)
    return { fields: { tools: toolsOfHistory(messages), tool_choice: { type: "none" } }, isForced: false };
  // Without another way to ask for the structured answer, the model has to call something: a tool, or the answer.
  const isOnlyOutput = output !== undefined && (own.length === 0 || toolChoice === "none");
  const effective = isOnlyOutput ? { name: OUTPUT_TOOL } : output && toolChoice === "auto" ? "required" : toolChoice;
  const isThinking = request.reasoning !== undefined && request.reasoning !== "none";
  const wanted = output && isThinking && !isOnlyOutput && toolChoice === "auto" ? "auto" : effective;
  const choice = forcedChoice || wanted === "none" ? wanted : "auto";
  const tool_choice = wireToolChoice(choice, parallelToolCalls);
  const isForced = choice !== "auto" && choice !== "none";
  return { fields: { tools, ...(tool_choice && { tool_choice }) }, isForced };
}

function thinkingOf(
  { reasoning }: ProviderRequest,
  { thinking }: RequestSettings,
  scene: Parameters<typeof thinkingFields>[1],
): ReturnType<typeof thinkingFields> {
  if (reasoning !== undefined || !thinking || scene.isForced) return thinkingFields(reasoning, scene);
  return { thinking };
}

/** The tool that a structured answer is asked for with, where the API has no other way. */
const OUTPUT_TOOL = "structured_output";

/** The tools as they go over the wire. */
function wireTools(
  tools: readonly ToolDefinition[],
  options: RequestSettings["toolOptions"],
  hosted: string | undefined,
): object[] {
  return tools.flatMap((tool) => {
    const { name, description, inputSchema } = tool;
    const own = Object.hasOwn(options, name) ? options[name]! : {};
    const { strict, inputExamples, eagerInputStreaming, deferLoading, type } = own;
    const allowedCallers = callersFor(tool, tools, hosted, own.allowedCallers);
    if (allowedCallers?.length === 0) return [];
    if (type) return { type, name };
    const schema = anthropicInputSchema(inputSchema);
    return {
      name: portableToolName(name),
      ...(description !== "" && { description }),
      input_schema: strict ? anthropicOutputSchema(schema) : schema,
      ...(strict && { strict }),
      ...(inputExamples && { input_examples: inputExamples }),
      ...(eagerInputStreaming && { eager_input_streaming: true }),
      ...(deferLoading && { defer_loading: true }),
      ...(allowedCallers && { allowed_callers: allowedCallers }),
    };
  });
}

/** The structured answer as a tool. */
function wireOutputTool(schema: JsonSchema): object {
  const description = "Gives the final answer. Call it once, when no other tool is needed.";
  return { name: OUTPUT_TOOL, description, input_schema: anthropicInputSchema(schema) };
}

/** Stand-ins for tools that the messages speak of although the request has none: the API insists on their definitions. */
function toolsOfHistory(messages: readonly AnthropicMessage[]): object[] {
  const names = new Set<unknown>();
  for (const { content } of messages) for (const block of content) if (isCall(block)) names.add(block.name);
  return [...names].map((name) => ({ name, description: "No longer available.", input_schema: { type: "object" } }));
}

/** The `tool_choice` of a request; `undefined` leaves it out. */
function wireToolChoice(choice: ToolChoice, parallelToolCalls: boolean | undefined): object | undefined {
  if (choice === "none") return { type: "none" };
  const parallel = parallelToolCalls === undefined ? {} : { disable_parallel_tool_use: !parallelToolCalls };
  if (choice === "auto") return parallelToolCalls === undefined ? undefined : { type: "auto", ...parallel };
  if (choice === "required") return { type: "any", ...parallel };
  return { type: "tool", name: portableToolName(choice.name), ...parallel };
}

function isCall({ type }: AnthropicBlock): boolean {
  return type === "tool_use";
}
