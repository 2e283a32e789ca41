// Prices and windows of well-known models. Each row: input, output, input read from a cache, input written to one (US
// dollars for a million tokens), then the window and the output limit (tokens).
// Sources: https://github.com/pydantic/genai-prices (0.1.8), the price pages of the vendors; read 2026-11-23. DeepSeek's
// rates are those of its peak hours, Qwen's those of the international region, GLM's those of z.ai.
import type { ModelPriceTier } from "./known-models.js";

/** One well-known model. */
export interface ListedModel {
  readonly costs: Costs;
  readonly contextWindow: number;
  readonly maxOutputTokens?: number;
  /** Other names at the same price: aliases, dated snapshots. */
  readonly aliases?: readonly string[];
  /** Prices for larger requests, smallest first. */
  readonly tiers?: readonly ModelPriceTier[];
}

type Costs = readonly [input: number, output: number, cacheRead?: number, cacheWrite?: number];

type Window = readonly [contextWindow: number, maxOutputTokens?: number];

function model(costs: Costs, window: Window, ...aliases: string[]): ListedModel {
  const [contextWindow, maxOutputTokens] = window;
  return { costs, contextWindow, ...(maxOutputTokens !== undefined && { maxOutputTokens }), aliases };
}

/** The same with another price from a size of the request on. */
function tiered(listed: ListedModel, ...tiers: readonly (readonly [aboveInputTokens: number, costs: Costs])[]) {
  return {
    ...listed,
    tiers: tiers.map(([aboveInputTokens, [inputUsd, outputUsd, cacheReadUsd, cacheWriteUsd]]) => ({
      aboveInputTokens,
      inputUsd,
      outputUsd,
      ...(cacheReadUsd !== undefined && { cacheReadUsd }),
      ...(cacheWriteUsd !== undefined && { cacheWriteUsd }),
    })),
  };
}

const GPT_6: Window = [1_050_000, 128_000];
const GPT_5: Window = [400_000, 128_000];
const GPT_4_1: Window = [1_047_576, 32_768];
const GPT_4O: Window = [128_000, 16_384];
const O_SERIES: Window = [200_000, 100_000];
const MILLION: Window = [1_000_000];
const CLAUDE: Window = [200_000, 64_000];
const CLAUDE_1M: Window = [1_000_000, 128_000];
const GEMINI: Window = [1_048_576, 65_536];
const GROK_FAST: Window = [2_000_000];
const GLM_5: Window = [204_800, 131_072];
const K256: Window = [262_144];

