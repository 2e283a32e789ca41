import fc from "fast-check";
import { expect, test } from "vitest";
import { SortedRuns } from "../../../../src/tools/search/walk/sorted-runs.js";
import { runs } from "../../../runs.js";

test("items come out in order, whatever their number, and equal ones in the order they came", () => {
  const item = fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer());
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5_000, size: "max" }), (items) => {
      const sorted = new SortedRuns<readonly [number, number]>(([a], [b]) => a - b);
      for (const each of items) sorted.add(each);

      expect([...sorted.sorted()]).toEqual([...items].sort(([a], [b]) => a - b));
    }),
    { numRuns: runs(10, 50, 1_000) },
  );
});

test("what is never taken is never merged", () => {
  let comparisons = 0;
  const sorted = new SortedRuns<number>((a, b) => {
    comparisons++;
    return a - b;
  });
  for (let n = 4_096; n > 0; n--) sorted.add(n);
  const before = comparisons;

  const [first] = sorted.sorted();

  expect(first).toBe(1);
  expect(comparisons - before).toBeLessThan(10);
});
