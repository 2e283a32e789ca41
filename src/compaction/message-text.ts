// What messages say, without what stages put around it.
import type { Message } from "../contracts/message.js";
import { textOfOutput } from "./describe-call.js";
import { linesOf } from "./notes/salient-lines.js";
import { Wording } from "./notes/word-frequency.js";

/** The texts of a message, images and calls aside. */
export function messageText(message: Message): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

const BEGIN = "[Cleared to save room: ";
const SAID = "It said: ";
const SEPARATOR = " | ";

/** What stands in place of a result: what it was, how to get it back, and the lines of it that say most. */
export function placeholder(about: string, lines: readonly string[]): string {
  const quote = lines.length > 0 ? ` ${SAID}${lines.join(SEPARATOR)}` : "";
  return `${BEGIN}${about}${quote}]`;
}

export function isPlaceholder(text: string): boolean {
  return text.startsWith(BEGIN);
}

/** What a placeholder quotes, line by line; any other text as it is. */
export function quotedIn(text: string): string {
  if (!isPlaceholder(text)) return text;
  const at = text.indexOf(SAID);
  return at < 0
    ? ""
    : text
        .slice(at + SAID.length)
        .replace(/\]$/, "")
        .replaceAll(SEPARATOR, "\n");
}

/** How usual words are in what some messages say. */
export function wordingOf(messages: readonly Message[]): Wording {
  return new Wording(messages.flatMap(textsOf).flatMap(linesOf));
}

function textsOf(message: Message): string[] {
  if (message.role !== "tool") return [messageText(message)];
  return message.content.map(({ output }) => quotedIn(textOfOutput(output)));
}
