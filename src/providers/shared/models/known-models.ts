import { type ListedModel, listedModels, type ModelPrice } from "./model-list.js";
import { limitsBeside } from "./output-limits.js";

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
  return findListedModel(name)?.price;
}

/** The entry of a well-known model in the list; `undefined` for every other. */
export function findListedModel(name: ModelName): ListedModel | undefined {
  return modelsOf(vendorOf(name)).get(name.model);
}

/** The window of a well-known model; `undefined` for every other. */
export function findModelLimits(name: ModelName): ModelLimits | undefined {
  const listed = findListedModel(name);
  if (!listed) return undefined;
  const beside = limitsBeside(vendorOf(name), name.model);
  const contextWindow = beside.contextWindow ?? listed.contextWindow;
  const maxOutputTokens = listed.maxOutputTokens ?? beside.maxOutputTokens;
  return contextWindow === undefined
    ? undefined
    : { contextWindow, ...(maxOutputTokens !== undefined && { maxOutputTokens }) };
}

function vendorOf({ provider }: ModelName): string {
  return Object.hasOwn(PROVIDER_ALIASES, provider) ? PROVIDER_ALIASES[provider]! : provider;
}
