import type { JsonSchema, JsonValue } from "../../contracts/json.js";
import type { Message, ToolResultPart } from "../../contracts/message.js";
import type { PromptSection, ProviderRequest, ReasoningEffort, ToolChoice } from "../../contracts/provider.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";

/** A request as it was when it arrived: its arrays are copies, so later turns do not change them. */
export class RecordedRequest implements ProviderRequest {
  readonly system: readonly PromptSection[];
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
  readonly toolChoice?: ToolChoice;
  readonly output?: JsonSchema;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly reasoning?: ReasoningEffort;
  readonly providerOptions?: JsonValue;
  readonly sessionId: string;
  readonly #original: ProviderRequest;

  /** `copy: false` keeps the request's own arrays: they cost nothing and are valid until the stream ends. */
  constructor(request: ProviderRequest, { copy }: { readonly copy: boolean }) {
    this.system = copy ? [...request.system] : request.system;
    this.tools = copy ? [...request.tools] : request.tools;
    this.messages = copy ? [...request.messages] : request.messages;
    this.toolChoice = request.toolChoice;
    this.output = request.output;
    this.maxOutputTokens = request.maxOutputTokens;
    this.temperature = request.temperature;
    this.reasoning = request.reasoning;
    this.providerOptions = request.providerOptions;
    this.sessionId = request.sessionId;
    this.#original = request;
  }

  /** The request's own signal: created when first read, so it is read from the original only on demand. */
  get signal(): AbortSignal {
    return this.#original.signal;
  }

  /** The newest message of any role. */
  get lastMessage(): Message | undefined {
    return this.messages.at(-1);
  }

  /** The results of the newest turn that had calls, in call order; empty when there was none. */
  get lastToolResults(): readonly ToolResultPart[] {
    return findLast(this.messages, "tool")?.content ?? [];
  }

  /** The last of `lastToolResults`. */
  get lastToolResult(): ToolResultPart | undefined {
    return this.lastToolResults.at(-1);
  }

  /** The text parts of the newest user message of any origin, joined; empty when there is not one. */
  get lastUserText(): string {
    const parts = findLast(this.messages, "user")?.content ?? [];
    return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  }
}

function findLast<Role extends Message["role"]>(messages: readonly Message[], role: Role) {
  return messages.findLast((message): message is Extract<Message, { role: Role }> => message.role === role);
}
