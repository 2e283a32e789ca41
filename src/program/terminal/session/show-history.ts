import type { SessionEntry } from "../../../contracts/session.js";
import type { ToolResult } from "../../../contracts/tool-call.js";
import { storedDescription } from "../../../engine/transcript/describe-call.js";
import { isMediaPart } from "../../../engine/transcript/message-shape.js";
import { fieldsOf } from "../../../json/is-object.js";
import { SHOWN_ELSEWHERE } from "../run-view.js";
import type { Screen } from "../screen/screen.js";
import { AnswerBlock } from "../transcript/answer-block.js";
import { TextBlock } from "../transcript/block.js";
import { CallBlock } from "../transcript/call-block.js";
import { mediaBlock } from "../transcript/media-block.js";
import { PromptBlock } from "../transcript/prompt-block.js";
import { ReasoningBlock } from "../transcript/reasoning-block.js";
import { OWN_COMMAND } from "./own-command.js";
import { PRESENT_PLAN } from "./plan-tool.js";
import { itemsIn, typedText } from "./session-history.js";

/** Messages and results shown of a session that goes on; the rest is in the session. */
const SHOWN_ITEMS = 60;

/** Shows what was said before, as it was shown then. */
export function showHistory(screen: Screen, branch: readonly SessionEntry[]): void {
  const { theme, transcript } = screen;
  const all = itemsIn(branch);
  const items = all.slice(-SHOWN_ITEMS);
  const left = all.length - items.length;
  if (left > 0) transcript.add(new TextBlock(theme.dim(`… ${left} earlier messages and results are not shown`)));
  const results = new Map<string, ToolResult>();
  for (const item of items) if (item.kind === "result") results.set(item.result.toolCallId, item.result);
  for (const item of items) {
    if (item.kind === "result") continue;
    const typed = typedText(item.message);
    if (typed !== null) transcript.add(new PromptBlock(theme, typed));
    if (item.message.role !== "assistant") continue;
    for (const part of item.message.content) {
      if (part.type === "reasoning" && part.text.trim() !== "")
        transcript.add(new ReasoningBlock(theme, "short", part.text));
      if (part.type === "text" && part.text.trim() !== "") transcript.add(new AnswerBlock(theme, part.text));
      if (isMediaPart(part)) transcript.add(mediaBlock(theme, part));
      if (part.type !== "tool-call") continue;
      if (part.name === PRESENT_PLAN) transcript.add(new AnswerBlock(theme, String(fieldsOf(part.arguments).plan)));
      if (SHOWN_ELSEWHERE.has(part.name)) continue;
      const description = storedDescription(item.descriptions, part.id);
      const isOwn = fieldsOf(part.arguments).description === OWN_COMMAND;
      const call = new CallBlock(theme, { ...part, description, isOwn });
      const result = results.get(part.id);
      if (result) call.end(result);
      else call.leaveOpen();
      transcript.add(call);
    }
  }
  screen.draw();
}
