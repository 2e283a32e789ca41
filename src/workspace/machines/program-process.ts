import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { ToolError } from "../../contracts/errors.js";
import type { MachineProcess } from "./machine.js";

/**
 * Starts a client of a machine here, as `docker` or `ssh`. Signals meant for the host, as by Ctrl-C in its terminal, do not reach it.
 * `advice`: what to do where there is no such program.
 */
export async function startClient(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  advice = "Install it, or say where it is.",
): Promise<MachineProcess> {
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(file, args, { env: { ...env }, stdio: "pipe", detached: true });
  for (const each of [child, child.stdin, child.stdout, child.stderr]) each.on("error", () => undefined);
  await once(child, "spawn").catch((cause) => {
    throw notStarted(file, cause, advice);
  });
  return {
    stdin: Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    stdout: Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    stderr: Readable.toWeb(child.stderr) as ReadableStream<Uint8Array>,
    exited: new Promise((resolve) => {
      child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    }),
    kill: () => {
      child.kill("SIGKILL");
      for (const each of [child.stdin, child.stdout, child.stderr]) each.destroy();
    },
  };
}

export function notStarted(file: string, cause: Error, advice: string): ToolError {
  const message = `The program "${file}" could not be started: ${cause.message}. ${advice}`;
  return new ToolError("TOOL_FAILED", { message, cause });
}
