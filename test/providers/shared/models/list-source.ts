// The text of the generated list of models: prices from the installed package, and from the catalogue what that does not know:
// newer models, output limits, capabilities.
import { readFileSync } from "node:fs";
import { type CatalogueModel, readCatalogue } from "./catalogue.js";
import { PRICED_VENDORS, type PricedModel, pricedModels } from "./package-prices.js";

export const LIST_FILE = "src/providers/shared/models/generated-list.ts";

/** The vendors that publish the longest output of a model; of the others' the catalogue has guesses. */
const WITH_OUTPUT = new Set(["openai", "anthropic", "google", "deepseek", "groq", "glm"]);

/** Behind a name: the date of a snapshot. */
const DATE = /-(?:\d{8}|\d{4}-\d\d-\d\d)$/;

/** The list with the prices of one day, e.g. `"2026-11-28"`. `known`: names of models that may be dated ones. */
export function listSource(day: string, known: readonly (readonly [vendor: string, model: string])[]): string {
  const { version } = JSON.parse(readFileSync("node_modules/@pydantic/genai-prices/package.json", "utf8"));
  const { source, models } = readCatalogue();
  const vendors = Object.entries(PRICED_VENDORS).map(([vendor, providerId]) => {
    const names = known.flatMap(([of, model]) => (of === vendor ? [model] : []));
    const rows = rowsOf(
      pricedModels(providerId, day, names),
      models.filter((one) => one.vendor === vendor),
    );
    return `  ${vendor}: \`\n${rows.join("\n")}\`,\n`;
  });
  return `// Written by \`npm run models\` from @pydantic/genai-prices ${version} (MIT License, in LICENSES.txt) and facts in the
// catalogue of ${source.name} ${source.version}. Do not edit.
// One row a model: its names, with commas between them; US dollars for a million tokens of input, output, input read
// from a cache, input written to one ("-": not said); behind "@" the window and behind "^" the longest output in tokens;
// behind "~" the least effort that it takes ("off": it does not reason); words for what it takes and others do not; behind
// ">" the prices of requests with more input than so many tokens.

/** The day whose prices these are. */
export const LIST_READ = "${day}";

/** By vendor. */
export const GENERATED_LIST: Readonly<Record<string, string>> = {
${vendors.join("")}};
`;
}

function rowsOf(priced: readonly PricedModel[], catalogue: readonly CatalogueModel[]): string[] {
  const byName = new Map(catalogue.flatMap((one) => [[spelling(one.model), one] as const, [one.model, one] as const]));
  const factsOfName = (name: string, window?: number) => {
    const model = byName.get(name) ?? byName.get(spelling(name));
    return model ? factsOf(model, window) : window === undefined ? "" : ` @${window}`;
  };
  const rows = priced.flatMap(({ names, costs: [base, ...tiers], window }) => {
    const facts = new Set(names.map((name) => factsOfName(name, window)));
    return [...facts].map((said) => {
      const ofFacts = names.filter((name) => factsOfName(name, window) === said);
      return [`${ofFacts.join(",")} ${base}${said}`, ...tiers].join(" ");
    });
  });
  const listed = new Set(priced.flatMap(({ names }) => names.map(spelling)));
  const later = catalogue.filter(({ model, costs }) => !listed.has(spelling(model)) && costs[0]! > 0);
  return [...rows, ...later.map(rowOf)];
}

/** One for all ways to write a name: dots or dashes, the words in another order, a date behind it. */
function spelling(name: string): string {
  return name.toLowerCase().replace(DATE, "").split(/[-.]/).sort().join("-");
}

/** The package's window counts: the catalogue's may end where the price rises. */
function factsOf({ vendor, window, output, least, traits }: CatalogueModel, listed = window): string {
  const facts = [
    `@${listed}`,
    WITH_OUTPUT.has(vendor) && output < window && `^${output}`,
    least !== undefined && `~${least}`,
    ...traits,
  ];
  return facts.map((fact) => (fact ? ` ${fact}` : "")).join("");
}

function rowOf(model: CatalogueModel): string {
  const [base, ...tiers] = costsOf(model);
  return [`${model.model} ${base}${factsOf(model)}`, ...tiers].join(" ");
}

function costsOf({ costs, tiers = [] }: CatalogueModel): string[] {
  const said = (prices: readonly number[]) =>
    prices
      .map((price) => price || "-")
      .join(" ")
      .replace(/(?: -)+$/, "");
  return [said(costs), ...tiers.map(([above, ...prices]) => `>${above} ${said(prices)}`)];
}