/** By provider, then by model. A provider's models are made when they are asked for: few processes use many vendors. */
export const MODEL_LIST: Readonly<Record<string, () => Readonly<Record<string, ListedModel>>>> = {
  openai: () => ({
    "gpt-6.1-sol": tiered(model([2, 10, 0.1, 2.5], GPT_6), [272_000, [4, 15, 0.2, 5]]),
    "gpt-6.1-terra": tiered(model([1, 5, 0.05, 1.25], GPT_6), [272_000, [2, 7.5, 0.1, 2.5]]),
    "gpt-6-astra": tiered(model([10, 50, 1, 12.5], GPT_6), [271_999, [20, 75, 2, 25]]),
    "gpt-6-sol": tiered(model([2, 10, 0.2, 2.5], GPT_6), [272_000, [4, 15, 0.4, 5]]),
    "gpt-6-luna": tiered(model([0.1, 0.5, 0.01, 0.125], GPT_6), [272_000, [0.2, 0.75, 0.02, 0.25]]),
    "gpt-5.6-sol": tiered(model([4, 20, 0.4, 5], GPT_6), [271_999, [8, 30, 0.8, 10]]),
    "gpt-5.6-terra": tiered(model([2, 12, 0.2, 2.5], GPT_6), [271_999, [4, 18, 0.4, 5]]),
    "gpt-5.6-luna": tiered(model([0.2, 1.2, 0.02, 0.25], GPT_6), [271_999, [0.4, 1.8, 0.04, 0.5]]),
    "gpt-5.5": tiered(model([5, 30, 0.5], [1_000_000, 128_000], "gpt-5.5-2026-04-23"), [271_999, [10, 45, 1]]),
    "gpt-5.5-pro": tiered(model([30, 180], [1_000_000, 128_000], "gpt-5.5-pro-2026-04-23"), [271_999, [60, 270]]),
    "gpt-5.4": tiered(model([2.5, 15, 0.25], GPT_6, "gpt-5.4-2026-03-05"), [271_999, [5, 22.5, 0.5]]),
    "gpt-5.4-pro": tiered(model([30, 180], GPT_6, "gpt-5.4-pro-2026-03-05"), [271_999, [60, 270]]),
    "gpt-5.4-mini": model([0.75, 4.5, 0.075], GPT_5, "gpt-5.4-mini-2026-03-17"),
    "gpt-5.4-nano": model([0.2, 1.25, 0.02], GPT_5, "gpt-5.4-nano-2026-03-17"),
    "gpt-5.3-codex": model([1.75, 14, 0.175], GPT_5),
    "gpt-5.3-chat-latest": model([1.75, 14, 0.175], GPT_4O, "gpt-5.2-chat-latest"),
    "gpt-5.2": model([1.75, 14, 0.175], GPT_5, "gpt-5.2-2025-12-11", "gpt-5.2-codex"),
    "gpt-5.2-pro": model([21, 168], GPT_5, "gpt-5.2-pro-2025-12-11"),
    "gpt-5.1": model([1.25, 10, 0.125], GPT_5, "gpt-5.1-2025-11-13", "gpt-5.1-codex", "gpt-5.1-codex-max"),
    "gpt-5.1-codex-mini": model([0.25, 2, 0.025], GPT_5),
    "gpt-5.1-chat-latest": model([1.25, 10, 0.125], GPT_4O, "gpt-5-chat-latest"),
    "gpt-5": model([1.25, 10, 0.125], GPT_5, "gpt-5-2025-08-07", "gpt-5-codex"),
    "gpt-5-mini": model([0.25, 2, 0.025], GPT_5, "gpt-5-mini-2025-08-07"),
    "gpt-5-nano": model([0.05, 0.4, 0.005], GPT_5, "gpt-5-nano-2025-08-07"),
    "gpt-5-pro": model([15, 120], GPT_5, "gpt-5-pro-2025-10-06"),
    "gpt-4.1": model([2, 8, 0.5], GPT_4_1, "gpt-4.1-2025-04-14"),
    "gpt-4.1-mini": model([0.4, 1.6, 0.1], GPT_4_1, "gpt-4.1-mini-2025-04-14"),
    "gpt-4.1-nano": model([0.1, 0.4, 0.025], GPT_4_1, "gpt-4.1-nano-2025-04-14"),
    "gpt-4o": model([2.5, 10, 1.25], GPT_4O, "gpt-4o-2024-08-06", "gpt-4o-2024-11-20"),
    "gpt-4o-mini": model([0.15, 0.6, 0.075], GPT_4O, "gpt-4o-mini-2024-07-18"),
    "gpt-4o-2024-05-13": model([5, 15], [128_000, 4_096]),
    "chatgpt-4o-latest": model([5, 15], GPT_4O),
    "gpt-4-turbo": model([10, 30], [128_000, 4_096], "gpt-4-turbo-2024-04-09"),
    "gpt-4": model([30, 60], [8_192, 8_192], "gpt-4-0613"),
    "gpt-3.5-turbo": model([0.5, 1.5], [16_385, 4_096], "gpt-3.5-turbo-0125"),
    o1: model([15, 60, 7.5], O_SERIES, "o1-2024-12-17"),
    "o1-pro": model([150, 600], O_SERIES, "o1-pro-2025-03-19"),
    "o1-mini": model([1.1, 4.4, 0.55], [128_000, 65_536], "o1-mini-2024-09-12"),
    o3: model([2, 8, 0.5], O_SERIES, "o3-2025-04-16"),
    "o3-pro": model([20, 80], O_SERIES, "o3-pro-2025-06-10"),
    "o3-mini": model([1.1, 4.4, 0.55], O_SERIES, "o3-mini-2025-01-31"),
    "o4-mini": model([1.1, 4.4, 0.275], O_SERIES, "o4-mini-2025-04-16"),
  }),
  anthropic: () => ({
    "claude-fable-5-1": model([10, 50, 0.25, 12.5], CLAUDE_1M, "claude-mythos-5-1"),
    "claude-fable-5": model([10, 50, 1, 12.5], CLAUDE_1M, "claude-mythos-5"),
    "claude-haiku-5-5": tiered(model([0.1, 0.5, 0.01, 0.125], CLAUDE_1M), [100_000, [0.5, 2.5, 0.05, 0.625]]),
    "claude-opus-5-5": model([4, 20, 0.2, 5], CLAUDE_1M),
    "claude-opus-5": model([5, 25, 0.5, 6.25], CLAUDE_1M),
    "claude-sonnet-5-5": model([2, 10, 0.1, 2.5], CLAUDE_1M),
    "claude-sonnet-5": model([2, 10, 0.2, 2.5], CLAUDE_1M),
    "claude-opus-4-8": model([5, 25, 0.5, 6.25], CLAUDE_1M),
    "claude-opus-4-7": model([5, 25, 0.5, 6.25], CLAUDE_1M),
    "claude-opus-4-6": model([5, 25, 0.5, 6.25], CLAUDE_1M),
    "claude-sonnet-4-6": model([3, 15, 0.3, 3.75], [1_000_000, 64_000]),
    "claude-opus-4-5": model([5, 25, 0.5, 6.25], CLAUDE, "claude-opus-4-5-20251101"),
    "claude-sonnet-4-5": tiered(model([3, 15, 0.3, 3.75], CLAUDE, "claude-sonnet-4-5-20250929"), [
      200_000,
      [6, 22.5, 0.6, 7.5],
    ]),
    "claude-haiku-4-5": model([1, 5, 0.1, 1.25], CLAUDE, "claude-haiku-4-5-20251001"),
    "claude-opus-4-1": model([15, 75, 1.5, 18.75], [200_000, 32_000], "claude-opus-4-1-20250805"),
    "claude-opus-4-0": model([15, 75, 1.5, 18.75], [200_000, 32_000], "claude-opus-4-20250514"),
    "claude-sonnet-4-0": model([3, 15, 0.3, 3.75], CLAUDE, "claude-sonnet-4-20250514"),
    "claude-3-7-sonnet-latest": model([3, 15, 0.3, 3.75], CLAUDE, "claude-3-7-sonnet-20250219"),
    "claude-3-5-sonnet-latest": model(
      [3, 15, 0.3, 3.75],
      [200_000, 8_192],
      "claude-3-5-sonnet-20241022",
      "claude-3-5-sonnet-20240620",
    ),
    "claude-3-5-haiku-latest": model([0.8, 4, 0.08, 1], [200_000, 8_192], "claude-3-5-haiku-20241022"),
    "claude-3-opus-latest": model([15, 75, 1.5, 18.75], [200_000, 4_096], "claude-3-opus-20240229"),
    "claude-3-haiku-20240307": model([0.25, 1.25, 0.03, 0.3], [200_000, 4_096]),
  }),
  google: () => ({
    "gemini-3.8-flash": model([0.75, 3.75, 0.075], GEMINI),
    "gemini-3.7-flash": model([0.75, 3.75, 0.075], GEMINI),
    "gemini-3.6-flash": model([0.75, 3.75, 0.075], GEMINI),
    "gemini-3.5-flash": model([1.5, 9, 0.15], GEMINI),
    "gemini-3.5-flash-lite": model([0.3, 2.5, 0.03], GEMINI),
    "gemini-3.1-pro-preview": tiered(model([2, 12, 0.2], GEMINI), [200_000, [4, 18, 0.4]]),
    "gemini-3.1-flash-lite": model([0.25, 1.5, 0.025], GEMINI, "gemini-3.1-flash-lite-preview"),
    "gemini-3-pro-preview": tiered(model([2, 12, 0.2], GEMINI), [200_000, [4, 18, 0.4]]),
    "gemini-3-flash-preview": model([0.5, 3, 0.05], GEMINI),
    "gemini-2.5-pro": tiered(model([1.25, 10, 0.125], GEMINI), [200_000, [2.5, 15, 0.25]]),
    "gemini-2.5-flash": model([0.3, 2.5, 0.03], GEMINI, "gemini-2.5-flash-preview-09-2025"),
    "gemini-2.5-flash-lite": model([0.1, 0.4, 0.01], GEMINI, "gemini-2.5-flash-lite-preview-09-2025"),
    "gemini-2.0-flash": model([0.1, 0.4, 0.025], [1_048_576, 8_192], "gemini-2.0-flash-001"),
    "gemini-2.0-flash-lite": model([0.075, 0.3], [1_048_576, 8_192], "gemini-2.0-flash-lite-001"),
  }),
  deepseek: () => ({
    "deepseek-v4-pro": model([1.32, 3.96, 0.044], [1_000_000, 384_000]),
    "deepseek-v4-flash": model([0.44, 1.32, 0.014], [1_000_000, 384_000]),
    "deepseek-chat": model([0.27, 1.1, 0.07], [131_072, 8_192]),
    "deepseek-reasoner": model([0.55, 2.19, 0.14], [131_072, 65_536]),
  }),
  mistral: () => ({
    "mistral-large-2512": model([0.5, 1.5, 0.05], K256, "mistral-large-latest"),
    "mistral-medium-3-5": model([1.5, 7.5, 0.15], K256, "mistral-medium-3.5", "mistral-medium-latest"),
    "mistral-small-2603": model([0.15, 0.6, 0.015], K256),
    "mistral-medium-2508": model([0.4, 2, 0.04], [131_072], "mistral-medium-2505"),
    "magistral-medium-latest": model([2, 5], [131_072], "magistral-medium-2509"),
    "codestral-2508": model([0.3, 0.9, 0.03], [256_000], "codestral-latest"),
    "devstral-2512": model([0.4, 2, 0.04], K256),
    "ministral-14b-2512": model([0.2, 0.2, 0.02], K256, "ministral-14b-latest"),
    "ministral-8b-2512": model([0.15, 0.15, 0.015], K256, "ministral-8b-latest"),
    "ministral-3b-2512": model([0.1, 0.1, 0.01], [131_072], "ministral-3b-latest"),
  }),
  xai: () => ({
    "grok-4.7": tiered(model([2, 6, 0.5], [500_000]), [199_999, [4, 12, 1]]),
    "grok-4.6": tiered(model([2, 6, 0.5], [500_000]), [199_999, [4, 12, 1]]),
    "grok-4.5": tiered(model([2, 6, 0.3], [500_000], "grok-4.5-latest"), [199_999, [4, 12, 0.6]]),
    "grok-4.3": tiered(model([1.25, 2.5, 0.2], MILLION, "grok-4.3-latest"), [199_999, [2.5, 5, 0.4]]),
    "grok-4.20": tiered(model([1.25, 2.5, 0.2], MILLION, "grok-4.20-0309-reasoning", "grok-4.20-0309-non-reasoning"), [
      199_999,
      [2.5, 5, 0.4],
    ]),
    "grok-build-0.1": tiered(model([1, 2, 0.2], [256_000]), [199_999, [2, 4, 0.4]]),
    "grok-4-1-fast-reasoning": model([0.2, 0.5, 0.05], GROK_FAST, "grok-4-1-fast"),
    "grok-4-1-fast-non-reasoning": model([0.2, 0.5, 0.05], GROK_FAST),
    "grok-4-fast-reasoning": model([0.2, 0.5, 0.05], GROK_FAST, "grok-4-fast"),
    "grok-4-fast-non-reasoning": model([0.2, 0.5, 0.05], GROK_FAST),
    "grok-4": model([3, 15, 0.75], [256_000], "grok-4-0709", "grok-4-latest"),
    "grok-3": model([3, 15, 0.75], [131_072], "grok-3-latest"),
    "grok-3-fast": model([5, 25, 1.25], [131_072]),
    "grok-3-mini-fast": model([0.6, 4, 0.15], [131_072]),
    "grok-3-mini": model([0.3, 0.5, 0.075], [131_072], "grok-3-mini-latest"),
    "grok-code-fast-1": model([0.2, 1.5, 0.02], [256_000], "grok-code-fast"),
  }),
  kimi: () => ({
    "kimi-k3": model([3, 15, 0.3], [1_048_576]),
    "kimi-k2.7-code": model([0.95, 4, 0.19], K256),
    "kimi-k2.7-code-highspeed": model([1.9, 8, 0.38], K256),
    "kimi-k2.6": model([0.95, 4, 0.16], K256),
    "kimi-k2.5": model([0.6, 3, 0.1], K256),
    "kimi-k2-thinking": model([0.6, 2.5, 0.15], K256),
    "kimi-k2-0905-preview": model([0.6, 2.5, 0.15], K256),
    "kimi-k2-turbo-preview": model([1.15, 8, 0.15], K256, "kimi-k2-thinking-turbo"),
    "kimi-k2-0711-preview": model([0.6, 2.5, 0.15], [131_072]),
    "moonshot-v1-128k": model([2, 5], [131_072]),
    "moonshot-v1-32k": model([1, 3], [32_768]),
    "moonshot-v1-8k": model([0.2, 2], [8_192]),
  }),
  groq: () => ({
    "openai/gpt-oss-120b": model([0.15, 0.6, 0.075], [131_072, 65_536]),
    "openai/gpt-oss-20b": model([0.075, 0.3, 0.0375], [131_072, 65_536]),
    "llama-3.3-70b-versatile": model([0.59, 0.79], [131_072, 32_768]),
    "llama-3.1-8b-instant": model([0.05, 0.08], [131_072, 131_072]),
    "meta-llama/llama-4-maverick-17b-128e-instruct": model([0.2, 0.6], [131_072, 8_192]),
    "meta-llama/llama-4-scout-17b-16e-instruct": model([0.11, 0.34], [131_072, 8_192]),
    "qwen/qwen3-32b": model([0.29, 0.59], [131_072, 40_960]),
    "moonshotai/kimi-k2-instruct": model([1, 3, 0.5], [131_072, 16_384]),
  }),
  glm: () => ({
    "glm-5.3": model([1.4, 4.4, 0.26], MILLION, "GLM-5.3"),
    "glm-5.3-flash": model([0.075, 0.25, 0.015], MILLION, "GLM-5.3-Flash"),
    "glm-5.2": model([1.4, 4.4, 0.26], MILLION, "GLM-5.2"),
    "glm-5.1": model([1.4, 4.4, 0.26], GLM_5),
    "glm-5": model([1, 3.2, 0.2], GLM_5),
    "glm-5-turbo": model([1.2, 4, 0.24], GLM_5),
    "glm-4.7": model([0.6, 2.2, 0.11], GLM_5, "glm-4.6"),
    "glm-4.5": model([0.6, 2.2, 0.11], [131_072, 98_304]),
    "glm-4.5-air": model([0.2, 1.1, 0.03], [131_072, 98_304]),
  }),
  qwen: () => ({
    "qwen3.8-max": model([2, 6], MILLION),
    "qwen3-max": tiered(model([1.2, 6, 0.24], [262_144, 65_536]), [32_000, [2.4, 12, 0.48]], [128_000, [3, 15, 0.6]]),
    "qwen3-coder-plus": tiered(
      model([1, 5, 0.1], [1_000_000, 65_536]),
      [32_000, [1.8, 9, 0.18]],
      [128_000, [3, 15, 0.3]],
      [256_000, [6, 60, 0.6]],
    ),
    "qwen-plus": tiered(model([0.4, 1.2, 0.16], [1_000_000, 32_768]), [256_000, [1.2, 3.6, 0.48]]),
    "qwen-flash": tiered(model([0.05, 0.4], [1_000_000, 32_768]), [256_000, [0.25, 2]]),
    "qwen-max": model([1.6, 6.4, 0.64], [32_768, 8_192]),
    "qwen-turbo": model([0.05, 0.2, 0.02], [131_072, 16_384]),
  }),
};
