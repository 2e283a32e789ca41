// The models of this month with their capabilities, which the package of prices does not have: the catalogue that comes with
// another agent's library (@earendil-works/pi-ai, MIT License), of which only what is a fact about a model is kept, in
// test/fixtures/models/catalogue.jsonl.
import { readFileSync } from "node:fs";

export const CATALOGUE_FILE = "test/fixtures/models/catalogue.jsonl";

/** Where a catalogue is from: the first line of the file. */
export interface CatalogueSource {
  readonly name: string;
  readonly version: string;
}

/** One model: a line of the file. */
export interface CatalogueModel {
  readonly vendor: string;
  readonly model: string;
  /** US dollars for a million tokens of input, output, input read from a cache, input written to one; 0: not said. */
  readonly costs: readonly number[];
  /** Above how much input, and the four prices from there on. */
  readonly tiers?: readonly (readonly number[])[] | undefined;
  /** Unit: tokens. */
  readonly window: number;
  /** Unit: tokens. */
  readonly output: number;
  /** The least effort that the model takes; `off` when it does not reason; absent when nobody says. */
  readonly least?: string | undefined;
  readonly traits: readonly string[];
}

export function readCatalogue(): { readonly source: CatalogueSource; readonly models: readonly CatalogueModel[] } {
  const [source, ...models] = readFileSync(CATALOGUE_FILE, "utf8").trim().split("\n");
  return { source: JSON.parse(source!), models: models.map((line) => JSON.parse(line)) };
}
