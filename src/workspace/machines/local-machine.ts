import { childEnvironment } from "../../processes/child-environment.js";
import type { Machine } from "./machine.js";
import { startClient } from "./program-process.js";

/**
 * This machine as one that is elsewhere, for tests: its file tools go through a shell. `prefix` goes before each program, as
 * `["chroot", "/image"]` or `["kubectl", "exec", "-i", "pod", "--"]`.
 */
export function localMachine(options: { readonly prefix?: readonly string[]; readonly name?: string } = {}): Machine {
  const { prefix = [], name = ["local", ...prefix].join(" ") } = options;
  return {
    name,
    start(argv) {
      const [file = "sh", ...args] = [...prefix, ...argv];
      return startClient(file, args, childEnvironment());
    },
  };
}
