import { type ListedModel, listedModels } from "./model-list.js";
import { limitsBeside } from "./output-limits.js";

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

/** The windows of a model. Unit: tokens. */
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

/** Other names of vendors, and their names here. */
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

/** The models of the vendors that were asked about, by each of their names. */
const KNOWN = new Map<string, ReadonlyMap<string, ListedModel>>();

function modelsOf(vendor: string): ReadonlyMap<string, ListedModel> {
  let models = KNOWN.get(vendor);
  if (!models) {
    models = new Map(listedModels(vendor).flatMap((listed) => listed.names.map((name) => [name, listed])));
    KNOWN.set(vendor, models);
  }
  return models;
}

/** The list price of a well-known model; `undefined` for every other. */
export function findListPrice(name: ModelName): ModelPrice | undefined {
  return modelsOf(vendorOf(name)).get(name.model)?.price;
}

/** The window of a well-known model; `undefined` for every other. */
export function findModelLimits(name: ModelName): ModelLimits | undefined {
  const vendor = vendorOf(name);
  const listed = modelsOf(vendor).get(name.model);
  if (!listed) return undefined;
  const { maxOutputTokens, contextWindow = listed.contextWindow } = limitsBeside(vendor, name.model);
  return contextWindow === undefined
    ? undefined
    : { contextWindow, ...(maxOutputTokens !== undefined && { maxOutputTokens }) };
}

function vendorOf({ provider }: ModelName): string {
  return Object.hasOwn(PROVIDER_ALIASES, provider) ? PROVIDER_ALIASES[provider]! : provider;
}
