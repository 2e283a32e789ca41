// Every operation of a rewind fails, or is the last one the process gets to make.
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ToolError } from "../../../src/contracts/errors.js";
import type { FileAccess } from "../../../src/contracts/workspace.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { runs } from "../../runs.js";
import { openAgent, place, SESSION, treeOf } from "../checkpoint-kit.js";
import { failure, faultyFiles } from "../faulty-files.js";

/** Every n when proving, and some of them always. */
const STEP = runs(31, 13, 1);
const TIMEOUT_MS = process.env.PROVE ? 600_000 : 60_000;

type Fault = (n: number) => Error | null;

/** Counts and fails operations of checkpoints and workspace alike. */
function faulty(fault: Fault) {
  let count = 0;
  const isOn = { value: false };
  const check = () => (isOn.value ? fault(++count) : null);
  const { files } = faultyFiles(check);
  const access = (real: FileAccess): FileAccess => {
    const guard =
      <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
      async (...args: A) => {
        const error = check();
        if (error) throw new ToolError("TOOL_FAILED", { message: error.message, cause: error });
        return work(...args);
      };
    return {
      ...real,
      write: guard(real.write),
      remove: guard(real.remove!),
      makeDirectory: guard(real.makeDirectory),
      read: guard(real.read),
      list: guard(real.list),
    };
  };
  return { files, access, isOn, count: () => count };
}

/** A workspace with changes of every kind, and what it holds before and after a rewind. */
async function changedWorkspace(fault: Fault) {
  const { root, dir } = place();
  const sessions = createMemorySessionStore();
  const { files, access, isOn, count } = faulty(fault);
  mkdirSync(join(root, "sub"));
  for (const path of ["a", "sub/b"]) writeFileSync(join(root, path), `old ${path}`);
  chmodSync(join(root, "a"), 0o755);
  const past = treeOf(root);
  const agent = await openAgent({ root, dir, sessions, files, access });
  const start = await agent.mark();
  for (const path of ["a", "sub/b"]) {
    await agent.call("read", { path });
    await agent.call("write", { path, content: `new ${path}` });
  }
  await agent.call("write", { path: "made/by/agent", content: "new" });
  await agent.call("mkdir", { path: "empty" });
  const present = treeOf(root);
  /** As another process would, which finds the locks of the dead one. */
  const reopen = () => {
    const locks = join(dir, "journal");
    for (const name of readdirSync(locks)) if (name.includes(".lock")) rmSync(join(locks, name));
    return openAgent({ root, dir, sessions });
  };
  return {
    root,
    dir,
    sessions,
    agent,
    start,
    past,
    present,
    isOn,
    count,
    reopen,
  };
}

type Rewound = Awaited<ReturnType<typeof changedWorkspace>>;

/** Rewinds, or undoes a rewind, with faults. Resolves with what it was before, and whether it failed. */
async function rewindWithFaults(it: Rewound, isUndo: boolean) {
  if (isUndo) await it.agent.rewinder.rewindFiles(SESSION, it.start);
  it.isOn.value = true;
  const work = isUndo ? it.agent.rewinder.undoRewind(SESSION) : it.agent.rewinder.rewindFiles(SESSION, it.start);
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  it.isOn.value = false;
  const [before, after] = isUndo ? [it.past, it.present] : [it.present, it.past];
  return { error, before, after };
}

for (const isUndo of [false, true]) {
  const what = isUndo ? "an undo" : "a rewind";

  test(
    `${what} whose n-th operation fails touches nothing in the end, for every n`,
    async () => {
      let failures = 0;
      for (let n = 1; ; n += STEP) {
        const it = await changedWorkspace((count) => (count === n ? failure("ENOSPC") : null));

        const { error, before, after } = await rewindWithFaults(it, isUndo);

        if (error) failures++;
        expect({ n, tree: treeOf(it.root) }).toEqual({ n, tree: error ? before : after });
        expect(error === null || error instanceof Error).toBe(true);
        const again = await it.reopen();
        expect({ n, tree: treeOf(it.root) }).toEqual({ n, tree: error ? before : after });
        await again.close();
        await it.agent.close();
        if (it.count() < n) break;
      }
      expect(failures).toBeGreaterThan(20 / STEP);
    },
    TIMEOUT_MS,
  );

  test(
    `${what} that ends after n operations is all there or not at all once it is opened again, for every n`,
    async () => {
      const outcomes = new Set<string>();
      for (let n = STEP; ; n += STEP) {
        const it = await changedWorkspace((count) => (count >= n ? failure("EIO") : null));

        const { error, before, after } = await rewindWithFaults(it, isUndo);
        const again = await it.reopen();

        const tree = treeOf(it.root);
        const outcome = again.rewinder.recovered[0]?.outcome ?? "none";
        outcomes.add(outcome);
        expect({ n, tree }).toEqual({ n, tree: JSON.stringify(tree) === JSON.stringify(before) ? before : after });
        if (outcome === "finished") await again.rewinder.undoRewind(SESSION);
        if (outcome === "finished") expect({ n, tree: treeOf(it.root) }).toEqual({ n, tree: before });
        await again.close();
        await it.agent.close();
        if (error === null) break;
      }
      expect([...outcomes].sort()).toEqual(["finished", "none"]);
    },
    TIMEOUT_MS,
  );
}

test("a rewind that cannot be ended says so, stops further changes, and is ended once the cause is gone", async () => {
  // Reads come first; the second change of a file fails, and so does everything after it.
  let changes = 0;
  const it = await changedWorkspace(() => (changes >= 2 ? failure("EROFS") : null));
  const { files } = it.agent.seen;
  const { write } = files;
  files.write = (...args) => {
    changes++;
    return write(...args);
  };

  const { error } = await rewindWithFaults(it, false);
  changes = 0;
  await it.agent.call("write", { path: "more", content: "x" });

  expect(error).toMatchObject({ code: "REWIND_UNFINISHED", retryable: true });
  expect(treeOf(it.root)).not.toHaveProperty("more");
  // What a crash leaves of a write of this rewind, and of somebody else's.
  writeFileSync(join(it.root, ".loopwright-0123456789abcdef.tmp"), "old ");
  writeFileSync(join(it.root, ".loopwright-fedcba9876543210.tmp"), "theirs");
  const again = await it.reopen();
  expect(again.rewinder.recovered).toEqual([{ sessionId: SESSION, outcome: "finished" }]);
  expect(treeOf(it.root)).toEqual({ ...it.past, ".loopwright-fedcba9876543210.tmp": "644 theirs" });
  await again.close();
  await it.agent.close();
});
