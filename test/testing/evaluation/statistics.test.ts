import { expect, test } from "vitest";
import { estimateMean, estimateRate, studentQuantile } from "../../../src/testing/evaluation/statistics.js";

// From published tables of Student's t, two-sided.
test.each([
  [0.95, 1, 12.706],
  [0.95, 2, 4.303],
  [0.95, 10, 2.228],
  [0.99, 5, 4.032],
  [0.9, 30, 1.697],
  [0.999, 1, 636.6],
])("the quantile of Student's t at %d with %i degrees of freedom is %d", (confidence, freedom, quantile) => {
  expect(studentQuantile(confidence, freedom) / quantile).toBeCloseTo(1, 3);
});

test("a rate has the interval of Wilson", () => {
  // 8 of 10, as the formula gives it by hand.
  const groups = Array.from({ length: 10 }, (_, index) => [index < 8 ? 1 : 0]);

  const { value, low, high, method } = estimateRate(groups, 0.95);

  expect([value, low?.toFixed(4), high?.toFixed(4), method]).toEqual([0.8, "0.4902", "0.9433", "Wilson"]);
});

test("when all passed, the rate is not claimed to be certain", () => {
  const { value, low, high } = estimateRate([[1], [1], [1]], 0.95);

  expect([value, low?.toFixed(3), high]).toEqual([1, "0.439", 1]);
});

test("twenty runs of each of three cases that never differ count as three", () => {
  const always = (value: number) => new Array<number>(20).fill(value);
  const once = estimateRate([[1], [1], [0]], 0.95);
  const repeated = estimateRate([always(1), always(1), always(0)], 0.95);

  expect(repeated).toEqual({ ...once, method: "Wilson, 60 runs counted as 3" });
});

test("runs that differ as much within cases as between them all count", () => {
  const { method } = estimateRate(Array(5).fill([1, 0, 1, 0]), 0.95);

  expect(method).toBe("Wilson");
});

test("a mean has Student's interval over cases, and over runs when there is one case", () => {
  const cases = estimateMean([[1], [2], [3]], 0.95);
  const runs = estimateMean([[1, 2, 3]], 0.95);

  expect([cases.value, cases.low?.toFixed(3), cases.high?.toFixed(3)]).toEqual([2, "-0.484", "4.484"]);
  expect(runs).toEqual({ ...cases, method: "Student's t over runs" });
});

test("one run has no interval", () => {
  expect(estimateMean([[4]], 0.95)).toMatchObject({ value: 4, low: null, high: null });
});
