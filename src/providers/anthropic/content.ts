import type { ContentPart } from "../../contracts/content.js";
import { decodeFileText, isTextMediaType } from "../shared/request/file-text.js";
import { COMMON_IMAGES, leftOut, plainMediaType } from "../shared/request/media-part.js";
import { wholeText } from "../shared/request/whole-text.js";
import type { AnthropicBlock } from "./wire.js";

/** A text block; `null` for text without anything to read, which the API refuses. */
export function textBlock(text: string): AnthropicBlock | null {
  return text.trim() === "" ? null : { type: "text", text: wholeText(text) };
}

/** One part of a user message or a tool result as a block; `null` when there is nothing to send. */
export function contentBlock(part: ContentPart): AnthropicBlock | null {
  if (part.type === "text") return textBlock(part.text);
  const mediaType = plainMediaType(part);
  if (COMMON_IMAGES.has(mediaType)) {
    return { type: "image", source: { type: "base64", media_type: mediaType, data: part.data } };
  }
  const name = part.type === "file" ? part.name : undefined;
  if (mediaType === "application/pdf") {
    return document({ type: "base64", media_type: mediaType, data: part.data }, name);
  }
  const text = isTextMediaType(mediaType) ? decodeFileText(part.data) : null;
  if (text !== null && text.trim() !== "")
    return document({ type: "text", media_type: "text/plain", data: wholeText(text) }, name);
  const reason = text === null ? "this model reads JPEG, PNG, GIF and WebP images, PDF and text files" : "it is empty";
  return { type: "text", text: leftOut(part, reason) };
}

function document(source: object, title: string | undefined): AnthropicBlock {
  return { type: "document", source, ...(title !== undefined && title.trim() !== "" && { title: wholeText(title) }) };
}
