// Swaps names below a directory for links that lead out of it, and back, as fast as it can or after a short while, until it is
// stopped. Whoever writes there at the same time may be faster: every step may fail. Counts the links that were put in place.
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

const { kind, root, outside, counts } = workerData;
const at = (name) => `${root}/${name}`;
const attempt = (step) => {
  try {
    step();
    return true;
  } catch {
    return false;
  }
};
const put = (name) => attempt(() => writeFileSync(at(name), "inside")) && attempt(() => chmodSync(at(name), 0o666));
const makeDirectory = (name) => attempt(() => mkdirSync(at(name))) && attempt(() => chmodSync(at(name), 0o777));
const clear = (name) => attempt(() => rmSync(at(name), { recursive: true, force: true }));
const link = (name, target) => attempt(() => symlinkSync(`${outside}${target}`, at(name)));

/** Each has a `swap`, which says whether a link is in place, and the way back. */
const KINDS = {
  directory: {
    swap: () => attempt(() => renameSync(at("d"), at("away"))) && link("d", ""),
    restore() {
      attempt(() => unlinkSync(at("d")));
      if (!attempt(() => renameSync(at("away"), at("d")))) clear("away");
      makeDirectory("d");
      put("d/a");
    },
  },
  file: {
    swap: () => link("d/link", "/a") && attempt(() => renameSync(at("d/link"), at("d/a"))),
    restore() {
      makeDirectory("d");
      put("d/file");
      attempt(() => renameSync(at("d/file"), at("d/a")));
    },
  },
  created: {
    swap: () => clear("new") && clear("dir") && link("new", "/new") && link("dir", ""),
    restore() {
      attempt(() => unlinkSync(at("new")));
      attempt(() => unlinkSync(at("dir")));
    },
  },
};

const { swap, restore } = KINDS[kind];
/** As long as an operation takes at most; half of the time not at all. Unit: milliseconds. */
const pause = () => Math.random() < 0.5 || Atomics.wait(counts, 1, 0, Math.random() ** 4 * 30);
restore();
parentPort.postMessage("ready");
while (Atomics.load(counts, 1) === 0) {
  if (swap()) Atomics.add(counts, 0, 1);
  pause();
  restore();
  pause();
}
