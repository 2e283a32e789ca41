import { expect, test } from "vitest";
import { VirtualTime } from "./virtual-time.js";

test("timers of what ran before go on in real time, and are not counted", async () => {
  const time = new VirtualTime();
  let isInside = false;
  const before = (async () => {
    while (!isInside) await new Promise((resolve) => setImmediate(resolve));
    clearTimeout(setTimeout(() => {}, 60_000));
    await new Promise((resolve) => setTimeout(resolve, 1));
    return time.engineTimers;
  })();
  await time.during(async () => {
    setTimeout(() => {}, 5);
    isInside = true;
    expect(await before).toBe(1);
    await time.advance();
    expect([time.engineTimers, performance.now()]).toEqual([0, 5]);
  });
});
