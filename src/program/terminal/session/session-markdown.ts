import type { SessionEntry } from "../../../contracts/session.js";
import { markdownOf } from "../../../sessions/export-markdown.js";
import { revealedText } from "../screen/safe-text.js";
import { itemsIn, typedText } from "./session-history.js";

/**
 * A session as a document: prompts, answers, and each call with its result. It is read on a screen, so what hides, reorders or
 * controls text is written as it is shown there, as `\u202e`; a session as JSON has every character.
 */
export function sessionMarkdown(branch: readonly SessionEntry[]): string {
  return revealedText(markdownOf(branch, typedText).replaceAll("\r\n", "\n"));
}

/** The text of the last message that has some. */
export function lastAnswer(branch: readonly SessionEntry[]): string | undefined {
  const texts = itemsIn(branch).flatMap((item) => {
    if (item.kind === "result" || item.message.role !== "assistant") return [];
    return item.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  });
  return texts.findLast((text) => text.trim() !== "");
}
