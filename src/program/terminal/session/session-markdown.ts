import type { SessionEntry } from "../../../contracts/session.js";
import { outputText } from "../transcript/call-summary.js";
import { itemsIn, typedText } from "./session-history.js";

/** A session as a document: prompts, answers, and each call with its result. */
export function sessionMarkdown(branch: readonly SessionEntry[]): string {
  const parts = itemsIn(branch).flatMap((item): string[] => {
    if (item.kind === "result") return [fenced(outputText(item.result))];
    const typed = typedText(item.message);
    if (typed !== null) return [`## Prompt\n\n${typed}`];
    if (item.message.role !== "assistant") return [];
    return item.message.content.flatMap((part): string[] => {
      if (part.type === "text") return part.text.trim() === "" ? [] : [part.text.trim()];
      if (part.type === "tool-call") return [`**${part.name}**\n\n${fenced(JSON.stringify(part.arguments), "json")}`];
      return part.type === "reasoning" ? [] : [`[${part.type}: ${part.mediaType}]`];
    });
  });
  return `${parts.join("\n\n")}\n`;
}

/** The text of the last message that has some. */
export function lastAnswer(branch: readonly SessionEntry[]): string | undefined {
  const texts = itemsIn(branch).flatMap((item) => {
    if (item.kind === "result" || item.message.role !== "assistant") return [];
    return item.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  });
  return texts.findLast((text) => text.trim() !== "");
}

/** A block of code whose fence is longer than any in the text. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
