import type { ContentPart } from "../../contracts/content.js";
import { decodeFileText, isTextMediaType } from "../shared/request/file-text.js";
import { leftOut, plainMediaType } from "../shared/request/media-part.js";
import { wholeText } from "../shared/request/whole-text.js";
import type { GooglePart } from "./wire.js";

const INLINE = /^(?:image\/(?:png|jpeg|webp|heic|heif)|application\/pdf|audio\/.+|video\/.+)$/;

/** A text part; `null` for text without anything to read, which the API refuses. */
export function googleTextPart(text: string): GooglePart | null {
  return text.trim() === "" ? null : { text: wholeText(text) };
}

/** One part of a user message or a tool result; `null` when there is nothing to send. */
export function googlePart(part: ContentPart): GooglePart | null {
  if (part.type === "text") return googleTextPart(part.text);
  const mediaType = plainMediaType(part);
  if (INLINE.test(mediaType)) return { inlineData: { mimeType: mediaType, data: part.data } };
  const name = part.type === "file" ? part.name : undefined;
  const text = isTextMediaType(mediaType) ? decodeFileText(part.data) : null;
  if (text !== null) return { text: wholeText(`${name ?? "File"}:\n${text}`) };
  const reason = "this model reads PNG, JPEG, WebP and HEIC images, PDF, text, audio and video files";
  return { text: leftOut(part, reason) };
}
