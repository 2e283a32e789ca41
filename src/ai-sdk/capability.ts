import { ConfigurationError } from "../contracts/errors.js";

/**
 * The error of an adapter that cannot do what its host asks for. The AI SDK recognises its own
 * `HarnessCapabilityUnsupportedError` by these marks, whichever copy of its package has made it.
 */
export function unsupportedByHarness(harnessId: string, message: string): ConfigurationError {
  const error = new ConfigurationError("OPTION_INVALID", { message, details: { harnessId } });
  for (const name of ["AI_HarnessCapabilityUnsupportedError", "AI_HarnessError"]) {
    Object.defineProperty(error, Symbol.for(`vercel.ai.error.${name}`), { value: true });
  }
  return Object.defineProperty(error, "harnessId", { value: harnessId });
}
