import { Readable } from "node:stream";
import type { StartProgram } from "../contracts/workspace-program.js";
import type { ProgramOutcome } from "./hook-output.js";
import { collectOutput, type Program } from "./run-program.js";

/** As `runProgram`, on another machine: when the signal aborts, all of it is ended there, and the promise rejects with its reason. */
export async function runElsewhere(start: StartProgram, program: Program): Promise<ProgramOutcome> {
  const { file, args, cwd, env, input, signal, onFirstLine } = program;
  signal.throwIfAborted();
  const { stdin, stdout, stderr, exited, close } = await start({ argv: [file, ...args], cwd, env });
  const onAbort = () => void close();
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const readable = (stream: typeof stdout) => Readable.fromWeb(stream as never).on("error", () => {});
  const [out, err] = [collectOutput(readable(stdout), onFirstLine), collectOutput(readable(stderr))];
  const writer = stdin.getWriter();
  // A program may leave it unread.
  writer
    .write(new TextEncoder().encode(input))
    .then(() => writer.close())
    .catch(() => {});
  try {
    const ended = await exited;
    await close();
    const [said, errors] = await Promise.all([out.text(), err.text()]);
    signal.throwIfAborted();
    return { ...ended, stdout: said, stderr: errors, isCut: out.hasDroppedBraces() };
  } finally {
    signal.removeEventListener("abort", onAbort);
    await close();
  }
}
