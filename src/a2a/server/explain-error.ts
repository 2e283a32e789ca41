import { isHarnessError } from "../../contracts/errors.js";
import { describeError } from "../../http/describe-error.js";
import type { A2aServerSdk } from "../a2a-sdk.js";

const BUSY = "Another task of this context is under way. Send the message to that task, or wait until it is over.";

/** An error as a client may read it. What is not an error of this library or of the protocol goes to `onError`, and nowhere else. */
export function explainError(sdk: A2aServerSdk, error: unknown, onError: (error: unknown) => void): Error {
  if (error instanceof sdk.A2AError) return error;
  if (isHarnessError(error, "OPTION_INVALID")) return new sdk.RequestMalformedError(error.message);
  if (isHarnessError(error, "SESSION_BUSY")) return new sdk.UnsupportedOperationError(BUSY);
  if (!isHarnessError(error)) onError(error);
  return new sdk.A2AError(describeError(error).message);
}
