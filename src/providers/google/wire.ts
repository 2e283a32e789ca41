// The parts of the Gemini API that are used here, typed by structure.
// Source: https://ai.google.dev/api/generate-content and the types of @google/genai 2.32 (read 2026-11).
import type { Fields } from "../../json/is-object.js";

/** The body of a request for streamed content. */
export interface GoogleBody {
  readonly contents: readonly GoogleContent[];
  readonly systemInstruction?: object;
  readonly tools?: readonly object[];
  readonly toolConfig?: object;
  readonly generationConfig?: object;
}

/** One turn as it goes over the wire. */
export interface GoogleContent {
  readonly role: "user" | "model";
  readonly parts: readonly GooglePart[];
}

/** One part of a turn. */
export type GooglePart = Fields;

/** The amount of thinking before an answer. */
export interface GoogleThinking {
  /** Whether the thoughts come with the answer, as reasoning. Default: the API's, which is `false`. */
  readonly includeThoughts?: boolean | undefined;
  /** Unit: tokens; -1 lets the model decide. Gemini 2.5. */
  readonly thinkingBudget?: number | undefined;
  /** Gemini 3 and later. */
  readonly thinkingLevel?: "minimal" | "low" | "medium" | "high" | undefined;
}

/** A ready SDK client: `new GoogleGenAI(…)`, or anything with the same method. */
export interface GoogleClient {
  readonly models: {
    generateContentStream(parameters: {
      model: string;
      contents: never;
      config?: never;
    }): PromiseLike<AsyncIterable<unknown>>;
  };
}
