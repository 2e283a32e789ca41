import { expect, test } from "vitest";
import { SessionQueue } from "../../../src/engine/session/session-queue.js";

/** Work that ends when it is told to. */
function work(log: string[], name: string) {
  let finish = (): void => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const run = async () => {
    log.push(`${name} begins`);
    await ended;
    log.push(`${name} ends`);
    return name;
  };
  return { run, finish };
}

test("work on one session runs in order, and another session does not wait for it", async () => {
  const queue = new SessionQueue();
  const log: string[] = [];
  const [first, second, other] = [work(log, "first"), work(log, "second"), work(log, "other")];
  const firstDone = queue.after("a", undefined, first.run);
  const secondDone = queue.after("a", undefined, second.run);
  const otherDone = queue.after("b", undefined, other.run);

  other.finish();
  second.finish();
  expect(await otherDone).toBe("other");
  expect(log).not.toContain("second begins");
  first.finish();

  expect(await Promise.all([firstDone, secondDone])).toEqual(["first", "second"]);
  expect(log.indexOf("first ends")).toBeLessThan(log.indexOf("second begins"));
});

test("work that fails does not keep the next from starting", async () => {
  const queue = new SessionQueue();
  const failed = queue.after("a", undefined, async () => {
    throw new Error("no");
  });
  const next = queue.after("a", undefined, async () => "next");

  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("next");
});

test("who gives up waiting is never started, and who comes after still waits for the first", async () => {
  const queue = new SessionQueue();
  const log: string[] = [];
  const controller = new AbortController();
  const [first, third] = [work(log, "first"), work(log, "third")];
  const firstDone = queue.after("a", undefined, first.run);
  const gone = queue.after("a", controller.signal, async () => log.push("second begins"));
  const thirdDone = queue.after("a", undefined, third.run);

  controller.abort();
  await expect(gone).rejects.toMatchObject({ code: "RUN_ABORTED" });
  expect(log).toEqual(["first begins"]);
  first.finish();
  third.finish();
  await Promise.all([firstDone, thirdDone]);

  expect(log).toEqual(["first begins", "first ends", "third begins", "third ends"]);
});
