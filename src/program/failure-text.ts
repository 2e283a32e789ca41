/** Why a run failed, in the words of the command line: an error of the library names options that it does not have. */
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
