// A language model of the AI SDK, typed by structure: versions 2, 3 and 4 of its specification (ai 5, 6 and 7).
// Source: the types of @ai-sdk/provider 4.0 (read 2026-11).

import { ConfigurationError } from "../../contracts/errors.js";
import { isObject } from "../../json/is-object.js";

/** The parts of an AI SDK model that are used. */
export interface AiSdkLanguageModel {
  /** `"v2"`, `"v3"` or `"v4"`. */
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

/** The versions that are understood. */
export type SpecificationVersion = "v2" | "v3" | "v4";

/**
 * The model's version.
 *
 * @throws ConfigurationError `OPTION_INVALID` for what is not a model, or one of a version that is not understood
 */
export function specificationOf(model: unknown): SpecificationVersion {
  if (typeof model === "string") {
    throw wrongModel(
      `is the name "${model.slice(0, 60)}"`,
      'Pass the model itself, such as openai("gpt-5.1") of @ai-sdk/openai.',
    );
  }
  const isModel = isObject(model) || typeof model === "function";
  const { specificationVersion, provider, modelId, doStream } = (isModel ? model : {}) as Partial<AiSdkLanguageModel>;
  const hasNames = typeof provider === "string" && typeof modelId === "string" && provider !== "" && modelId !== "";
  if (!hasNames || typeof doStream !== "function") {
    throw wrongModel("is not a language model of the AI SDK", "Pass an object with provider, modelId and doStream().");
  }
  if (specificationVersion === "v2" || specificationVersion === "v3" || specificationVersion === "v4") {
    return specificationVersion;
  }
  const said = String(specificationVersion).slice(0, 20);
  throw wrongModel(
    `has specificationVersion "${said}"`,
    'This version understands "v2", "v3" and "v4" (ai 5, 6 and 7).',
  );
}

function wrongModel(what: string, remedy: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `The model of aiSdk() ${what}. ${remedy}`,
    details: { option: "model" },
  });
}
