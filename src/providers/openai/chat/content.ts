import type { ContentPart } from "../../../contracts/content.js";
import { dataUrl } from "../../shared/request/data-url.js";
import { decodeFileText, isTextMediaType } from "../../shared/request/file-text.js";
import { wholeText } from "../../shared/request/whole-text.js";

/** One part of a user message on the wire. */
export type WirePart = { readonly type: string } & { readonly [field: string]: unknown };

/** What audio is called on the wire. */
export const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

/** The content of a user message: plain text when it is nothing else, since simple servers know only that. */
export function userContent(parts: readonly ContentPart[]): string | readonly WirePart[] {
  const [first] = parts;
  if (parts.length === 0) return "";
  return parts.length === 1 && first?.type === "text" ? wholeText(first.text) : parts.map(wirePart);
}

/** One part of a user message. Text files go as text: servers take PDF documents as files, and little else. */
export function wirePart(part: ContentPart): WirePart {
  if (part.type === "text") return { type: "text", text: wholeText(part.text) };
  if (part.type === "image" || part.mediaType.startsWith("image/")) {
    return { type: "image_url", image_url: { url: dataUrl(part) } };
  }
  const text = fileAsText(part);
  if (text !== undefined) return { type: "text", text };
  const format = AUDIO_FORMATS[part.mediaType];
  if (format) return { type: "input_audio", input_audio: { data: part.data, format } };
  return { type: "file", file: { filename: wholeText(part.name ?? "file"), file_data: dataUrl(part) } };
}

/** A text file under its name; `undefined` for every other file. */
export function fileAsText({ mediaType, data, name = "File" }: FilePart): string | undefined {
  return isTextMediaType(mediaType) ? wholeText(`${name}:\n${decodeFileText(data) ?? "(not base64)"}`) : undefined;
}

type FilePart = Extract<ContentPart, { readonly type: "file" }>;
