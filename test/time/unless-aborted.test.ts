import { expect, test } from "vitest";
import { unlessAborted } from "../../src/time/unless-aborted.js";

test("settles as the work does, also without a signal", async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
  expect(await unlessAborted(Promise.resolve(2), undefined)).toBe(2);
  await expect(unlessAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
});

test("throws the signal's reason as soon as it aborts, at once if it has", async () => {
  const controller = new AbortController();
  const endless = new Promise<never>(() => {});
  const waiting = unlessAborted(endless, controller.signal);
  controller.abort(new Error("left"));

  await expect(waiting).rejects.toThrow("left");
  await expect(unlessAborted(endless, controller.signal)).rejects.toThrow("left");
});
