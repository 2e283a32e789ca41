import { isHarnessError } from "../contracts/errors.js";

/** The part of an error for a client: code and message of one of this library's, nothing of any other. */
export function describeError(error: unknown): { readonly code: string; readonly message: string } {
  if (isHarnessError(error)) return { code: error.code, message: error.message };
  return { code: "INTERNAL", message: "The server failed. Its log may say why." };
}
