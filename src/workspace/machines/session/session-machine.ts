import { randomBytes } from "node:crypto";
import { quotedForShell } from "../../../text/quoted-for-shell.js";
import { settlesWithin } from "../../../time/settles-within.js";
import type { Machine } from "../machine.js";
import { asked, assertSession, type SandboxSessionLike, unfit } from "./sandbox-session.js";

/** For a program to end by the end of its standard input. Unit: milliseconds. */
const END_MS = 5_000;

/**
 * A sandbox session of the AI SDK as a machine. It needs a `spawn` that takes `stdin`, and a Linux inside. The session stays yours:
 * `close` does not end it. No shell is kept started for the next command, since a process may cost money, unless
 * `createMachineWorkspace` gets `spares`.
 *
 * @throws ConfigurationError `OPTION_INVALID` that names what the session lacks: here, or as the workspace is opened
 * @example
 * const workspace = await createMachineWorkspace({ machine: sessionMachine(session), root: "/vercel/sandbox" });
 */
export function sessionMachine(session: Pick<SandboxSessionLike, "id" | "spawn">): Machine {
  assertSession("sessionMachine()", session, ["spawn"]);

  async function spawn(command: string) {
    const starting = session.spawn!({ command, stdin: true });
    const process = await asked(starting, "could not start a program with standard input");
    if (process.stdin) return { process, stdin: process.stdin };
    await end(process);
    throw unfit("sessionMachine()", 'its "spawn" takes no "stdin"', ["stdin"]);
  }

  return {
    name: `session:${session.id ?? randomBytes(8).toString("hex")}`,
    spares: 0,
    async start(argv) {
      const { process, stdin } = await spawn(argv.map(quotedForShell).join(" "));
      const exited = Promise.resolve(process.wait()).then(({ exitCode }) => ({ exitCode, signal: null }));
      return {
        stdin,
        stdout: process.stdout,
        stderr: process.stderr,
        exited,
        // The guard inside ends what the program has started when it sees the end of its input, and must not be killed before.
        async kill() {
          if (!(await settlesWithin(exited, END_MS))) await end(process);
        },
      };
    },
  };
}

async function end(process: { kill(): PromiseLike<void> }): Promise<void> {
  try {
    await process.kill();
  } catch {
    // It has ended, or the session has.
  }
}
