import { expect, test } from "vitest";
import { Retries } from "../../../src/engine/run/usage-meter.js";

const LIMITS = {
  "stop-hook": 1,
  "output-retry": 2,
  "overflow-recovery": 0,
  "output-limit-continuation": 3,
  "empty-response-retry": 1,
};

test("each reason has a bound of its own", () => {
  const retries = new Retries(LIMITS);

  expect([retries.take("output-retry"), retries.take("output-retry"), retries.take("output-retry")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(retries.take("stop-hook")).toBe(true);
  expect(retries.take("overflow-recovery")).toBe(false);
  expect(retries.used("output-retry")).toBe(2);
  expect(retries.limit("output-limit-continuation")).toBe(3);
});

test("what has worked starts counting from 0", () => {
  const retries = new Retries(LIMITS);
  retries.take("empty-response-retry");
  retries.reset("empty-response-retry");

  expect(retries.take("empty-response-retry")).toBe(true);
});
