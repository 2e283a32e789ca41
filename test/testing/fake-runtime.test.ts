import { expect, test } from "vitest";
import { fakeRuntime } from "../../src/testing/index.js";

test("a fake clock stands until it is advanced", () => {
  const runtime = fakeRuntime({ now: 1_000 });

  const times = [runtime.now(), runtime.now()];
  runtime.advance(250);
  times.push(runtime.now());

  expect(times).toEqual([1_000, 1_000, 1_250]);
  expect(fakeRuntime().now()).toBe(1_700_000_000_000);
});

test("a fake clock refuses to go back", () => {
  const runtime = fakeRuntime();

  for (const ms of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => runtime.advance(ms)).toThrow(`advance(${ms})`);
  }
});

test("fake ids are counted and never repeat", () => {
  const runtime = fakeRuntime();

  expect([runtime.newId(), runtime.newId(), fakeRuntime().newId()]).toEqual(["id-1", "id-2", "id-1"]);
});

test("fake randomness depends on the seed alone and fills the whole range", () => {
  const draw = (seed: number) => {
    const { random } = fakeRuntime({ seed });
    return Array.from({ length: 10_000 }, random);
  };

  const numbers = draw(1);

  expect(draw(1)).toEqual(numbers);
  expect(draw(2)).not.toEqual(numbers);
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const share = numbers.filter((number) => Math.floor(number * 10) === tenth).length;
    expect(Math.abs(share - 1_000)).toBeLessThan(150);
  }
});
