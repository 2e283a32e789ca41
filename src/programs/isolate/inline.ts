import { checkOptions, optionOf, required } from "../../json/check-options.js";
import { quickDigest } from "../../json/digest.js";
import { findInstalled } from "../../peers/installed-peer.js";
import { loadPeer, notLoaded } from "../../peers/load-peer.js";
import type { Isolate } from "./isolate.js";
import { PRELUDE } from "./prelude.js";
import { ProgramVm, type QuickJsPackage } from "./program-vm.js";

const WASM = required(
  optionOf(
    (value) => value instanceof WebAssembly.Module || value instanceof ArrayBuffer || ArrayBuffer.isView(value),
    "the bytes of quickjs-wasi/quickjs.wasm, or a WebAssembly.Module of them",
  ),
);

/** The bytes of the engine, or a `WebAssembly.Module` of them: a type that apps without the library of the DOM do not have. */
export type QuickJsWasm = object;

/**
 * Programs in the thread of the caller, where there are no workers: in a browser page, or at the edge. `wasm` is the file
 * `quickjs-wasi/quickjs.wasm`, as bytes or compiled, which is compiled with the first program.
 *
 * A program blocks its thread while it computes, and only the engine's own checks end it: one that spends its time in a single
 * operation, such as a power of large numbers, cannot be stopped. Use `nodeWorker()` where there are workers.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function inline(wasm: QuickJsWasm): Isolate {
  checkOptions("inline()", { wasm }, { wasm: WASM });
  let compiled: Promise<WebAssembly.Module> | undefined;
  const compile = async () =>
    wasm instanceof WebAssembly.Module ? wasm : WebAssembly.compile(wasm as ArrayBuffer | Uint8Array<ArrayBuffer>);
  return {
    async load() {
      await loadQuickJs();
      return vmName();
    },
    async start({ signal, ...program }) {
      compiled ??= compile();
      const [library, module] = await Promise.all([loadQuickJs(), compiled]);
      signal.throwIfAborted();
      const vm = await ProgramVm.create(library, module, PRELUDE, program);
      return {
        async next() {
          signal.throwIfAborted();
          return vm.next();
        },
        answer: (answers, at) => vm.answer(answers, at),
        close: async () => vm.close(),
      };
    },
  };
}

/** The engine and what is in it before a program, as a session records them. */
export function vmName(): string {
  const version = findInstalled("quickjs-wasi")?.version ?? "of a bundle";
  return `quickjs-wasi ${version}, prelude ${quickDigest(PRELUDE).slice(0, 8)}`;
}

/** @throws ConfigurationError `PEER_MISSING`, `PEER_UNSUPPORTED` that say what to install */
function loadQuickJs(): Promise<QuickJsPackage> {
  return loadPeer("quickjs-wasi", async () => {
    try {
      return await import("quickjs-wasi");
    } catch (cause) {
      throw notLoaded(cause);
    }
  }, ["QuickJS", "Intrinsics"]);
}
