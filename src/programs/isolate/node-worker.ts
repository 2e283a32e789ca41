import { loadPeer } from "../../peers/load-peer.js";
import { vmName } from "./inline.js";
import type { Isolate } from "./isolate.js";
import { PRELUDE } from "./prelude.js";
import { WorkerPlaces, WorkerProgram } from "./worker-program.js";
import { WORKER_SOURCE } from "./worker-source.js";
import type { WorkerStart } from "./worker-thread.js";

/** A worker that needs more than this beside the program's own memory is ended. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 8 };

/** The engine, found and compiled: once in a process, with the first program. */
let engine: Promise<{ readonly library: string; readonly wasm: WebAssembly.Module }> | undefined;
let places: WorkerPlaces | undefined;

/**
 * Programs in worker threads without environment variables, each in one of its own: the default. There are at most as many workers
 * as cores in a process; other programs wait. A worker is ended with its program, and when it does not stop in time.
 */
export function nodeWorker(): Isolate {
  return {
    async load() {
      await loadEngine();
      return vmName();
    },
    async start(start) {
      const { library, wasm } = await loadEngine();
      start.signal.throwIfAborted();
      const { Worker } = process.getBuiltinModule("node:worker_threads");
      const { availableParallelism } = process.getBuiltinModule("node:os");
      const { signal: _, ...program } = start;
      const workerData: WorkerStart = { library, wasm, prelude: PRELUDE, program };
      const options = { eval: true, workerData, env: {}, execArgv: [], resourceLimits: WORKER_LIMITS };
      places ??= new WorkerPlaces(availableParallelism());
      return new WorkerProgram(places, () => new Worker(WORKER_SOURCE, options), start);
    },
  };
}

function loadEngine() {
  engine ??= findEngine().catch((error) => {
    engine = undefined;
    throw error;
  });
  return engine;
}

function findEngine() {
  return loadPeer("quickjs-wasi", async () => {
    const { createRequire } = process.getBuiltinModule("node:module");
    const { pathToFileURL } = process.getBuiltinModule("node:url");
    const { readFile } = process.getBuiltinModule("node:fs/promises");
    const { resolve } = createRequire(import.meta.url);
    const wasm = await WebAssembly.compile(await readFile(resolve("quickjs-wasi/quickjs.wasm")));
    return { library: pathToFileURL(resolve("quickjs-wasi")).href, wasm };
  }, ["library", "wasm"]);
}
