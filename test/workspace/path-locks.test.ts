import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createEditFileTool } from "../../src/tools/edit/edit-file.js";
import { PathLocks, processLocks } from "../../src/workspace/path-locks.js";
import { callTool } from "../tools/call-tool.js";
import { openWorkspace, temporaryDirectory } from "./temporary-workspace.js";

/** Work that lasts until it is asked to end. */
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

test("workspaces of one process share one table, so that no parallel edit is lost", async () => {
  const root = await temporaryDirectory();
  const [first, second] = [await openWorkspace({ root }), await openWorkspace({ root })];
  for (let round = 0; round < 20; round++) {
    const path = `${round}.txt`;
    await writeFile(join(root, path), "one\ntwo\n");
    const [a, b] = [createEditFileTool(first), createEditFileTool(second)];

    await Promise.all([
      callTool(a, { path, old_text: "one", new_text: "1" }),
      callTool(b, { path, old_text: "two", new_text: "2" }),
    ]);

    expect(await readFile(join(root, path), "utf8")).toBe("1\n2\n");
  }
  expect(processLocks().size).toBe(0);
});
