import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { underLock } from "../../src/files/wait-for-lock.js";
import { newLockOwner } from "../../src/processes/process-lock.js";
import { temporaryDirectory } from "../workspace/temporary-workspace.js";

test("the lock is held while the work goes on, and dropped after it, also after a failure", async () => {
  const path = join(await temporaryDirectory(), "lock");
  const me = await newLockOwner();

  expect(await underLock(path, me, 0, () => Promise.resolve(existsSync(path)))).toEqual({ value: true });
  expect(existsSync(path)).toBe(false);
  await expect(underLock(path, me, 0, () => Promise.reject(new Error("work failed")))).rejects.toThrow("work failed");
  expect(existsSync(path)).toBe(false);
});

test("who does not get the lock in time learns who holds it, and does no work", async () => {
  const path = join(await temporaryDirectory(), "lock");
  const [first, second] = [await newLockOwner(), await newLockOwner()];
  let worked = false;

  const inner = await underLock(path, first, 0, () =>
    underLock(path, second, 0, async () => {
      worked = true;
    }),
  );

  expect(inner).toEqual({ value: { heldBy: first } });
  expect(worked).toBe(false);
});

test("who waits gets the lock when it is dropped, and no two hold it at a time", async () => {
  const path = join(await temporaryDirectory(), "lock");
  let holding = 0;
  let most = 0;

  const all = Array.from({ length: 5 }, async (_, index) =>
    underLock(path, await newLockOwner(), 50_000, async () => {
      most = Math.max(most, ++holding);
      await new Promise(setImmediate);
      holding--;
      return index;
    }),
  );

  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4].map((value) => ({ value })));
  expect(most).toBe(1);
});
