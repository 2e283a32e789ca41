// What the installed @pydantic/genai-prices says of the models of the vendors that have an adapter or a profile here.
import { calcPrice, findProvider, type MatchLogic, type ModelPrice } from "@pydantic/genai-prices";

/** What the package calls our vendors. It has none of Qwen's own. */
export const PRICED_VENDORS = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  deepseek: "deepseek",
  mistral: "mistral",
  xai: "x-ai",
  kimi: "moonshotai",
  groq: "groq",
  glm: "zai",
};

/** Within the peak hours of DeepSeek, whose night is cheaper: what a call costs at most. */
const HOUR = "T02:00:00Z";

/** An agent's model: its window holds a conversation with tools, and its answers are text. Unit: tokens. */
const MIN_WINDOW = 32_000;
const OTHER_KINDS = /audio|image|tts/;

/** The kinds of tokens that are counted here. A model that is paid for others as well has no price in the list. */
const COUNTED = ["input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok"] as const;
const PAID_OTHERWISE = /^output_(?:audio|image|video)_mtok$|_hours$|_kpages$/;

/** A model of the package. */
export interface PricedModel {
  /** The names that it has there, its own first. */
  readonly names: readonly string[];
  /** Its prices, and behind them those of larger requests, as a row of the list has them. */
  readonly costs: readonly string[];
  /** Unit: tokens. */
  readonly window?: number | undefined;
}

/** The prices of one day, e.g. `"2026-11-28"`. `known`: names that may be dated ones. */
export function pricedModels(providerId: string, day: string, known: readonly string[]): readonly PricedModel[] {
  const ofAgents = findProvider({ providerId })!.models.filter(
    ({ id, deprecated, context_window: window = 0 }) => !deprecated && window >= MIN_WINDOW && !OTHER_KINDS.test(id),
  );
  // Google hosts models of others, which its API does not serve.
  const models = ofAgents.filter(({ id }) => providerId !== "google" || id.startsWith("gem"));
  const priced = new Map<
    string,
    { readonly names: Set<string>; readonly costs: readonly string[]; readonly window?: number }
  >();
  for (const name of [...models.flatMap(({ id, match }) => [id, ...namesIn(match)]), ...known]) {
    const found = calcPrice({ input_tokens: 1 }, name, { providerId, timestamp: new Date(day + HOUR) });
    const costs = found && costsOf(found.model_price);
    if (!found || !costs) continue;
    const { id, context_window: window } = found.model;
    const one = priced.get(id) ?? { names: new Set(), costs, window };
    one.names.add(name);
    priced.set(id, one);
  }
  return [...priced].map(([id, { names, ...one }]) => {
    const first = names.has(id) ? [id] : [];
    return { names: [...new Set([...first, ...names])], ...one };
  });
}

/** The names that a rule of the package spells out. */
function namesIn(match: MatchLogic): string[] {
  if ("or" in match) return match.or.flatMap(namesIn);
  if ("and" in match) return match.and.flatMap(namesIn);
  if ("equals" in match) return [match.equals];
  return "starts_with" in match && !match.starts_with.endsWith("-") ? [match.starts_with] : [];
}

function costsOf(price: ModelPrice): string[] | undefined {
  const isPaidOtherwise = Object.keys(price).some((kind) => PAID_OTHERWISE.test(kind));
  if (isPaidOtherwise || price.input_mtok === undefined || price.output_mtok === undefined) return undefined;
  const starts = new Set(COUNTED.flatMap((kind) => tiersOf(price[kind]).map(({ start }) => start)));
  const at = (start: number) =>
    COUNTED.map((kind) => costAt(price[kind], start) ?? "-")
      .join(" ")
      .replace(/(?: -)+$/, "");
  return [at(0), ...[...starts].sort((a, b) => a - b).map((start) => `>${start} ${at(start)}`)];
}

function tiersOf(price: ModelPrice[string]) {
  return typeof price === "object" ? price.tiers : [];
}

/** The price of requests with more input than this. */
function costAt(price: ModelPrice[string], start: number): number | undefined {
  const base = typeof price === "object" ? price.base : price;
  return tiersOf(price).findLast((tier) => start > 0 && tier.start <= start)?.price ?? base;
}
