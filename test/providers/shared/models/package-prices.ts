// What the installed @pydantic/genai-prices says of the models of the vendors that have an adapter or a profile here.
import { readFileSync } from "node:fs";
import { calcPrice, findProvider, type MatchLogic, type ModelPrice } from "@pydantic/genai-prices";

export const LIST_FILE = "src/providers/shared/models/list-prices.ts";

/** What the package calls our vendors. It has none of Qwen's own. */
const VENDORS = {
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

/** The text of the list with the prices of one day, e.g. `"2026-11-28"`. `known`: names of models that may be dated ones. */
export function listSource(day: string, known: readonly (readonly [vendor: string, model: string])[]): string {
  const { version } = JSON.parse(readFileSync("node_modules/@pydantic/genai-prices/package.json", "utf8"));
  const vendors = Object.entries(VENDORS).map(([vendor, providerId]) => {
    const names = known.flatMap(([of, model]) => (of === vendor ? [model] : []));
    return `  ${vendor}: \`\n${rowsOf(providerId, day, names).join("\n")}\`,\n`;
  });
  return `// Written by \`npm run prices\` from @pydantic/genai-prices ${version} (MIT License, in LICENSES.txt). Do not edit.
// One row a model: its names, with commas between them; US dollars for a million tokens of input, output, input read
// from a cache, input written to one ("-": not said); behind "@" the window in tokens; behind ">" the prices of requests
// with more input than so many tokens.

/** The day whose prices these are. */
export const PRICES_READ = "${day}";

/** By vendor. */
export const LIST_PRICES: Readonly<Record<string, string>> = {
${vendors.join("")}};
`;
}

function rowsOf(providerId: string, day: string, known: readonly string[]): string[] {
  const ofAgents = findProvider({ providerId })!.models.filter(
    ({ id, deprecated, context_window: window = 0 }) => !deprecated && window >= MIN_WINDOW && !OTHER_KINDS.test(id),
  );
  // Google hosts models of others, which its API does not serve.
  const models = ofAgents.filter(({ id }) => providerId !== "google" || id.startsWith("gem"));
  const rows = new Map<string, { readonly id: string; readonly names: Set<string>; readonly costs: string }>();
  for (const name of [...models.flatMap(({ id, match }) => [id, ...namesIn(match)]), ...known]) {
    const found = calcPrice({ input_tokens: 1 }, name, { providerId, timestamp: new Date(day + HOUR) });
    const costs = found && costsOf(found.model_price, found.model.context_window);
    if (!found || !costs) continue;
    const { id } = found.model;
    const row = rows.get(id) ?? { id, names: new Set(), costs };
    row.names.add(name);
    rows.set(id, row);
  }
  return [...rows.values()].map(({ id, names, costs }) => {
    const first = names.has(id) ? [id] : [];
    return `${[...new Set([...first, ...names])].join(",")} ${costs}`;
  });
}

/** The names that a rule of the package spells out. */
function namesIn(match: MatchLogic): string[] {
  if ("or" in match) return match.or.flatMap(namesIn);
  if ("and" in match) return match.and.flatMap(namesIn);
  if ("equals" in match) return [match.equals];
  return "starts_with" in match && !match.starts_with.endsWith("-") ? [match.starts_with] : [];
}

function costsOf(price: ModelPrice, window: number | undefined): string | undefined {
  const isPaidOtherwise = Object.keys(price).some((kind) => PAID_OTHERWISE.test(kind));
  if (isPaidOtherwise || price.input_mtok === undefined || price.output_mtok === undefined) return undefined;
  const starts = new Set(COUNTED.flatMap((kind) => tiersOf(price[kind]).map(({ start }) => start)));
  const at = (start: number) =>
    COUNTED.map((kind) => costAt(price[kind], start) ?? "-")
      .join(" ")
      .replace(/(?: -)+$/, "");
  const tiers = [...starts].sort((a, b) => a - b).map((start) => ` >${start} ${at(start)}`);
  return `${at(0)}${window === undefined ? "" : ` @${window}`}${tiers.join("")}`;
}

function tiersOf(price: ModelPrice[string]) {
  return typeof price === "object" ? price.tiers : [];
}

/** The price of requests with more input than this. */
function costAt(price: ModelPrice[string], start: number): number | undefined {
  const base = typeof price === "object" ? price.base : price;
  return tiersOf(price).findLast((tier) => start > 0 && tier.start <= start)?.price ?? base;
}
