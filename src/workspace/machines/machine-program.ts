// A program with three streams on a machine, beside the commands of its shell: for servers and hooks.
import { randomUUID } from "node:crypto";
import { ToolError } from "../../contracts/errors.js";
import type { CommandRunner } from "../../contracts/workspace.js";
import type { WorkspaceCommand, WorkspaceProgram } from "../../contracts/workspace-machine.js";
import { quoteName } from "../../text/quote-name.js";
import { settlesWithin } from "../../time/settles-within.js";
import { findMarked } from "./command-script.js";
import { START_MS, startOn } from "./lane.js";
import type { Machine } from "./machine.js";
import { VARIABLE } from "./machine-shell.js";

/** The time in which a program ends by itself once its input has ended. Unit: milliseconds. */
const CLOSE_MS = 500;
const KILL_MS = 10_000;

/** Variables come first on standard input, one a line, so that none is in the arguments of a program. `read` takes no byte more. */
const START = `while IFS= read -r v && [ -n "$v" ]; do export "$v"; done
cd -- "$1" || exit 126
shift
exec "$@"`;

/** Ends whatever has a word in its environment, which what a program starts inherits. No process has it as a limit. */
const endAll = (mark: string, hasGrep: boolean) =>
  `mark=${mark} limit=${mark}; for p in $(${findMarked(hasGrep)}); do kill -KILL "$p"; done 2>/dev/null; true`;

/** @throws ToolError `COMMAND_FAILED`, `TOOL_FAILED` */
export async function startOnMachine(
  machine: Machine,
  { shell, hasGrep }: { readonly shell: CommandRunner; readonly hasGrep: boolean },
  { argv, cwd, env = {} }: WorkspaceCommand & { readonly cwd: string },
): Promise<WorkspaceProgram> {
  const odd = Object.entries(env).find(([name, value]) => !VARIABLE.test(name) || /[\n\0]/.test(value));
  if (odd) {
    const message = `The variable ${quoteName(odd[0])} cannot be passed to a program of the machine. Give it another name, and a value of one line.`;
    throw new ToolError("COMMAND_FAILED", { message });
  }
  const mark = randomUUID();
  const client = await startOn(machine, ["sh", "-c", START, "sh", cwd, ...argv], START_MS);
  const lines = [
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    `LOOPWRIGHT_PROGRAM=${mark}`,
    "",
    "",
  ].join("\n");
  const writer = client.stdin.getWriter();
  await writer.write(new TextEncoder().encode(lines)).catch(() => {}); // It has ended, which `exited` says.
  writer.releaseLock();
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await client.stdin.close().catch(() => {}); // Its user may have closed it, or hold it.
    await settlesWithin(client.exited, CLOSE_MS);
    await shell.run({ command: endAll(mark, hasGrep), timeoutMs: KILL_MS }).catch(() => {});
    client.kill();
  }
  const { stdin, stdout, stderr, exited } = client;
  return {
    stdin,
    stdout,
    stderr,
    exited,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
