import type { ProviderRequest, ToolChoice } from "../../../contracts/provider.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { objectSchema } from "../../shared/request/object-schema.js";
import { wholeText } from "../../shared/request/whole-text.js";
import { answerForm, namedSchema } from "../answer-schema.js";
import { MAX_CACHE_KEY_CHARS, schemaPrompt } from "../chat/request.js";
import { wordedEffort } from "../shared-lessons.js";
import { inputItems } from "./input-items.js";
import type { ResponsesCapabilities } from "./server-quirks.js";

/** The body for one request. `providerOptions` come last and win, except that the response is always streamed. */
export function responsesRequest(
  request: ProviderRequest,
  { id, model }: { readonly id: string; readonly model: string },
  server: ResponsesCapabilities,
): object {
  const { system, output, maxOutputTokens, temperature, providerOptions } = request;
  const texts = system.flatMap(({ text }) => (text === "" ? [] : [text]));
  const takesSchema = output && answerForm(output, server) === "schema";
  if (output && !takesSchema) texts.push(schemaPrompt(output));
  const instructions = wholeText(texts.join("\n\n"));
  const author = { provider: id, model, replaysReasoning: server.encryptedReasoning };
  const body = {
    model,
    ...(instructions !== "" && { instructions }),
    input: inputItems(request.messages, author),
    ...toolFields(request, server),
    ...(takesSchema && { text: { format: { type: "json_schema", ...namedSchema(output, server) } } }),
    ...(maxOutputTokens !== undefined && server.outputLimit && { max_output_tokens: maxOutputTokens }),
    ...(temperature !== undefined && server.temperature && { temperature }),
    ...reasoningField(request, server),
    ...(server.encryptedReasoning && { include: ["reasoning.encrypted_content"] }),
    ...(server.promptCacheKey && { prompt_cache_key: request.sessionId.slice(0, MAX_CACHE_KEY_CHARS) }),
    store: false,
  };
  return { ...(isObject(providerOptions) ? withOptions(body, providerOptions) : body), stream: true };
}

function toolFields({ tools, toolChoice: choice }: ProviderRequest, server: ResponsesCapabilities): object {
  if (tools.length === 0 || (choice === "none" && !server.toolChoice)) return {};
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      parameters: objectSchema(inputSchema),
      strict: false,
    })),
    ...(choice !== undefined && server.toolChoice && { tool_choice: toolChoice(choice) }),
    ...(server.parallelToolCalls !== undefined && { parallel_tool_calls: server.parallelToolCalls }),
  };
}

function toolChoice(choice: ToolChoice): unknown {
  return typeof choice === "string" ? choice : { type: "function", name: choice.name };
}

function reasoningField(
  { reasoning }: ProviderRequest,
  { summary, effort, leastEffort }: ResponsesCapabilities,
): object {
  const asksForSummary = summary !== "none" && reasoning !== "none";
  const asked = reasoning === undefined || !effort ? undefined : wordedEffort(reasoning, leastEffort);
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
