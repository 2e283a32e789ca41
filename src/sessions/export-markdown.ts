import type { JsonValue } from "../contracts/json.js";
import type { Message } from "../contracts/message.js";
import type { SessionEntry, SessionStore } from "../contracts/session.js";
import type { ToolResult } from "../contracts/tool-call.js";
import { isPrompt } from "../engine/transcript/message-shape.js";
import { branchOfSession } from "./session-tree.js";

/**
 * A session as a Markdown document: prompts, answers, and each call with its result, also of tools that a vendor has run, of the branch
 * that it stands on. Reasoning is left out.
 *
 * @throws SessionError `SESSION_NOT_FOUND` for an unknown session, and what the store throws
 */
export async function exportMarkdown(store: SessionStore, id: string): Promise<string> {
  return markdownOf(await branchOfSession(store, id), promptText);
}

/** `textOf`: what a person typed; `null` for a message that nobody did. */
export function markdownOf(branch: readonly SessionEntry[], textOf: (message: Message) => string | null): string {
  const parts = branch.flatMap((entry): string[] => {
    if (entry.type === "tool-result") return [fenced(outputText(entry.result))];
    if (entry.type !== "message") return [];
    const typed = textOf(entry.message);
    if (typed !== null) return [`## Prompt\n\n${typed}`];
    if (entry.message.role !== "assistant") return [];
    return entry.message.content.flatMap((part): string[] => {
      if (part.type === "text") return part.text.trim() === "" ? [] : [part.text.trim()];
      if (part.type === "tool-call") return [called(part.name, part.arguments)];
      if (part.type !== "reasoning") return [`[${part.type}: ${part.mediaType}]`];
      const { name, input, output } = part.serverTool ?? {};
      return [
        ...(name === undefined || input === undefined ? [] : [called(name, input)]),
        ...(output === undefined ? [] : [fenced(output)]),
      ];
    });
  });
  return `${parts.join("\n\n")}\n`;
}

function called(name: string, input: JsonValue): string {
  return `**${name}**\n\n${fenced(JSON.stringify(input), "json")}`;
}

function promptText(message: Message): string | null {
  if (message.role !== "user" || !(isPrompt(message) || message.origin === "steering")) return null;
  return message.content.length === 0 ? null : outputText({ output: message.content });
}

/** The output of a call as text: an image or a file is named. */
export function outputText({ output }: Pick<ToolResult, "output">): string {
  if (typeof output === "string") return output;
  return output.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
}

/** A block of code whose fence is longer than any in the text. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
