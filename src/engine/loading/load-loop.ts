// An engine is made, asked about and closed without the code of its runs: that is loaded with the first of them.

/** The code of runs. */
export type Loop = typeof import("../loop.js");

let loaded: Loop | undefined;
let loading: Promise<Loop> | undefined;

/** The code of runs, loaded once for all engines. One that could not be loaded is tried again with the next run. */
export function loadLoop(): Promise<Loop> {
  loading ??= import("../loop.js").then(
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

/** The code of runs, if any run has begun. */
export function loopOrNull(): Loop | null {
  return loaded ?? null;
}

/** The code of runs, for what only happens inside one. */
export function loadedLoop(): Loop {
  return loaded!;
}
