// Locks per path against one lock for all: tools at work on many files at once, and what taking a lock costs.
import { Mutex } from "async-mutex";
import { PathLocks } from "loopwright/workspace";
import { interleave } from "../measure.js";
import { isQuick, report } from "../row.js";

const FILES = 50;
const USES = 4;
const WORK_MS = 2;
const TAKEN = 20_000;
const plan = { rounds: isQuick ? 3 : 9, warmups: 1 };

const work = () => new Promise<void>((done) => setTimeout(done, WORK_MS));

function useAll(use: (path: string) => Promise<void>): Promise<void[]> {
  return Promise.all(Array.from({ length: FILES * USES }, (_, index) => use(`/file-${index % FILES}`)));
}

const one = new Mutex();
const locks = new PathLocks();

const parallel = await interleave(
  {
    floor: () => useAll(() => one.runExclusive(work)),
    ours: () => useAll((path) => locks.run(path, "write", work)),
  },
  { ...plan, clock: "wall" },
);
const taken = await interleave(
  {
    floor: async () => {
      for (let count = 0; count < TAKEN; count++) await one.runExclusive(async () => {});
    },
    ours: async () => {
      for (let count = 0; count < TAKEN; count++) await locks.run("/file", "write", async () => {});
    },
  },
  plan,
);

report([
  {
    what: `${USES} writers on each of ${FILES} files, ${WORK_MS} ms each (floor: one lock for all files)`,
    unit: "ms",
    floor: parallel.floor,
    ours: parallel.ours,
    budgets: [{ max: 0.1, times: "floor" }],
  },
  {
    what: "take a free path lock and release it (floor: one lock for all files)",
    unit: "µs",
    floor: (taken.floor * 1_000) / TAKEN,
    ours: (taken.ours * 1_000) / TAKEN,
    budgets: [{ max: 3, times: "floor" }],
  },
]);
