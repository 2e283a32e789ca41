import type { AssistantMessage, Message } from "../../../contracts/message.js";
import type { ProviderRequest, ToolChoice } from "../../../contracts/provider.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { objectSchema } from "../../shared/request/object-schema.js";
import { callersFor } from "../../shared/request/program-callers.js";
import { wholeText } from "../../shared/request/whole-text.js";
import type { StatePlan } from "../../shared/state/server-state.js";
import { answerForm, namedSchema } from "../answer-schema.js";
import { MAX_CACHE_KEY_CHARS, schemaPrompt } from "../chat/request.js";
import { atLeast, type OpenAIEffort } from "../efforts.js";
import type { OpenAISettings } from "../options.js";
import { openaiToolName, PROGRAMS, wireServerTool } from "../server-tools.js";
import { wireFunction } from "../wire-function.js";
import { markedItems, markedSystem } from "./cache-breakpoints.js";
import { type Author, answerItems, type InputItem, inputItems } from "./input-items.js";
import type { ResponsesCapabilities } from "./server-quirks.js";

/** The body for one request. `providerOptions` come last and win, except that the response is always streamed. */
export function responsesRequest(
  request: ProviderRequest,
  settings: OpenAISettings,
  server: ResponsesCapabilities,
  plan: StatePlan | undefined,
): object {
  const { id, model, effort, cache } = settings;
  const { system, output, maxOutputTokens, temperature, providerOptions } = request;
  const texts = system.flatMap(({ text }) => (text === "" ? [] : [text]));
  const takesSchema = output && answerForm(output, server) === "schema";
  if (output && !takesSchema) texts.push(schemaPrompt(output));
  const instructions = wholeText(texts.join("\n\n"));
  const author = { provider: id, model, replaysReasoning: server.encryptedReasoning };
  const items = plan?.previous
    ? newItems(request.messages, plan.previous.at, author)
    : inputItems(request.messages, author);
  const cacheOptions = {
    ...(cache && { mode: "explicit", ttl: cache }),
    ...(settings.cacheDiagnosis && plan?.lastId && { comparison_response_id: plan.lastId }),
  };
  const body = {
    model,
    ...(instructions !== "" && !cache && { instructions }),
    input: [
      ...(cache && instructions !== "" && !plan?.previous ? [markedSystem(instructions)] : []),
      ...(cache ? markedItems(items) : items),
      // The server's summary of all in front of it is the answer; it takes no instructions.
      ...(request.compact ? [{ type: "compaction_trigger" }] : []),
    ],
    ...toolFields(request, settings, server),
    ...(takesSchema && { text: { format: { type: "json_schema", ...namedSchema(output, server) } } }),
    ...(maxOutputTokens !== undefined && server.outputLimit && { max_output_tokens: maxOutputTokens }),
    ...(temperature !== undefined && server.temperature && { temperature }),
    ...reasoningField(request, effort, server),
    ...(server.encryptedReasoning && { include: ["reasoning.encrypted_content"] }),
    ...(server.promptCacheKey && { prompt_cache_key: request.sessionId.slice(0, MAX_CACHE_KEY_CHARS) }),
    ...(Object.keys(cacheOptions).length > 0 && { prompt_cache_options: cacheOptions }),
    store: plan?.isKept === true,
    ...(plan?.previous && { previous_response_id: plan.previous.responseId }),
  };
  return { ...(isObject(providerOptions) ? withOptions(body, providerOptions) : body), stream: true };
}

/** The items after the answer that the server has: the results of its calls, and the user's messages. */
function newItems(messages: readonly Message[], at: number, author: Author): InputItem[] {
  const known = answerItems(messages[at] as AssistantMessage, author).length;
  return inputItems(messages.slice(at), author).slice(known);
}

function toolFields(
  { tools: own, toolChoice: choice, serverTools: offered }: ProviderRequest,
  { serverTools, toolOptions }: OpenAISettings,
  server: ResponsesCapabilities,
): object {
  const theirs = serverTools.filter((tool) => offered?.includes(openaiToolName(tool)));
  const hosted = theirs.some(({ type }) => type === PROGRAMS) ? "programmatic" : undefined;
  const tools = [
    ...theirs.map(wireServerTool),
    ...own.flatMap((tool) => {
      const { allowedCallers } = Object.hasOwn(toolOptions, tool.name) ? toolOptions[tool.name]! : {};
      const callers = callersFor(tool, own, hosted, allowedCallers);
      if (callers?.length === 0) return [];
      const parameters = { parameters: objectSchema(tool.inputSchema), strict: false } as const;
      return { type: "function", ...wireFunction(tool, toolOptions, parameters, callers) };
    }),
  ];
  if (tools.length === 0 || (choice === "none" && !server.toolChoice)) return {};
  return {
    tools,
    ...(choice !== undefined && server.toolChoice && { tool_choice: toolChoice(choice) }),
    ...(server.parallelToolCalls !== undefined && { parallel_tool_calls: server.parallelToolCalls }),
  };
}

function toolChoice(choice: ToolChoice): unknown {
  return typeof choice === "string" ? choice : { type: "function", name: choice.name };
}

/** An effort that the host has chosen for this model is sent in any case: a model that has none refuses it by name. */
function reasoningField(
  { reasoning }: ProviderRequest,
  chosen: OpenAIEffort | undefined,
  { summary, effort, leastEffort }: ResponsesCapabilities,
): object {
  const asksForSummary = summary !== "none" && (reasoning ?? chosen) !== "none";
  const worded = reasoning === undefined || !effort ? undefined : atLeast(leastEffort, reasoning);
  const asked = reasoning === undefined ? chosen : worded;
  if (asked === undefined && !asksForSummary) return {};
  return { reasoning: { ...(asked !== undefined && { effort: asked }), ...(asksForSummary && { summary }) } };
}

/** Options for the fields that we fill, too, add to what is in them. */
function withOptions(body: Fields, options: Fields): object {
  const merged: Record<string, unknown> = { ...body };
  for (const [field, value] of Object.entries(options)) {
    const ours = body[field];
    if (isObject(ours) && isObject(value)) merged[field] = { ...ours, ...value };
    else if (field === "include" && Array.isArray(ours) && Array.isArray(value)) {
      merged[field] = [...new Set([...ours, ...value])];
    } else merged[field] = value;
  }
  return merged;
}
