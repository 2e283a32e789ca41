// The code of runs, for those who use it where it is loaded but do not load it.

/** The code of runs. */
export type Loop = typeof import("../loop.js");

let loaded: Loop | null = null;

/** Called once it is loaded. */
export function keepLoop(loop: Loop): Loop {
  loaded = loop;
  return loop;
}

/** The code of runs, if any run has begun. */
export function loopOrNull(): Loop | null {
  return loaded;
}

/** The code of runs, for what only happens inside one. */
export function loadedLoop(): Loop {
  return loaded!;
}
