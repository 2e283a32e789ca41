// The engine is an optional peer. Its parts are looked for when the first program is run.
import { loadPeer, notLoaded } from "../../peers/load-peer.js";
import type { QuickJsPackage } from "./program-vm.js";

/** @throws ConfigurationError `PEER_MISSING`, `PEER_UNSUPPORTED` that say what to install */
export function loadQuickJs(): Promise<QuickJsPackage> {
  return loadPeer("quickjs-wasi", async () => {
    try {
      return await import("quickjs-wasi");
    } catch (cause) {
      throw notLoaded(cause);
    }
  }, ["QuickJS", "Intrinsics"]);
}
