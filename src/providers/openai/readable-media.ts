import type { MediaPart } from "../../contracts/content.js";
import { dataUrl } from "../shared/request/data-url.js";
import { decodeFileText, isTextMediaType } from "../shared/request/file-text.js";
import { COMMON_IMAGES, leftOut, plainMediaType } from "../shared/request/media-part.js";
import { wholeText } from "../shared/request/whole-text.js";

/** An image or a file as OpenAI's models read it: in words when they do not. */
export type ReadableMedia =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly url: string }
  | { readonly kind: "audio"; readonly audio: { readonly data: string; readonly format: string } }
  | { readonly kind: "document"; readonly name: string; readonly url: string };

/** The names of audio formats on the wire. */
const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

/** `documents` are the types that the API takes as files. @see https://developers.openai.com/api/docs/guides/file-inputs (read 2026-11) */
export function readableMedia(part: MediaPart, documents: RegExp): ReadableMedia {
  const { data } = part;
  const mediaType = plainMediaType(part);
  const name = wholeText((part.type === "file" && part.name) || "file");
  if (COMMON_IMAGES.has(mediaType)) return { kind: "image", url: dataUrl({ mediaType, data }) };
  if (isTextMediaType(mediaType)) {
    const title = part.type === "file" && part.name ? part.name : "File";
    return { kind: "text", text: wholeText(`${title}:\n${decodeFileText(data) ?? "(not base64)"}`) };
  }
  const format = AUDIO_FORMATS[mediaType];
  if (format) return { kind: "audio", audio: { data, format } };
  if (documents.test(mediaType)) return { kind: "document", name, url: dataUrl({ mediaType, data }) };
  const reason = "this API reads JPEG, PNG, GIF and WebP images, WAV and MP3 audio, documents and text files";
  return { kind: "text", text: wholeText(leftOut(part, reason)) };
}
