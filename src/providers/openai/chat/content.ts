import type { ContentPart } from "../../../contracts/content.js";
import type { Fields } from "../../../json/is-object.js";
import { wholeText } from "../../shared/request/whole-text.js";
import { readableMedia } from "../readable-media.js";

/** One part of a user message on the wire. */
export type WirePart = { readonly type: string } & Fields;

const PDF = /^application\/pdf$/;

/** The content of a user message: plain text when it is nothing else, since simple servers know only that. */
export function userContent(parts: readonly ContentPart[]): string | readonly WirePart[] {
  const said = withoutEmptyText(parts);
  const texts = said.flatMap((part) => (part.type === "text" ? [wholeText(part.text)] : []));
  return texts.length === said.length ? texts.join("\n\n") : said.map(wirePart);
}

/** Servers refuse text that is empty, and a list of parts that is. */
export function withoutEmptyText(parts: readonly ContentPart[]): readonly ContentPart[] {
  return parts.filter((part) => part.type !== "text" || part.text !== "");
}

/** One part of a user message. This API takes PDF documents as files, and nothing else. */
export function wirePart(part: ContentPart): WirePart {
  if (part.type === "text") return { type: "text", text: wholeText(part.text) };
  const media = readableMedia(part, PDF);
  if (media.kind === "text") return { type: "text", text: media.text };
  if (media.kind === "image") return { type: "image_url", image_url: { url: media.url } };
  if (media.kind === "audio") return { type: "input_audio", input_audio: media.audio };
  return { type: "file", file: { filename: media.name, file_data: media.url } };
}
