const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 } as const;

/** npm and tsx pass on a signal the terminal has sent to everybody: what comes this soon is the same Ctrl+C. */
const ECHO_MS = 250;

/** Whether somebody wants the program to end, and how. */
export interface Interruption {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal;
  /** What a shell expects of a program that ended by that signal. */
  readonly exitCode: number | undefined;
}

/**
 * Watches for Ctrl+C and its kin, and for an output nobody reads any more, as in `| head -1`.
 *
 * The first time, the signal aborts and the program may clean up; the second time, the process exits at once.
 */
export function watchInterruption(): Interruption {
  const controller = new AbortController();
  let exitCode: number | undefined;
  let firstAt = 0;

  function interrupt(name: keyof typeof EXIT_CODES): void {
    if (exitCode === undefined) {
      exitCode = EXIT_CODES[name];
      firstAt = performance.now();
      controller.abort(new Error(`interrupted by ${name}`));
    } else if (performance.now() - firstAt > ECHO_MS && name !== "SIGPIPE") {
      process.exit(exitCode);
    }
  }

  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => interrupt(name));
  process.stdout.on("error", () => interrupt("SIGPIPE"));
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
  };
}
