import { expect, test } from "vitest";
import { Flights } from "../../../src/mcp/sign-in/authorization.js";

test("whoever wants the work while it is under way waits for the same, and later it is begun again", async () => {
  const flights = new Flights<number>(false);
  const [owner, other] = [{}, {}];
  let begun = 0;
  const begin = async () => ++begun;

  expect(await Promise.all([flights.join(owner, null, begin), flights.join(owner, null, begin)])).toEqual([1, 1]);
  expect(await flights.join(other, null, begin)).toBe(2);
  expect(await flights.join(owner, null, begin)).toBe(3);
});

test.each([
  ["is begun again", true, 2],
  ["goes on", false, 1],
])("work that nobody waits for any more %s", async (_, isLeft, times) => {
  const flights = new Flights<never>(isLeft);
  const owner = {};
  let begun = 0;
  const endless = () => {
    begun++;
    return new Promise<never>(() => {});
  };
  const left = AbortSignal.abort(new Error("left"));

  await expect(flights.join(owner, left, endless)).rejects.toThrow("left");
  await expect(flights.join(owner, left, endless)).rejects.toThrow("left");

  expect(begun).toBe(times);
});
