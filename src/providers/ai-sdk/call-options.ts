import type { JsonObject } from "../../contracts/json.js";
import type { ProviderRequest, ToolChoice } from "../../contracts/provider.js";
import { isObject } from "../../json/is-object.js";
import { portableToolName } from "../shared/request/portable-names.js";
import { aiSdkPrompt, type PromptRules } from "./ai-sdk-prompt.js";

/** An adapter's additions to every call. */
export interface CallAdditions {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly providerOptions?: Readonly<Record<string, JsonObject>> | undefined;
}

/** The options of one call of `doStream`, but its signal. */
export function aiSdkCallOptions(request: ProviderRequest, rules: PromptRules, additions: CallAdditions): object {
  const { tools, output, toolChoice } = request;
  const providerOptions = mergedOptions(additions.providerOptions, request.providerOptions);
  return {
    prompt: aiSdkPrompt(request.system, request.messages, rules),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function",
        name: portableToolName(name),
        description,
        inputSchema,
      })),
      ...(toolChoice !== undefined && { toolChoice: wireChoice(toolChoice) }),
    }),
    ...(output && { responseFormat: { type: "json", schema: output, name: "output" } }),
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    // Earlier versions have vendor options for it only.
    ...(request.reasoning !== undefined && rules.version === "v4" && { reasoning: request.reasoning }),
    ...(providerOptions && { providerOptions }),
    ...(additions.headers && { headers: { ...additions.headers } }),
  };
}

function wireChoice(choice: ToolChoice): object {
  return typeof choice === "string" ? { type: choice } : { type: "tool", toolName: portableToolName(choice.name) };
}

/** Options by vendor; those of the request win. */
function mergedOptions(own: CallAdditions["providerOptions"], asked: unknown): object | undefined {
  if (!isObject(asked)) return own;
  const merged: Record<string, unknown> = { ...own };
  for (const [vendor, options] of Object.entries(asked)) {
    merged[vendor] = isObject(options) && isObject(merged[vendor]) ? { ...merged[vendor], ...options } : options;
  }
  return merged;
}
