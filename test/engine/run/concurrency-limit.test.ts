import { expect, test } from "vitest";
import { ConcurrencyLimit } from "../../../src/engine/run/claims.js";

test("slots are taken until there are none, and a released one goes to who waits longest", () => {
  const limit = new ConcurrencyLimit(2);
  const granted: string[] = [];
  expect([limit.tryTake(), limit.tryTake(), limit.tryTake()]).toEqual([true, true, false]);

  limit.wait(() => granted.push("first"));
  limit.wait(() => granted.push("second"));
  limit.release();
  expect(granted).toEqual(["first"]);
  expect(limit.tryTake()).toBe(false);

  limit.release();
  limit.release();
  expect(granted).toEqual(["first", "second"]);
  expect(limit.tryTake()).toBe(true);
});

test("who leaves the queue is passed over, and may leave twice", () => {
  const limit = new ConcurrencyLimit(1);
  const granted: string[] = [];
  limit.tryTake();
  const leave = limit.wait(() => granted.push("left"));
  limit.wait(() => granted.push("stayed"));

  leave();
  leave();
  limit.release();

  expect(granted).toEqual(["stayed"]);
});
