import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ContentPart } from "../../contracts/content.js";

/** A part of a message or of a result as an editor shows it. */
export function editorBlock(part: ContentPart): ContentBlock {
  if (part.type === "text") return { type: "text", text: part.text };
  const { mediaType: mimeType, data } = part;
  if (part.type === "image") return { type: "image", mimeType, data };
  if (mimeType.startsWith("audio/")) return { type: "audio", mimeType, data };
  const uri = `attachment:${encodeURIComponent(part.name ?? "file")}`;
  return { type: "resource", resource: { uri, mimeType, blob: data } };
}
