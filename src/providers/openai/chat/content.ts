import type { ContentPart } from "../../../contracts/message.js";
import { wholeText } from "../../shared/whole-text.js";

/** One part of a user message on the wire. */
export type WirePart = { readonly type: string } & { readonly [field: string]: unknown };

const AUDIO_FORMATS: Readonly<Record<string, string>> = {
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
  if (isText(part.mediaType))
    return { type: "text", text: wholeText(`${part.name ?? "File"}:\n${decodeText(part.data)}`) };
  const format = AUDIO_FORMATS[part.mediaType];
  if (format) return { type: "input_audio", input_audio: { data: part.data, format } };
  return { type: "file", file: { filename: wholeText(part.name ?? "file"), file_data: dataUrl(part) } };
}

function dataUrl({ mediaType, data }: { readonly mediaType: string; readonly data: string }): string {
  return `data:${mediaType};base64,${data}`;
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith("text/") || /^application\/(?:json|xml|yaml|javascript)$/.test(mediaType);
}

function decodeText(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return "(not base64)";
  }
}
