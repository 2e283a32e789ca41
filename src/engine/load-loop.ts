// An engine is made, asked about and closed without the code of its runs: that is loaded with the first of them.
type Loop = typeof import("./loop.js");

let loaded: Loop | null = null;
let loading: Promise<Loop> | undefined;

/** The code of runs, loaded once for all engines. A load that failed is tried again with the next run. */
export function loadLoop(): Promise<Loop> {
  loading ??= import("./loop.js").then(
    (loop) => {
      loaded = loop;
      return loop;
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** Does something with the code of runs: at once, unless this is the first time. */
export function withLoop<Result>(work: (loop: Loop) => Promise<Result>): Promise<Result> {
  return loaded ? work(loaded) : loadLoop().then(work);
}
