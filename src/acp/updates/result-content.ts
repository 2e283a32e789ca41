import type { ToolCallContent } from "@agentclientprotocol/sdk";
import type { ContentPart } from "../../contracts/content.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { clip } from "../../text/cut.js";
import { editorBlock } from "./editor-block.js";

/** The sent part of one text; the whole is in the session. */
const MAX_TEXT_CHARS = 30_000;

/** The result of a tool, as blocks that an editor shows. */
export function resultContent(output: ToolResult["output"]): ToolCallContent[] {
  const parts: readonly ContentPart[] = typeof output === "string" ? [{ type: "text", text: output }] : output;
  return parts.map((part): ToolCallContent => {
    if (part.type === "text") return textContent(part.text);
    return { type: "content", content: editorBlock(part) };
  });
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text: clip(text, MAX_TEXT_CHARS) } };
}

/** A text in a fence that nothing in it can close. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
