/** What a model costs. Unit: US dollars for a million tokens. */
export interface ModelPrice {
  readonly inputUsd: number;
  readonly outputUsd: number;
  /** Input that was read from a cache. Default: `inputUsd`. */
  readonly cacheReadUsd?: number;
  /** Input that was written to a cache. Default: `inputUsd`. */
  readonly cacheWriteUsd?: number;
}

/** How much a model takes and gives. Unit: tokens. */
export interface ModelLimits {
  /** Input and output together. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

interface KnownModel extends ModelPrice, ModelLimits {
  /** Dated names at the same price; a name that is not listed may have another. */
  readonly snapshots?: readonly string[];
}

function model(
  [inputUsd, cacheReadUsd, outputUsd]: readonly [number, number, number],
  [contextWindow, maxOutputTokens]: readonly [number, number],
  ...snapshots: string[]
): KnownModel {
  return { inputUsd, cacheReadUsd, outputUsd, contextWindow, maxOutputTokens, snapshots };
}

const GPT_5 = [400_000, 128_000] as const;
const GPT_4_1 = [1_047_576, 32_768] as const;
const GPT_4O = [128_000, 16_384] as const;
const O_SERIES = [200_000, 100_000] as const;

// Input, cached input, output at the standard tier; then window and output limit.
// Source: the model pages under https://developers.openai.com/api/docs/models and
// https://github.com/pydantic/genai-prices (prices/providers/openai.yml), read 2026-11-21. Models whose price depends on
// the length of the prompt are left out: the host's own table can say what they cost.
const OPENAI: Readonly<Record<string, KnownModel>> = {
  "gpt-5.2": model([1.75, 0.175, 14], GPT_5, "2025-12-11"),
  "gpt-5.1": model([1.25, 0.125, 10], GPT_5, "2025-11-13"),
  "gpt-5": model([1.25, 0.125, 10], GPT_5, "2025-08-07"),
  "gpt-5-mini": model([0.25, 0.025, 2], GPT_5, "2025-08-07"),
  "gpt-5-nano": model([0.05, 0.005, 0.4], GPT_5, "2025-08-07"),
  "gpt-4.1": model([2, 0.5, 8], GPT_4_1, "2025-04-14"),
  "gpt-4.1-mini": model([0.4, 0.1, 1.6], GPT_4_1, "2025-04-14"),
  "gpt-4.1-nano": model([0.1, 0.025, 0.4], GPT_4_1, "2025-04-14"),
  "gpt-4o": model([2.5, 1.25, 10], GPT_4O, "2024-08-06", "2024-11-20"),
  "gpt-4o-mini": model([0.15, 0.075, 0.6], GPT_4O, "2024-07-18"),
  o3: model([2, 0.5, 8], O_SERIES, "2025-04-16"),
  "o3-mini": model([1.1, 0.55, 4.4], O_SERIES, "2025-01-31"),
  "o4-mini": model([1.1, 0.275, 4.4], O_SERIES, "2025-04-16"),
};

const KNOWN = new Map<string, KnownModel>();
for (const [name, known] of Object.entries(OPENAI)) {
  for (const alias of [name, ...(known.snapshots ?? []).map((date) => `${name}-${date}`)]) {
    KNOWN.set(`openai/${alias}`, known);
  }
}

/** A provider and a model, as recorded with a message. */
export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/** The list price of a well-known model; `undefined` for every other. */
export function findListPrice({ provider, model }: ModelName): ModelPrice | undefined {
  return KNOWN.get(`${provider}/${model}`);
}

/** The window of a well-known model; `undefined` for every other. */
export function findModelLimits({ provider, model }: ModelName): ModelLimits | undefined {
  const known = KNOWN.get(`${provider}/${model}`);
  return known && { contextWindow: known.contextWindow, maxOutputTokens: known.maxOutputTokens };
}
