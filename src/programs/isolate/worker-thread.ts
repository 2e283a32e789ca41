// The worker of a program. `npm run programs` makes `worker-source.ts` of it, from which a worker starts the same way in TypeScript
// sources and in a bundle, with no file to be found at run time.
import { parentPort, workerData } from "node:worker_threads";
import type { ProgramAnswer, ProgramStep } from "./isolate.js";
import { ProgramVm, type QuickJsPackage, type VmStart } from "./program-vm.js";

/** The start of a worker. */
export interface WorkerStart {
  /** The URL of the package, which a worker made from a string would look for in the process's directory. */
  readonly library: string;
  readonly wasm: WebAssembly.Module;
  readonly prelude: string;
  readonly program: VmStart;
}

/** A message to the worker: go on, with the answers of the last wave where there was one. */
export interface WorkerRequest {
  readonly answers: readonly ProgramAnswer[] | null;
  readonly at: number;
}

/** A message of the worker: one when it is ready, and then the step that each request leads to. */
export type WorkerReport = "ready" | ProgramStep;

const { library, wasm, prelude, program } = workerData as WorkerStart;
const report = (said: WorkerReport) => parentPort!.postMessage(said);

async function begin(): Promise<void> {
  const vm = await ProgramVm.create((await import(library)) as QuickJsPackage, wasm, prelude, program);
  parentPort!.on("message", async ({ answers, at }: WorkerRequest) => {
    if (answers) vm.answer(answers, at);
    report(await vm.next());
  });
  report("ready");
}

void begin();
