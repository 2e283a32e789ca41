import { isHarnessError } from "../contracts/errors.js";

/** What a client reads of a store that fails. The store's own words name addresses, databases and paths of the server. */
const OF_STORES: Readonly<Record<string, string>> = {
  SESSION_READ: "What the server keeps could not be read. Try again later; its log may say why.",
  SESSION_WRITE: "What the server keeps could not be written. Try again later; its log may say why.",
};

/** An error or notice of this library, as a client reads it. */
export function describeFailure({ code, message }: { readonly code: string; readonly message: string }) {
  return { code, message: OF_STORES[code] ?? message };
}

/** The part of an error for a client: code and message of one of this library's, nothing of any other or of a store's driver. */
export function describeError(error: unknown): { readonly code: string; readonly message: string } {
  if (isHarnessError(error)) return describeFailure(error);
  return { code: "INTERNAL", message: "The server failed. Its log may say why." };
}

/** Whether a client does not learn what the error says, so that the host has to. */
export function isForHost(error: unknown): boolean {
  return !isHarnessError(error) || error.code in OF_STORES;
}
