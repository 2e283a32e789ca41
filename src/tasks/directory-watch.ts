import { type FSWatcher, watch } from "node:fs";

/** Some file systems report no changes, so that they are also looked for now and then. */
const LOOK_EVERY_MS = 500;
/** Changes that follow each other closely are looked at together. */
const SETTLE_MS = 15;

/**
 * Calls `look` now, soon after the directory has changed, and now and then anyway; never twice at a time. What it throws
 * is looked at again next time. Returns what ends this.
 */
export function watchDirectory(dir: string, look: () => Promise<void>): () => void {
  let isOver = false;
  let isLooking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watcher: FSWatcher | undefined;

  const lookSoon = (inMs: number) => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(run, inMs);
  };
  const run = async () => {
    isLooking = true;
    watcher ??= follow(dir, () => !isLooking && lookSoon(SETTLE_MS));
    try {
      await look();
    } catch {
      // A directory that is being replaced is there again next time.
    }
    isLooking = false;
    lookSoon(LOOK_EVERY_MS);
  };
  void run();
  return () => {
    isOver = true;
    clearTimeout(timer);
    watcher?.close();
  };
}

/** `undefined` as long as there is no such directory, or no way to follow it. */
function follow(dir: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(dir, { persistent: false }, onChange);
    watcher.on("error", () => {});
    return watcher;
  } catch {
    return undefined;
  }
}
