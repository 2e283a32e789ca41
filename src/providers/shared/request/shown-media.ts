// Most wires take no images and files from the model's side, and none takes the work of another vendor's server tools. Those of the
// transcript that cannot go back as the model's own are shown to it by the user, behind the message they belong to, so that the
// model can still see what "the picture" is, and what a search has found.
import type { ContentPart } from "../../../contracts/content.js";
import type { AssistantMediaPart, AssistantMessage, Message } from "../../../contracts/message.js";
import { isMediaPart } from "../../../engine/transcript/message-shape.js";
import { describeMedia } from "../../../text/describe-media.js";
import { isServerToolPart, type ServerToolPart, toldWork } from "../server-tool-use.js";

/** Longest image or file that vendors take from a user. Unit: characters of base64. */
const MAX_CHARS = 5 * 1024 * 1024;

/** Whether a part goes back in its own message. */
export type GoesBack = (part: AssistantMediaPart | ServerToolPart, message: AssistantMessage) => boolean;

/** The same messages, with what the user shows after each message of the model, or after the results of its calls. */
export function withShownMedia(messages: readonly Message[], goesBack: GoesBack): readonly Message[] {
  if (!messages.some(hasMedia)) return messages;
  const all: Message[] = [];
  let waiting: readonly ContentPart[] = [];
  const show = () => {
    if (waiting.length > 0) all.push({ role: "user", content: waiting, origin: "reminder" });
    waiting = [];
  };
  for (const message of messages) {
    if (message.role !== "tool") show();
    all.push(message);
    if (message.role === "assistant") waiting = shownOf(message, goesBack);
  }
  show();
  return all;
}

function hasMedia({ role, content }: Message): boolean {
  return role === "assistant" && content.some((part) => isMediaPart(part) || isServerToolPart(part));
}

function shownOf(message: AssistantMessage, goesBack: GoesBack): ContentPart[] {
  const shown: ContentPart[] = [];
  for (const part of message.content) {
    const isWork = isServerToolPart(part);
    if (!(isWork || isMediaPart(part)) || goesBack(part, message)) continue;
    if (isWork) {
      shown.push({ type: "text", text: toldWork(part.serverTool) });
      continue;
    }
    const what = describeMedia(part);
    if (part.data.length <= MAX_CHARS)
      shown.push({ type: "text", text: `[In your last message you made ${what}:]` }, part);
    else
      shown.push({ type: "text", text: `[In your last message you made ${what}. It is too large to be shown here.]` });
  }
  return shown;
}
