// The text of messages, without what stages put around it.
import type { Message } from "../contracts/message.js";

/** The texts of a message, images and calls aside. */
export function messageText(message: Message): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

const BEGIN = "[Cleared to save room: ";
const QUOTE = "It said: ";
const SEPARATOR = " | ";

/** The text in place of a result: what it was, how to get it back, and the lines of it that say most. */
export function placeholder(about: string, lines: readonly string[]): string {
  const quote = lines.length > 0 ? ` ${QUOTE}${lines.join(SEPARATOR)}` : "";
  return `${BEGIN}${about}${quote}]`;
}

export function isPlaceholder(text: string): boolean {
  return text.startsWith(BEGIN);
}

/** The lines a placeholder quotes; any other text as it is. */
export function quotedIn(text: string): string {
  if (!isPlaceholder(text)) return text;
  const at = text.indexOf(QUOTE);
  if (at < 0) return "";
  const quote = text.slice(at + QUOTE.length).replace(/\]$/, "");
  return quote.replaceAll(SEPARATOR, "\n");
}
