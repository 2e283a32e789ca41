// The models of each vendor: the generated list, and what that list does not say. Sources of the latter: the price pages of
// the vendors, read 2026-11-23. DeepSeek's rates are those of its peak hours, Qwen's those of
// the international region, GLM's those of z.ai.
import { GENERATED_LIST } from "./generated-list.js";

/** The price of a model. Unit: US dollars for a million tokens. */
export interface ModelPrice {
  readonly inputUsd: number;
  readonly outputUsd: number;
  /** Input that was read from a cache. Default: `inputUsd`. */
  readonly cacheReadUsd?: number | undefined;
  /** Input that was written to a cache. Default: `inputUsd`. */
  readonly cacheWriteUsd?: number | undefined;
  /** The prices of larger requests, for all of their tokens; the tier with the highest threshold that is passed counts. */
  readonly tiers?: readonly ModelPriceTier[] | undefined;
}

/** The price of requests with more input than this. */
export interface ModelPriceTier extends Omit<ModelPrice, "tiers"> {
  /** Unit: tokens. */
  readonly aboveInputTokens: number;
}

/** One well-known model. */
export interface ListedModel {
  /** All names it has at this price, its own first: aliases, dated snapshots. */
  readonly names: readonly string[];
  readonly price: ModelPrice;
  /** Unit: tokens. Absent when nobody says. */
  readonly contextWindow?: number;
  /** Unit: tokens. Absent when nobody says. */
  readonly maxOutputTokens?: number;
  /** The least effort that it takes; `"off"`: it does not reason. Absent when nobody says. */
  readonly leastEffort?: LeastEffort;
  readonly traits: ReadonlySet<ModelTrait>;
}

export type LeastEffort = "off" | "none" | "minimal" | "low" | "medium" | "high";

/**
 * An ability that some models lack: thinking by effort (`adaptive`) or with a budget of tokens (`budget`), no
 * temperature, marks where its cache ends.
 */
export type ModelTrait = "adaptive" | "budget" | "no-temperature" | "cache-marks";

/** Rows as in the generated list, which they replace name by name: newer models, and other aliases. */
const MORE_MODELS: Readonly<Record<string, string>> = {
  openai: `
gpt-6.1-sol 2 10 0.1 2.5 @1050000 ^128000 ~low cache-marks >272000 4 15 0.2 5
gpt-6.1-terra 1 5 0.05 1.25 @1050000 ^128000 ~none cache-marks >272000 2 7.5 0.1 2.5`,
  anthropic: `
claude-mythos-5-1 10 50 0.25 12.5 @1000000
claude-mythos-5 10 50 1 12.5 @1000000
claude-sonnet-5-5 2 10 0.1 2.5 @1000000 ^128000 ~low adaptive no-temperature`,
  mistral: `
mistral-large-latest 0.5 1.5 0.05 @262144
codestral-latest 0.3 0.9 0.03 @256000
ministral-14b-latest 0.2 0.2 0.02 @262144`,
  xai: `
grok-4.7 2 6 0.5 @500000 ~low >199999 4 12 1
grok-4.20,grok-4.20-0309-reasoning,grok-4.20-0309-non-reasoning 1.25 2.5 0.2 @1000000 >199999 2.5 5 0.4`,
  glm: `
glm-5.1 1.4 4.4 0.26 @204800
glm-5 1 3.2 0.2 @204800
glm-5-turbo 1.2 4 0.24 @204800 ^131072
glm-4.6 0.6 2.2 0.11 @204800
glm-4.5 0.6 2.2 0.11 @131072
glm-4.5-air 0.2 1.1 0.03 @131072`,
  qwen: `
qwen3.8-max 2 6 @1000000
qwen3-max 1.2 6 0.24 @262144 >32000 2.4 12 0.48 >128000 3 15 0.6
qwen3-coder-plus 1 5 0.1 @1000000 >32000 1.8 9 0.18 >128000 3 15 0.3 >256000 6 60 0.6
qwen-plus 0.4 1.2 0.16 @1000000 >256000 1.2 3.6 0.48
qwen-flash 0.05 0.4 @1000000 >256000 0.25 2
qwen-max 1.6 6.4 0.64 @32768
qwen-turbo 0.05 0.2 0.02 @131072`,
};

/** The models of one vendor, the generated list's first. */
export function listedModels(vendor: string): readonly ListedModel[] {
  const rows = [GENERATED_LIST, MORE_MODELS].map((lists) => (Object.hasOwn(lists, vendor) ? lists[vendor]! : ""));
  return rows.flatMap((list) => list.split("\n").filter(Boolean).map(readRow));
}

/** "gpt-6-sol,gpt-6 2 10 0.2 2.5 @1050000 ^128000 ~none cache-marks >272000 4 15 0.4 5". */
function readRow(row: string): ListedModel {
  const [head = "", ...tiers] = row.split(" >");
  const [names = "", ...fields] = head.split(" ");
  const costs = fields.filter((field) => /^[\d-]/.test(field));
  const [window, output, least] = ["@", "^", "~"].map((mark) => fields.find((field) => field[0] === mark)?.slice(1));
  return {
    names: names.split(","),
    price: { ...readCosts(costs), tiers: tiers.map(readTier) },
    ...(window !== undefined && { contextWindow: Number(window) }),
    ...(output !== undefined && { maxOutputTokens: Number(output) }),
    ...(least !== undefined && { leastEffort: least as LeastEffort }),
    traits: new Set(fields.filter((field) => /^[a-z]/.test(field)) as ModelTrait[]),
  };
}

function readTier(tier: string): ModelPriceTier {
  const [above, ...costs] = tier.split(" ");
  return { aboveInputTokens: Number(above), ...readCosts(costs) };
}

function readCosts(costs: readonly string[]) {
  const [inputUsd = 0, outputUsd = 0, cacheReadUsd, cacheWriteUsd] = costs.map((cost) =>
    cost === "-" ? undefined : Number(cost),
  );
  return { inputUsd, outputUsd, cacheReadUsd, cacheWriteUsd };
}
