import type { CommandOutcome, CommandRequest } from "../../contracts/workspace.js";

/** The answer of a shell that says everything when a command has ended. */
export interface WholeAnswer {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** The directories of the shell at its end, where they are known. */
  readonly cwd: string | undefined;
  readonly previousCwd: string | undefined;
}

/** Runs a command by a shell that answers when it has ended: first what standard output says. `signal` ends it, also at its timeout. */
export async function runWhole(
  { timeoutMs, signal, onOutput, onError = onOutput }: CommandRequest,
  run: (signal: AbortSignal) => Promise<WholeAnswer>,
): Promise<CommandOutcome> {
  const startedAt = performance.now();
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [signal, timeout].filter((each) => each !== undefined);
  const answer = await run(AbortSignal.any(signals)).catch((error) => {
    signal?.throwIfAborted();
    if (timeout?.aborted) return undefined;
    throw error;
  });
  signal?.throwIfAborted();
  if (answer && answer.stdout.length > 0) await onOutput?.(answer.stdout);
  if (answer && answer.stderr.length > 0) await onError?.(answer.stderr);
  const end =
    answer && !timeout?.aborted
      ? { exitCode: answer.exitCode, signal: null, timedOut: false, cwd: answer.cwd ?? null }
      : { exitCode: null, signal: "SIGKILL", timedOut: true, cwd: null };
  return {
    ...end,
    ...(answer?.previousCwd && { previousCwd: answer.previousCwd }),
    durationMs: performance.now() - startedAt,
  };
}
