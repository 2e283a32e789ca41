import type { SessionEntry } from "../../../contracts/session.js";
import { markdownOf } from "../../../sessions/export-markdown.js";
import { itemsIn, typedText } from "./session-history.js";

/** A session as a document: prompts, answers, and each call with its result. */
export function sessionMarkdown(branch: readonly SessionEntry[]): string {
  return markdownOf(branch, typedText);
}

/** The text of the last message that has some. */
export function lastAnswer(branch: readonly SessionEntry[]): string | undefined {
  const texts = itemsIn(branch).flatMap((item) => {
    if (item.kind === "result" || item.message.role !== "assistant") return [];
    return item.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  });
  return texts.findLast((text) => text.trim() !== "");
}
