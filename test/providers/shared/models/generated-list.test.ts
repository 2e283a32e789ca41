import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GENERATED_LIST, LIST_READ } from "../../../../src/providers/shared/models/generated-list.js";
import { findListPrice, findModelLimits } from "../../../../src/providers/shared/models/known-models.js";
import { listedModels } from "../../../../src/providers/shared/models/model-list.js";
import { EARLIER, KNOWN_NAMES } from "./known-names.js";
import { LIST_FILE, listSource } from "./list-source.js";

test("the list says what the installed package says of its day; after an update, npm run models writes it", () => {
  expect(readFileSync(LIST_FILE, "utf8")).toBe(listSource(LIST_READ, KNOWN_NAMES));
});

test.each(EARLIER)(
  "$vendor/$model has the price, the tiers and the limits that it had before the list was written",
  ({ vendor, model, costs, tiers = [], contextWindow, maxOutputTokens }) => {
    const { tiers: found = [], ...price } = findListPrice({ provider: vendor, model })!;

    expect(inOrder(price)).toEqual(costs);
    expect(found.map(({ aboveInputTokens, ...tier }) => [aboveInputTokens, ...inOrder(tier)])).toEqual(tiers);
    expect(findModelLimits({ provider: vendor, model })).toMatchObject({
      contextWindow,
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    });
  },
);

test("each row is a price of input and of output, in order of size where there are tiers", () => {
  for (const vendor of [...Object.keys(GENERATED_LIST), "qwen"]) {
    const models = listedModels(vendor);

    expect(models.length, vendor).toBeGreaterThan(2);
    for (const { names, price, contextWindow = 1 } of models) {
      const { tiers = [] } = price;
      const numbers = [contextWindow, ...[price, ...tiers].flatMap(({ inputUsd, outputUsd }) => [inputUsd, outputUsd])];
      expect(
        numbers.every((number) => number > 0),
        names[0],
      ).toBe(true);
      const sizes = tiers.map(({ aboveInputTokens }) => aboveInputTokens);
      expect(sizes, names[0]).toEqual([...sizes].sort((a, b) => a - b));
    }
  }
});

/** The four prices in their order, without those at the end that nobody has said. */
function inOrder(price: { inputUsd: number; outputUsd: number; cacheReadUsd?: number; cacheWriteUsd?: number }) {
  const { inputUsd, outputUsd, cacheReadUsd, cacheWriteUsd } = price;
  return [inputUsd, outputUsd, cacheReadUsd, cacheWriteUsd].filter((cost) => cost !== undefined);
}
