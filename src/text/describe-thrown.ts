import { firstCharacters } from "./cut.js";

/** Error messages longer than this are cut: a model learns nothing from more. Unit: characters. */
const MAX_ERROR_CHARS = 4_000;

/** The message of any thrown value, errors or not, cut to a readable length. Never throws. */
export function describeThrown(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return clipMessage(String(thrown.message || thrown.name));
    return clipMessage(typeof thrown === "string" ? thrown : `it threw ${String(JSON.stringify(thrown) ?? thrown)}`);
  } catch {
    return "it threw a value that cannot be shown";
  }
}

/** A message for a reader, cut to a readable length. */
export function clipMessage(message: string): string {
  if (message.length <= MAX_ERROR_CHARS) return message;
  return `${firstCharacters(message, MAX_ERROR_CHARS)} … (cut)`;
}
