// LOOPWRIGHT_TRACE: what the runs of the program do, line by line. The library itself reads no environment.
import { closeSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import type { AgentEngine } from "../engine/engine.js";
import { describeThrown } from "../text/describe-thrown.js";
import { UsageError } from "./exit-codes.js";
import type { ProgramIo } from "./program-io.js";

/** The settings that decide where a trace goes. */
export interface TraceTarget extends Pick<ProgramIo, "env" | "cwd" | "stderr"> {
  /** The terminal shows a conversation, which lines on it would break. */
  readonly hasScreen: boolean;
}

/** A trace that is being written. */
export interface ProgramTrace {
  /** Traces every run of an engine from now on. */
  watch(engine: AgentEngine): void;
  /** Ends the trace. */
  close(): void;
}

/**
 * Opens the trace that LOOPWRIGHT_TRACE asks for: a file, relative to `cwd`, that grows and only its owner may read, or
 * standard error for `1` and `stderr`. Unset, empty or `0`: nothing is written.
 *
 * @throws UsageError for a file that cannot be written, or for standard error while it is the screen
 */
export async function openTrace({ env, stderr, cwd, hasScreen }: TraceTarget): Promise<ProgramTrace> {
  const to = env.LOOPWRIGHT_TRACE ?? "";
  if (to === "" || to === "0") return { watch() {}, close() {} };
  const isStderr = to === "1" || to === "stderr";
  if (isStderr && hasScreen && stderr.isTTY) throw onScreen(to);
  const file = isStderr ? null : openFile(resolve(cwd, to));
  const write = (line: string) => {
    if (file === null) stderr.write(`${line}\n`);
    else writeSync(file, `${line}\n`);
  };
  const { traceRun } = await import("../observability/trace/trace-run.js");
  const stops: (() => void)[] = [];
  return {
    watch: (engine) => void stops.push(traceRun(engine, write)),
    close() {
      for (const stop of stops.splice(0)) stop();
      if (file !== null) closeSync(file);
    },
  };
}

function openFile(path: string): number {
  try {
    return openSync(path, "a", 0o600);
  } catch (error) {
    throw new UsageError(
      `LOOPWRIGHT_TRACE: "${path}" cannot be written: ${describeThrown(error)}. Name a file in a directory that exists, or 1 for standard error.`,
    );
  }
}

function onScreen(to: string): UsageError {
  return new UsageError(
    `LOOPWRIGHT_TRACE=${to} writes to standard error, which is the screen of this conversation. Name a file, as in LOOPWRIGHT_TRACE=trace.log, or redirect it with 2> trace.log.`,
  );
}
