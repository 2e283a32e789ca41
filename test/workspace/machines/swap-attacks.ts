// What another program does to the files of a machine while tools use them, as tests: names are swapped for links that lead out.
import { once } from "node:events";
import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Worker } from "node:worker_threads";
import { isHarnessError } from "loopwright";
import type { FileAccess, Machine } from "loopwright/workspace";
import { expect, onTestFinished, test } from "vitest";
import type { ManyFiles } from "../../../src/contracts/many-files.js";
import { runs } from "../../runs.js";
import { openMachine, sharedDirectory } from "./open-machine.js";

/** Operations of each kind during which a name was swapped. */
const SWAPS = runs(20, 200, 10_000);
const inside = Buffer.from("inside");

interface Attacked {
  readonly files: FileAccess;
  /** For one call of a tool. */
  readonly many: ManyFiles;
  readonly root: string;
}

type Use = (attacked: Attacked, count: number) => Promise<unknown>;

/** It leaves out what cannot be read, and says nothing more. */
const readMany: Use = async ({ many, root }, count) => {
  const contents = await many.readMany([`${root}/d/a`, `${root}/d/new-${count}`, `${root}/d/only-outside`], 1_000);
  return Buffer.concat([...contents.values()]);
};
const tree: Use = async ({ many, root }) =>
  (await many.tree([`${root}/d`], []))!.files.map(({ path }) => ({ name: basename(path) }));

const USES: Readonly<Record<"directory" | "file" | "created", readonly Use[]>> = {
  directory: [
    ({ files }) => files.read("d/a"),
    ({ files }) => files.write("d/a", inside),
    ({ files }, count) => files.write(`d/new-${count}`, inside),
    ({ files }, count) => files.write(`d/below-${count}/deep`, inside),
    ({ files }, count) => files.makeDirectory(`d/made-${count}`),
    ({ files }) => files.list("d"),
    ({ files }) => files.stat("d/a"),
    ({ files }) => files.remove!("d/a"),
    readMany,
    tree,
  ],
  file: [
    ({ files }) => files.read("d/a"),
    ({ files }) => files.write("d/a", inside),
    ({ files }) => files.stat("d/a"),
    ({ files }) => files.remove!("d/a"),
    readMany,
    tree,
  ],
  created: [
    ({ files }) => files.write("new", inside),
    ({ files }) => files.write("new", inside, { mode: 0o600 }),
    ({ files }) => files.write("dir", inside),
    ({ files }) => files.makeDirectory("new"),
    ({ files }, count) => files.write(`dir/new-${count}`, inside),
    ({ files }, count) => files.makeDirectory(`dir/made-${count}/deep`),
  ],
};

/** `parent` is a directory that the machine has at the same path. */
export function swapAttacks(open: () => Machine, parent?: string): void {
  test.each([
    ["a directory", "directory"],
    ["a file", "file"],
    ["a name that is created", "created"],
  ] as const)("nothing outside is read or written while %s is swapped for a link", async (_name, kind) => {
    const root = await sharedDirectory(parent);
    const outside = await sharedDirectory(parent);
    for (const name of ["a", "only-outside"]) writeFileSync(join(outside, name), "outside");
    // A read sets it once, where it is not after the last write.
    utimesSync(join(outside, "a"), 0, new Date());
    const untouched = timesOf(outside);
    const workspace = await openMachine(open(), { root });
    const attacked = () => ({ files: workspace.files, many: workspace.forCall!(workspace).files.many!, root });
    const swapper = await startSwapping({ kind, root, outside });
    const ends: Record<string, number> = {};
    const answers: unknown[] = [];
    let met = 0;

    for (let count = 0; met < SWAPS; count++) {
      const before = swapper.count();
      const use = USES[kind][count % USES[kind].length]!;
      const [end, answer] = await use(attacked(), count).then(
        (value) => ["done", value] as const,
        (error) => {
          if (!isHarnessError(error)) throw error;
          return [error.code, undefined] as const;
        },
      );
      if (saysOutside(answer)) answers.push(answer);
      if (swapper.count() === before) continue;
      met++;
      ends[end] = (ends[end] ?? 0) + 1;
    }
    await swapper.stop();
    if (process.env.PROVE) console.log(JSON.stringify({ kind, met, swaps: swapper.count(), ends }));

    expect(answers).toEqual([]);
    expect(timesOf(outside)).toEqual(untouched);
    expect(readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.tmp$/.test(name))).toEqual([]);
    // The attack was one: some were refused since a link was there, or came just then, and some found what is inside.
    expect(ends).toMatchObject({ done: expect.any(Number) });
    expect(Object.keys(ends)).not.toEqual(["done"]);
    // Where nothing else is ever a directory, a path that is swapped while it is followed does not lead to the one it is in.
    if (kind !== "created") expect(ends).not.toHaveProperty("FILE_UNSUPPORTED");
  });
}

/** Whether an answer is the content, also cut to the length of what was there before, the status or the names of what is outside. */
function saysOutside(answer: unknown): boolean {
  if (answer instanceof Uint8Array) return Buffer.from(answer).includes("outs");
  if (Array.isArray(answer)) return answer.some(({ name }) => name === "only-outside");
  return Object(answer).size === "outside".length;
}

/** When a directory was changed, by what was made or removed in it even for a moment, and when its files were written and read. */
function timesOf(directory: string): Record<string, unknown> {
  const of = (path: string) => {
    const { mtimeNs, ctimeNs, ino } = statSync(path, { bigint: true });
    return [mtimeNs, ctimeNs, ino];
  };
  const names = readdirSync(directory).map((name) => [
    name,
    [...of(join(directory, name)), statSync(join(directory, name)).atimeMs],
  ]);
  return { "": of(directory), ...Object.fromEntries(names) };
}

async function startSwapping(about: { readonly kind: string; readonly root: string; readonly outside: string }) {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL("swap-names.mjs", import.meta.url), { workerData: { ...about, counts } });
  const stop = async () => {
    const exited = once(worker, "exit");
    if (Atomics.exchange(counts, 1, 1) === 0) Atomics.notify(counts, 1);
    if (worker.threadId !== -1) await exited;
  };
  onTestFinished(stop);
  await once(worker, "message");
  return { count: () => Atomics.load(counts, 0), stop };
}
