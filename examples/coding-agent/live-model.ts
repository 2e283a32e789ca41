// Which model to use, by the keys in the environment: the whole difference between one vendor and another.
import type { ProviderAdapter } from "loopwright";
import { anthropic } from "loopwright/providers/anthropic";
import { google } from "loopwright/providers/google";
import { openai } from "loopwright/providers/openai";

/** A vendor and its model. */
export interface LiveModel {
  readonly vendor: keyof typeof VENDORS;
  readonly model: string;
}

const VENDORS = {
  anthropic: {
    model: "claude-sonnet-5",
    variables: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"],
    connect: (model: string): ProviderAdapter => anthropic({ model }),
  },
  openai: {
    model: "gpt-5.1",
    variables: ["OPENAI_API_KEY", "OPENAI_BASE_URL"],
    connect: (model: string): ProviderAdapter => openai({ model }),
  },
  google: {
    model: "gemini-2.5-pro",
    variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    connect: (model: string): ProviderAdapter => google({ model }),
  },
} as const;

/**
 * The model that is asked for, as `vendor/model` or by its name; otherwise the first vendor's that has a key. `null`
 * without any.
 */
export function findLiveModel(env: NodeJS.ProcessEnv, wanted = env.OPENAI_MODEL): LiveModel | null {
  const vendors = Object.keys(VENDORS) as LiveModel["vendor"][];
  const usable = vendors.filter((vendor) => VENDORS[vendor].variables.some((name) => env[name]));
  const named = vendors.find((vendor) => wanted?.startsWith(`${vendor}/`));
  if (named) return usable.includes(named) ? { vendor: named, model: wanted!.slice(named.length + 1) } : null;
  const likely = wanted?.startsWith("claude") ? "anthropic" : wanted?.startsWith("gemini") ? "google" : "openai";
  const vendor = wanted !== undefined && usable.includes(likely) ? likely : usable[0];
  return vendor ? { vendor, model: wanted ?? VENDORS[vendor].model } : null;
}

/** The provider of a model. */
export function connectLiveModel({ vendor, model }: LiveModel): ProviderAdapter {
  return VENDORS[vendor].connect(model);
}
