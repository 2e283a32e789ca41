// An engine is made, asked about and closed without the code of its runs: that is loaded with the first of them.
import { keepLoop, type Loop, loopOrNull } from "./loaded-loop.js";

let loading: Promise<Loop> | undefined;

/** The code of runs, loaded once for all engines. One that could not be loaded is tried again with the next run. */
export function loadLoop(): Promise<Loop> {
  loading ??= import("../loop.js").then(keepLoop, (error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Does something with the code of runs: at once, unless this is the first time. */
export function withLoop<Result>(work: (loop: Loop) => Promise<Result>): Promise<Result> {
  const loop = loopOrNull();
  return loop ? work(loop) : loadLoop().then(work);
}
