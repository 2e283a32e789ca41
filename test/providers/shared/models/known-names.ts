// The table of 2026-11-23, which was written by hand: what it said is still said.
import { readFileSync } from "node:fs";

/** One model of that table. Tiers: above how much input, then the four prices. */
export interface EarlierModel {
  readonly vendor: string;
  readonly model: string;
  readonly costs: readonly number[];
  readonly contextWindow: number;
  readonly maxOutputTokens?: number;
  readonly tiers?: readonly (readonly number[])[];
}

const TABLE = new URL("../../../fixtures/prices/2026-11-23.jsonl", import.meta.url);

export const EARLIER: readonly EarlierModel[] = readFileSync(TABLE, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** Vendor and model, for names that the package knows by a pattern alone. */
export const KNOWN_NAMES = EARLIER.map(({ vendor, model }) => [vendor, model] as const);
