// The prompt of an editor's user, as the engine takes it.
import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { ContentPart } from "../contracts/content.js";
import { attachedText } from "../labels/attached-text.js";

/** A prompt's blocks as content parts. A block that cannot be used is described in words, so that nothing is lost silently. */
export function readPromptBlocks(blocks: readonly ContentBlock[]): ContentPart[] {
  return blocks.map(partOf).filter((part) => part.type !== "text" || part.text !== "");
}

/** The text of a prompt that has nothing else. */
export function plainTextOf(parts: readonly ContentPart[]): string | null {
  const texts = parts.map((part) => (part.type === "text" ? part.text : null));
  return texts.includes(null) ? null : texts.join("\n");
}

function partOf(block: ContentBlock): ContentPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return { type: "image", mediaType: block.mimeType, data: block.data };
    case "audio":
      return { type: "file", mediaType: block.mimeType, data: block.data };
    case "resource_link":
      return { type: "text", text: `[${block.title ?? block.name}](${placeOf(block.uri)})` };
    case "resource":
      return resourcePart(block.resource);
    default:
      return { type: "text", text: "[The editor sent content of a kind that is not known here.]" };
  }
}

function resourcePart(resource: Extract<ContentBlock, { type: "resource" }>["resource"]): ContentPart {
  const place = placeOf(resource.uri);
  if ("text" in resource) return { type: "text", text: attachedText(place, resource.text) };
  const mediaType = resource.mimeType ?? "application/octet-stream";
  if (mediaType.startsWith("image/")) return { type: "image", mediaType, data: resource.blob };
  return { type: "file", mediaType, data: resource.blob, name: place };
}

/** A file's path, which tools take; any other address as it is. */
function placeOf(uri: string): string {
  if (!uri.startsWith("file://")) return uri;
  try {
    const { hash } = new URL(uri);
    return fileURLToPath(uri) + hash;
  } catch {
    return uri;
  }
}
