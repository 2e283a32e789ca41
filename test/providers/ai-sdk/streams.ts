import { type AiSdkLanguageModel, aiSdk } from "../../../src/providers/ai-sdk/index.js";

export const VERSIONS = ["v2", "v3", "v4"] as const;

/** An adapter around a model that plays these parts, and the options of its calls. */
export function playParts(specificationVersion: string, parts: readonly unknown[], more: object = {}) {
  const calls: { readonly [option: string]: unknown }[] = [];
  const model = {
    specificationVersion,
    provider: "vendor.chat",
    modelId: "model-1",
    doStream: async (options: { readonly [option: string]: unknown }) => {
      calls.push(options);
      const stream = new ReadableStream<unknown>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream };
    },
    ...more,
  };
  return { calls, model, provider: aiSdk(model as unknown as AiSdkLanguageModel) };
}

/** The end of a message in each version. */
export function finishPart(version: string, reason: string, input = 10, output = 4): object {
  if (version === "v2") {
    return {
      type: "finish",
      finishReason: reason,
      usage: { inputTokens: input, outputTokens: output, totalTokens: input + output },
    };
  }
  const usage = {
    inputTokens: { total: input, noCache: input - 3, cacheRead: 3, cacheWrite: undefined },
    outputTokens: { total: output, text: output - 1, reasoning: 1 },
  };
  return { type: "finish", finishReason: { unified: reason, raw: reason }, usage };
}
