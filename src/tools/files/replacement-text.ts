import { ToolError } from "../../contracts/errors.js";
import { quoteName } from "../../text/quote-name.js";
import { decodeText, encodeText, encodingOf, UTF8 } from "./text-encoding.js";

export interface ReplacementText {
  readonly content: Buffer;
  /** The text that is replaced; `null` when it was not text that can be read. */
  readonly before: string | null;
  /** The text with the line endings of the file. */
  readonly after: string;
  /** What the model has to know about how its text was written. */
  readonly note: string;
}

/**
 * A text as bytes that take the place of a file's: in its encoding, with its byte order mark, and with its line endings
 * where they are all alike.
 *
 * @throws ToolError `FILE_UNSUPPORTED` for a string with replacement characters when the file could not be read without them
 */
export function replacementText(path: string, existing: Uint8Array, text: string): ReplacementText {
  const old = decodeText(existing);
  const { hasBom } = old?.encoding ?? encodingOf(existing);
  const bare = hasBom && text.startsWith("\ufeff") ? text.slice(1) : text;
  if (!old) {
    const isText = !existing.includes(0);
    if (isText && text.includes("\ufffd")) throw unreadable(path);
    const note = isText ? " The file was not valid UTF-8; it is now." : "";
    return { content: encodeText(text, UTF8), before: null, after: text, note };
  }
  const ending = onlyEnding(old.text);
  const after = ending === null ? bare : bare.replace(ending === "\r" ? /\r\n|\n/g : /\r?\n/g, ending);
  return { content: encodeText(after, old.encoding), before: old.text, after, note: "" };
}

/** The line ending that all lines have; `null` when they differ, or there is not one. */
function onlyEnding(text: string): string | null {
  const endings = new Set(text.match(/\r\n|\n|\r/g));
  return endings.size === 1 ? [...endings][0]! : null;
}

function unreadable(path: string): ToolError {
  return new ToolError("FILE_UNSUPPORTED", {
    message: `${quoteName(path)} is not UTF-8, and "content" has replacement characters (\ufffd) where its bytes could not be read: writing it would lose them. Convert the file first with a command such as iconv, or change it with a command that knows its encoding.`,
    details: { path },
  });
}
