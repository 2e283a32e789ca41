import type { JsonSchema } from "../../contracts/json.js";
import type { ProviderRequest, ReasoningEffort, ToolChoice } from "../../contracts/provider.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { isObject } from "../../json/is-object.js";
import { objectSchema } from "../shared/request/object-schema.js";
import { googleContents, googleToolName } from "./contents.js";
import { toGoogleSchema } from "./google-schema.js";
import type { ModelFeatures } from "./model-features.js";
import { googleTextPart } from "./parts.js";
import type { GoogleBody, GoogleContent, GoogleThinking } from "./wire.js";

/** The function that a structured answer is asked for with, where the API has no other way. */
export const OUTPUT_FUNCTION = "structured_output";

/** The settings of an adapter that decide how a request is written. */
export interface GoogleSettings {
  readonly model: string;
  /** `id/model`: whose signatures may go back. */
  readonly owner: string;
  readonly thinking?: GoogleThinking | undefined;
}

/** A request's body, and the function that its response answers with. */
export interface PreparedBody {
  readonly body: GoogleBody;
  /** The function whose call is the structured answer, when there is one. */
  readonly outputTool?: string;
}

/** The body for one request. `providerOptions` come last and win; those in `generationConfig` are added to it. */
export function prepareBody(request: ProviderRequest, settings: GoogleSettings, features: ModelFeatures): PreparedBody {
  const { output, tools, providerOptions } = request;
  const takesSchema = features.structured && (tools.length === 0 || features.structuredWithTools);
  const outputAsCall = output && !takesSchema ? output : undefined;
  const options = isObject(providerOptions) ? providerOptions : {};
  const generationConfig = {
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...thinkingFields(request, settings, features),
    ...(output &&
      !outputAsCall && { responseMimeType: "application/json", responseJsonSchema: toGoogleSchema(output).schema }),
    ...(isObject(options.generationConfig) && options.generationConfig),
  };
  const rules = { owner: settings.owner, needsSignatures: features.needsSignatures };
  const body: GoogleBody = {
    ...withSystem(request, googleContents(request.messages, rules), features),
    ...functionFields(tools, request.toolChoice, outputAsCall),
    ...options,
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
  return { body, ...(outputAsCall && { outputTool: OUTPUT_FUNCTION }) };
}

function withSystem(
  { system }: ProviderRequest,
  contents: readonly GoogleContent[],
  features: ModelFeatures,
): Pick<GoogleBody, "contents" | "systemInstruction"> {
  const parts = system.map(({ text }) => googleTextPart(text)).filter((part) => part !== null);
  if (parts.length === 0) return { contents };
  if (features.system) return { systemInstruction: { parts }, contents };
  const [first, ...rest] = contents as [GoogleContent, ...GoogleContent[]];
  return { contents: [{ ...first, parts: [...parts, ...first.parts] }, ...rest] };
}

function thinkingFields({ reasoning }: ProviderRequest, settings: GoogleSettings, features: ModelFeatures): object {
  const asked = thinkingConfig(reasoning, features);
  const config = reasoning === undefined ? settings.thinking : asked;
  return config ? { thinkingConfig: config } : {};
}

function functionFields(
  tools: readonly ToolDefinition[],
  choice: ToolChoice | undefined,
  output: JsonSchema | undefined,
): object {
  const declarations = tools.map(declaration);
  if (output) {
    const description = "Gives the final answer. Call it once, when no other function is needed.";
    declarations.push(declaration({ name: OUTPUT_FUNCTION, description, inputSchema: output }));
  }
  if (declarations.length === 0) return {};
  const isOnlyOutput = output !== undefined && (tools.length === 0 || choice === "none");
  const effective = isOnlyOutput ? { name: OUTPUT_FUNCTION } : output && choice !== "required" ? "required" : choice;
  const functionCallingConfig = callingConfig(effective);
  return {
    tools: [{ functionDeclarations: declarations }],
    ...(functionCallingConfig && { toolConfig: { functionCallingConfig } }),
  };
}

function declaration({ name, description, inputSchema }: ToolDefinition): object {
  return {
    name: googleToolName(name),
    ...(description !== "" && { description }),
    ...(hasParameters(inputSchema) && { parametersJsonSchema: toGoogleSchema(objectSchema(inputSchema)).schema }),
  };
}

/** A function without parameters leaves them out: an object without properties is refused by some models. */
function hasParameters(schema: JsonSchema): boolean {
  const { type: _, properties, additionalProperties, $schema: __, ...rest } = schema;
  const isEmpty = properties === undefined || (isObject(properties) && Object.keys(properties).length === 0);
  const takesMore = additionalProperties !== undefined && additionalProperties !== false;
  return !isEmpty || takesMore || Object.keys(rest).length > 0;
}

function callingConfig(choice: ToolChoice | undefined): object | undefined {
  if (choice === undefined || choice === "auto") return undefined;
  if (choice === "none") return { mode: "NONE" };
  return choice === "required" ? { mode: "ANY" } : { mode: "ANY", allowedFunctionNames: [googleToolName(choice.name)] };
}

/** The token budget of each effort, where thinking has a budget. */
const BUDGETS: Readonly<Record<ReasoningEffort, number>> = { none: 0, low: 2_048, medium: 8_192, high: 24_576 };

/** The form of a requested effort for this model; `undefined` leaves it to the model. */
export function thinkingConfig(
  effort: ReasoningEffort | undefined,
  features: ModelFeatures,
): GoogleThinking | undefined {
  if (effort === undefined || features.thinking === "none") return undefined;
  const includeThoughts = effort !== "none";
  if (features.thinking === "budget") {
    return { includeThoughts, thinkingBudget: Math.max(BUDGETS[effort], features.minBudget) };
  }
  return { includeThoughts, thinkingLevel: effort === "none" ? features.minLevel : effort };
}
