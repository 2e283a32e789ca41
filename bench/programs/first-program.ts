// The first program of a process: `node first-program.mjs <ours | floor>`. Prints the processor time and the time on the clock, in
// milliseconds, of a program that returns a number, or of a worker that compiles and starts the same engine.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { nodeWorker } from "loopwright/programs";
import { now } from "../measure.js";

const FLOOR = `
const { parentPort, workerData } = require("node:worker_threads");
WebAssembly.compile(workerData).then(() => parentPort.postMessage("done"));`;

async function floor(): Promise<void> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));
  const worker = new Worker(FLOOR, { eval: true, workerData: wasm });
  await new Promise((resolve) => worker.once("message", resolve));
  await worker.terminate();
}

async function ours(): Promise<void> {
  const isolate = nodeWorker();
  const limits = {
    cpuMs: 5_000,
    memoryBytes: 64 * 1024 * 1024,
    callsAtOnce: 32,
    inputChars: 1_000,
    valueChars: 1_000,
    logChars: 1_000,
  };
  const { signal } = new AbortController();
  const program = await isolate.start({ source: "return 1 + 1", tools: {}, at: 0, seed: 1, limits, signal });
  const step = await program.next();
  await program.close();
  if (step.type !== "end" || step.text !== "2") throw new Error("The program did not return 2.");
}

const [cpu, wall] = [now("cpu"), now("wall")];
await (process.argv[2] === "ours" ? ours() : floor());
process.stdout.write(JSON.stringify({ cpuMs: now("cpu") - cpu, ms: now("wall") - wall }));
