import { expect, test } from "vitest";
import { PathLocks } from "../../src/workspace/path-locks.js";

/** Work that lasts until it is told to end. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("readers share, a writer is alone, other paths do not wait", async () => {
  const locks = new PathLocks();
  const log: string[] = [];
  const [reading, writing] = [gate(), gate()];
  const work = (name: string, until?: Promise<void>) => async () => {
    log.push(`${name} begins`);
    await until;
    log.push(`${name} ends`);
  };

  const all = [
    locks.run("a", "read", work("reader 1", reading.opened)),
    locks.run("a", "read", work("reader 2", reading.opened)),
    locks.run("a", "write", work("writer", writing.opened)),
    locks.run("a", "read", work("late reader")),
    locks.run("b", "write", work("other")),
  ];
  await settled();
  const before = [...log];
  reading.open();
  await settled();
  const between = log.slice(before.length);
  writing.open();
  await Promise.all(all);

  expect(before).toEqual(["reader 1 begins", "reader 2 begins", "other begins", "other ends"]);
  expect(between).toEqual(["reader 1 ends", "reader 2 ends", "writer begins"]);
  expect(log.slice(-3)).toEqual(["writer ends", "late reader begins", "late reader ends"]);
});

test("a writer gets its turn under a steady stream of readers", async () => {
  const locks = new PathLocks();
  let isWritten = false;
  let reads = 0;
  const read = async (): Promise<void> => {
    await locks.run("a", "read", settled);
    reads++;
    if (!isWritten) await read();
  };

  const readers = [read(), read(), read()];
  await locks.run("a", "write", async () => {
    isWritten = true;
  });
  await Promise.all(readers);

  expect(reads).toBeLessThan(10);
});

test("the table is empty when idle, also after work that fails", async () => {
  const locks = new PathLocks();
  const failing = locks.run("a", "write", () => Promise.reject(new Error("no")));
  const others = Array.from({ length: 200 }, (_, index) => locks.run(`p${index % 7}`, "read", settled));

  expect(locks.size).toBe(8);
  await expect(failing).rejects.toThrow("no");
  await Promise.all(others);

  expect(locks.size).toBe(0);
});
