import { Readable } from "node:stream";
import type { StartProgram } from "../contracts/workspace-machine.js";
import { createMarks, killProcesses, signalProcesses, waitForProcesses } from "../processes/process-tree.js";
import { type StartedProgram, startProgram } from "../processes/start-program.js";
import { settlesWithin } from "../time/settles-within.js";
import type { ProgramOutcome } from "./hook-output.js";

/** From TERM to KILL, once the time is over or the run has ended. */
const GRACE_MS = 250;
/** The part of each stream that is kept, half of it from its end; the rest is read and dropped. Unit: bytes. */
const MAX_STREAM_BYTES = 1024 * 1024;
const HALF_BYTES = MAX_STREAM_BYTES / 2;
/** The time in which output is still read once the program has ended. */
const DRAIN_MS = 100;
const BRACE = "{".charCodeAt(0);
const GAP = Buffer.from("\n…\n");
const LIMITED = 'builtin ulimit -x "$0" 2> /dev/null; exec "$@"';

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input, which is then closed. A program may leave it unread. */
  readonly input: string;
  readonly signal: AbortSignal;
  /** Called once, as soon as the program has written a whole line to standard output. */
  onFirstLine?(line: string): void;
}

/**
 * Runs a program to its end, in a process group of its own. Resolves when nothing it started is alive; when the signal
 * aborts, all of it gets TERM and then KILL, and the promise rejects with the signal's reason.
 *
 * @throws Error when the program cannot be started
 */
export async function runProgram(program: Program): Promise<ProgramOutcome> {
  const { file, args, cwd, env, input, signal, onFirstLine } = program;
  signal.throwIfAborted();
  const { mark, lockLimit } = createMarks();
  // Only bash can set the second mark, which outlives a cleared environment; it must run nothing else before.
  const canLimit = file === "bash" && lockLimit !== undefined && env.BASH_ENV === undefined;
  const limited = canLimit ? ["--norc", "-c", LIMITED, lockLimit, file, ...args] : args;
  const marks = canLimit ? { mark, lockLimit } : { mark };
  const { child, processes, release } = await startProgram(file, limited, { cwd, env }, marks).catch((cause) => {
    throw notStarted(file, cwd, cause);
  });
  const exited = whenExited(child);
  const [stdout, stderr] = [collectOutput(child.stdout, onFirstLine), collectOutput(child.stderr)];
  child.stdin.end(input);
  let kill: NodeJS.Timeout | undefined;
  const onAbort = () => {
    signalProcesses(processes, "SIGTERM");
    kill = setTimeout(() => signalProcesses(processes, "SIGKILL"), GRACE_MS);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const ended = await exited;
    if (signal.aborted) await waitForProcesses(processes, GRACE_MS);
    await killProcesses(processes);
    const [out, err] = await Promise.all([stdout.text(), stderr.text()]);
    signal.throwIfAborted();
    return { ...ended, stdout: out, stderr: err, isCut: stdout.hasDroppedBraces() };
  } finally {
    clearTimeout(kill);
    signal.removeEventListener("abort", onAbort);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    release();
  }
}

interface Collected {
  text(): Promise<string>;
  /** Whether what was dropped may hold an object. */
  hasDroppedBraces(): boolean;
}

/** Reads a stream to its end and keeps its beginning and its end. */
function collectOutput(stream: NodeJS.ReadableStream, onFirstLine?: Program["onFirstLine"]): Collected {
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  let hasDropped = false;
  let hasDroppedBraces = false;
  let tellLine = onFirstLine;
  stream.on("data", (chunk: Buffer) => {
    const rest = chunk.subarray(HALF_BYTES - headBytes);
    if (headBytes < HALF_BYTES) head.push(chunk.subarray(0, HALF_BYTES - headBytes));
    headBytes = Math.min(HALF_BYTES, headBytes + chunk.length);
    if (rest.length > 0) tail.push(rest);
    tailBytes += rest.length;
    while (tailBytes - (tail[0]?.length ?? 0) >= HALF_BYTES) {
      const dropped = tail.shift()!;
      tailBytes -= dropped.length;
      hasDropped = true;
      hasDroppedBraces ||= dropped.includes(BRACE);
    }
    if (!tellLine || !chunk.includes(10)) return;
    tellLine(Buffer.concat(head).toString("utf8").split("\n", 1)[0]!);
    tellLine = undefined;
  });
  const closed = new Promise<void>((resolve) => stream.once("close", resolve));
  return {
    async text() {
      await settlesWithin(closed, DRAIN_MS);
      return Buffer.concat([...head, ...(hasDropped ? [GAP] : []), ...tail]).toString("utf8");
    },
    hasDroppedBraces: () => hasDroppedBraces,
  };
}

function whenExited(child: StartedProgram["child"]): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve) => child.once("exit", (exitCode, signal) => resolve({ exitCode, signal })));
}

/** The system's own message may quote arguments and variables; its code does not. */
function notStarted(file: string, cwd: string, cause: unknown): Error {
  const { code = "unknown reason" } = cause as NodeJS.ErrnoException;
  return new Error(`"${file}" could not be started in "${cwd}" (${code})`, { cause });
}

// ── on another machine ───────────────────────────────────────────────────────────────────────────────────────────────

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
