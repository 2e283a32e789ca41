import { type ListedModel, MODEL_LIST } from "./model-list.js";

/** What a model costs. Unit: US dollars for a million tokens. */
export interface ModelPrice {
  readonly inputUsd: number;
  readonly outputUsd: number;
  /** Input that was read from a cache. Default: `inputUsd`. */
  readonly cacheReadUsd?: number | undefined;
  /** Input that was written to a cache. Default: `inputUsd`. */
  readonly cacheWriteUsd?: number | undefined;
  /** What larger requests cost, all of them; the tier with the highest threshold that is passed counts. */
  readonly tiers?: readonly ModelPriceTier[] | undefined;
}

/** The price of requests with more input than this. */
export interface ModelPriceTier extends Omit<ModelPrice, "tiers"> {
  /** Unit: tokens. */
  readonly aboveInputTokens: number;
}

/** How much a model takes and gives. Unit: tokens. */
export interface ModelLimits {
  /** Input and output together. */
  readonly contextWindow: number;
  /** Absent when the vendor does not publish it. */
  readonly maxOutputTokens?: number | undefined;
}

/** A provider and a model, as recorded with a message. */
export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/** What vendors are called elsewhere, and here. */
const PROVIDER_ALIASES: Readonly<Record<string, string>> = {
  gemini: "google",
  "google-ai": "google",
  "x-ai": "xai",
  moonshot: "kimi",
  moonshotai: "kimi",
  zai: "glm",
  "z-ai": "glm",
  zhipu: "glm",
  dashscope: "qwen",
  alibaba: "qwen",
};

type Models = ReadonlyMap<string, ListedModel>;

/** The models of the vendors that were asked about, by each of their names. */
const KNOWN = new Map<string, Models>();

function modelsOf(vendor: string): Models | undefined {
  if (!Object.hasOwn(MODEL_LIST, vendor)) return undefined;
  const known = KNOWN.get(vendor);
  if (known) return known;
  const models = new Map<string, ListedModel>();
  for (const [name, listed] of Object.entries(MODEL_LIST[vendor]!())) {
    for (const alias of [name, ...(listed.aliases ?? [])]) models.set(alias, listed);
  }
  KNOWN.set(vendor, models);
  return models;
}

/** The list price of a well-known model; `undefined` for every other. */
export function findListPrice(name: ModelName): ModelPrice | undefined {
  const listed = find(name);
  if (!listed) return undefined;
  const [inputUsd, outputUsd, cacheReadUsd, cacheWriteUsd] = listed.costs;
  const { tiers } = listed;
  return { inputUsd, outputUsd, cacheReadUsd, cacheWriteUsd, tiers };
}

/** The window of a well-known model; `undefined` for every other. */
export function findModelLimits(name: ModelName): ModelLimits | undefined {
  const listed = find(name);
  if (!listed) return undefined;
  const { contextWindow, maxOutputTokens } = listed;
  return { contextWindow, ...(maxOutputTokens !== undefined && { maxOutputTokens }) };
}

function find({ provider, model }: ModelName): ListedModel | undefined {
  const vendor = Object.hasOwn(PROVIDER_ALIASES, provider) ? PROVIDER_ALIASES[provider]! : provider;
  return modelsOf(vendor)?.get(model);
}
