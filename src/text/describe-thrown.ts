import { firstCharacters } from "./cut.js";

/** Error messages longer than this are cut: a model learns nothing from more. Unit: characters. */
const MAX_ERROR_CHARS = 4_000;

/** A thrown value with more values in it is not shown: what is shared or refers to itself has no end. */
const MAX_SHOWN_VALUES = 10_000;

/** The message of any thrown value, errors or not, cut to a readable length. Never throws. */
export function describeThrown(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return clipMessage(String(thrown.message || thrown.name));
    if (typeof thrown === "string") return clipMessage(thrown);
    let left = MAX_SHOWN_VALUES;
    const within = (_key: string, value: unknown) => {
      if (left-- > 0) return value;
      throw new RangeError("too large");
    };
    return clipMessage(`it threw ${String(JSON.stringify(thrown, within) ?? thrown)}`);
  } catch {
    return "it threw a value that cannot be shown";
  }
}

/** A message for a reader, cut to a readable length. */
export function clipMessage(message: string): string {
  if (message.length <= MAX_ERROR_CHARS) return message;
  return `${firstCharacters(message, MAX_ERROR_CHARS)} … (cut)`;
}
