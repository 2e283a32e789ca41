/** The program's exit codes. They are written down in docs/guides/run-in-scripts.md and do not change. */
export const EXIT = {
  /** The run completed, and nothing was held back. */
  done: 0,
  /** The run failed, or stopped at a limit. */
  failed: 1,
  /** The command line is wrong, or there is no model to use. */
  usage: 2,
  /** The run completed, but calls that need approval were not run: there was nobody to ask. */
  needsApproval: 3,
  /** Ctrl+C. */
  interrupted: 130,
  /** SIGTERM. */
  terminated: 143,
} as const;

/** An error in the command line or the environment. The message is for the user's eyes, without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The reason why a run failed, in the words of the command line: an error of the library names options that it does not have. */
export function failureText({ code, message, details }: Failure): string {
  if (code !== "COST_UNKNOWN") return String(message);
  const { provider, model } = Object(details) as { readonly provider?: unknown; readonly model?: unknown };
  return `The price of ${provider}/${model} is not known, so --max-cost cannot be kept. Limit tokens instead, with --max-tokens.`;
}

interface Failure {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
}
