import type { View, ViewEdit } from "../../contracts/context.js";
import type { AssistantMediaPart, Message } from "../../contracts/message.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { isMediaPart } from "../../engine/transcript/message-shape.js";
import { bytesOf } from "../../text/base64.js";
import { describeMedia } from "../../text/describe-media.js";
import { type Block, blocksOf } from "../blocks.js";
import { type Change, type CompactionStage, named, roomOf, toEdits } from "../stage.js";

/**
 * Leaves out images and files that the model has made, the oldest first, until the target is met. A note of the user's side
 * takes their place, with the path where the engine has an artifact store. Those of the newest turns stay.
 */
export function pictures(): CompactionStage {
  return named("pictures", async (view: View, budget): Promise<readonly ViewEdit[]> => {
    const room = roomOf(view, budget);
    let excess = room.usedTokens - room.targetTokens;
    const changes: Change[] = [];
    for (const block of blocksOf(view, room)) {
      if (excess <= 0 || block.isTail) break;
      if (block.isAnchor) continue;
      const replacement = await withoutMedia(block, budget.artifacts, view.sessionId);
      if (!replacement) continue;
      changes.push({ first: block.first, last: block.last, replacement });
      for (const message of block.messages) excess -= room.count(message);
      for (const message of replacement) excess += room.count(message);
    }
    return toEdits("pictures", view, budget, changes);
  });
}

/** `null` for a block without any. */
async function withoutMedia({ messages }: Block, artifacts: ArtifactStore | undefined, sessionId: string) {
  const media = messages.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((part) => isMediaPart(part)) : [],
  );
  if (media.length === 0) return null;
  const notes: string[] = [];
  for (const part of media) notes.push(await noteOn(part, artifacts, sessionId));
  const left = messages.flatMap((message): Message[] => {
    if (message.role !== "assistant") return [message];
    const content = message.content.filter((part) => !isMediaPart(part));
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return [...left, { role: "user", origin: "reminder", content: [{ type: "text", text: notes.join("\n") }] } as const];
}

async function noteOn(part: AssistantMediaPart, artifacts: ArtifactStore | undefined, sessionId: string) {
  const path = await keep(part, artifacts, sessionId);
  const where = path === null ? "" : ` It is in "${path}".`;
  return `[Left out to save room: ${describeMedia(part)} that you made here.${where}]`;
}

async function keep({ data, mediaType }: AssistantMediaPart, artifacts: ArtifactStore | undefined, sessionId: string) {
  const bytes = artifacts ? bytesOf(data) : null;
  if (!artifacts || !bytes) return null;
  try {
    return (await artifacts.put(bytes, { sessionId, mediaType })).path;
  } catch {
    return null; // A full disk does not stop the compaction: the session has the image.
  }
}
