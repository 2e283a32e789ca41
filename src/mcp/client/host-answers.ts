// The questions of a server to the host: for input of the user, and words of a model.
import type { JsonObject, JsonValue } from "../../contracts/json.js";

/** A server asks the user for something. */
export interface McpElicitation {
  /** The server's name, as it was connected. */
  readonly server: string;
  readonly message: string;
  /** `form`: values are wanted. `url`: the user is to open `url`, where the server learns by itself what it needs. */
  readonly mode: "form" | "url";
  /** For `form`: a JSON Schema of an object with plain properties. */
  readonly requestedSchema?: JsonObject | undefined;
  readonly url?: string | undefined;
  /** For `url`: the server's name for the request. */
  readonly elicitationId?: string | undefined;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The user's answer: `content` goes with `accept` of a form. */
export interface McpElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
}

/** A server asks for the answer of a model. */
export interface McpSampling {
  /** The server's name, as it was connected. */
  readonly server: string;
  readonly messages: readonly McpSamplingMessage[];
  readonly systemPrompt?: string | undefined;
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  /** As the server sent them: hints of models, and what matters to it. */
  readonly modelPreferences?: JsonObject | undefined;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** A message that a server wants a model to continue. */
export interface McpSamplingMessage {
  readonly role: "user" | "assistant";
  /** One content block of the protocol, or several: `{ type: "text", text }`, `{ type: "image", data, mimeType }`, … */
  readonly content: JsonValue;
}

/** The model's answer: its text alone, or with what is known of it. */
export type McpSamplingAnswer =
  | string
  | {
      readonly text: string;
      /** Default: `unknown`. */
      readonly model?: string | undefined;
      /** Default: `endTurn`. */
      readonly stopReason?: string | undefined;
    };

/** The host's answers to servers. A function that is left out is not offered to them. */
export interface HostAnswers {
  readonly elicit?: ((request: McpElicitation) => McpElicitationAnswer | Promise<McpElicitationAnswer>) | undefined;
  readonly sample?: ((request: McpSampling) => McpSamplingAnswer | Promise<McpSamplingAnswer>) | undefined;
  /** Without `elicit`, a server's question suspends the call it belongs to. */
  readonly suspends?: boolean | undefined;
}
