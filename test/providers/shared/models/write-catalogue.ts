// Writes test/fixtures/models/catalogue.jsonl from the newest version of the package: npm run models
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CATALOGUE_FILE, type CatalogueModel, type CatalogueSource } from "./catalogue.js";

const PACKAGE = "@earendil-works/pi-ai";

/** The catalogue's files, and the vendors' names here. */
const VENDORS = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  deepseek: "deepseek",
  mistral: "mistral",
  xai: "xai",
  moonshotai: "kimi",
  groq: "groq",
  zai: "glm",
};

/** From the least to the most, in the catalogue's words. */
const LEVELS = ["off", "minimal", "low", "medium", "high"];

interface Entry {
  readonly type: string;
  readonly id: string;
  readonly cost: Costs & { readonly tiers?: readonly (Costs & { readonly inputTokensAbove: number })[] };
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly reasoning?: boolean;
  readonly thinkingLevelMap?: Readonly<Record<string, string | null>>;
  readonly compat?: Readonly<Record<string, unknown>>;
}

interface Costs {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

const directory = mkdtempSync(join(tmpdir(), "catalogue-"));
try {
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", directory, `${PACKAGE}@latest`], {
    encoding: "utf8",
  });
  const [{ name, version, filename }] = JSON.parse(packed);
  execFileSync("tar", ["xzf", join(directory, filename), "-C", directory]);
  const source: CatalogueSource = { name, version };
  const models = Object.entries(VENDORS).flatMap(([file, vendor]) => {
    const path = join(directory, "package/dist/providers/data", `${file}.json`);
    const apis: Readonly<Record<string, Readonly<Record<string, Entry>>>> = JSON.parse(readFileSync(path, "utf8"));
    const entries = Object.values(apis).flatMap((entries) => Object.values(entries));
    return entries.filter(({ type }) => type === "chat").map((entry) => modelOf(vendor, entry));
  });
  mkdirSync(dirname(CATALOGUE_FILE), { recursive: true });
  writeFileSync(CATALOGUE_FILE, [source, ...models].map((line) => `${JSON.stringify(line)}\n`).join(""));
} finally {
  rmSync(directory, { recursive: true });
}

function modelOf(vendor: string, entry: Entry): CatalogueModel {
  const { id, cost, contextWindow, maxTokens, compat = {} } = entry;
  const traits = [
    vendor === "anthropic" && entry.reasoning && (compat.forceAdaptiveThinking ? "adaptive" : "budget"),
    compat.supportsTemperature === false && "no-temperature",
    compat.supportsExplicitPromptCacheMode && "cache-marks",
  ];
  return {
    vendor,
    model: id,
    costs: costsOf(cost),
    tiers: cost.tiers?.map((tier) => [tier.inputTokensAbove, ...costsOf(tier)]),
    window: contextWindow,
    output: maxTokens,
    least: leastOf(entry),
    traits: traits.filter((trait) => typeof trait === "string"),
  };
}

function costsOf({ input, output, cacheRead, cacheWrite }: Costs): number[] {
  return [input, output, cacheRead, cacheWrite];
}

/** "off" that may be asked for is the effort `none`. */
function leastOf({ reasoning, thinkingLevelMap: levels }: Entry): string | undefined {
  if (!reasoning) return "off";
  const least = levels && LEVELS.find((level) => (level in levels ? levels[level] !== null : level === "off"));
  return least === "off" ? "none" : least;
}
