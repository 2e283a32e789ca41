// The content of a call's result, in this library's terms. Nothing a server says about its own content is taken as given. Text loses what
// only a terminal obeys, as a command's output does; all else in it, such as joiners and marks of direction, is data and stays.
import type { ContentPart } from "../../contracts/content.js";
import type { ToolContext } from "../../contracts/tool.js";
import { isObject } from "../../json/is-object.js";
import { isBase64 } from "../../text/base64.js";
import { clip } from "../../text/cut.js";
import { withoutSequences } from "../../text/terminal-text.js";

/** The place where content is kept that no model reads, and its owner. */
export type Keeper = Pick<ToolContext, "artifacts" | "sessionId">;

/** Blocks of one result; further ones are left out, and counted. */
const MAX_BLOCKS = 200;
const MAX_LABEL_CHARS = 500;
/** The media types that every provider takes. */
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Content blocks as a model reads them: a string when all of it is text. */
export async function readContent(blocks: readonly unknown[], keeper: Keeper): Promise<string | ContentPart[]> {
  const parts: ContentPart[] = [];
  for (const block of blocks.slice(0, MAX_BLOCKS)) parts.push(await readBlock(block, keeper));
  const left = blocks.length - MAX_BLOCKS;
  if (left > 0) parts.push({ type: "text", text: `[${left} more parts were left out.]` });
  if (parts.some(({ type }) => type !== "text")) return parts;
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

async function readBlock(block: unknown, keeper: Keeper): Promise<ContentPart> {
  return imageOf(block) ?? { type: "text", text: await readText(block, keeper) };
}

function imageOf(block: unknown): ContentPart | undefined {
  if (!isObject(block)) return undefined;
  const { resource } = block;
  const isEmbedded = block.type === "resource" && isObject(resource);
  const { data, mimeType } = isEmbedded ? { data: resource.blob, mimeType: resource.mimeType } : block;
  if (block.type !== "image" && !isEmbedded) return undefined;
  const mediaType = String(mimeType).toLowerCase();
  const isUsable = IMAGE_TYPES.has(mediaType) && typeof data === "string" && isBase64(data);
  return isUsable ? { type: "image", mediaType, data } : undefined;
}

async function readText(block: unknown, keeper: Keeper): Promise<string> {
  if (!isObject(block)) return "[A part that is not an object was left out.]";
  const { type, text, data, mimeType, resource } = block;
  switch (type) {
    case "text":
      return typeof text === "string" ? withoutSequences(text) : "[A text part without text was left out.]";
    case "image":
      return describeBytes("An image", data, mimeType, keeper);
    case "audio":
      return describeBytes("A sound", data, mimeType, keeper);
    case "resource_link":
      return `[Resource: ${describeLink(block)}]`;
    case "resource":
      return isObject(resource) ? readResource(resource, keeper) : "[A resource without content was left out.]";
    default:
      return `[A part of unknown type ${JSON.stringify(label(type))} was left out.]`;
  }
}

/** The contents of one resource. */
export async function readResource(resource: Record<string, unknown>, keeper: Keeper): Promise<string> {
  const { uri, text, blob, mimeType } = resource;
  if (typeof text === "string") return `[Resource: ${label(uri)}]\n${withoutSequences(text)}`;
  return describeBytes(`The resource ${label(uri)}`, blob, mimeType, keeper);
}

/** A resource in one line. */
export function describeLink({ uri, name, title, description, mimeType }: Record<string, unknown>): string {
  const about = [title ?? name, mimeType, description].filter((each) => typeof each === "string" && each !== "");
  return [uri, ...about].map(label).join(", ");
}

/** Content that no model reads is kept for the host. */
async function describeBytes(what: string, data: unknown, mimeType: unknown, keeper: Keeper): Promise<string> {
  const type = typeof mimeType === "string" && mimeType !== "" ? label(mimeType) : "of an unknown type";
  if (typeof data !== "string" || !isBase64(data)) return `[${what} (${type}) was left out: its data is not base64.]`;
  const bytes = Uint8Array.from(atob(data.replace(/=+$/, "")), (character) => character.charCodeAt(0));
  const { artifacts, sessionId } = keeper;
  const kept = await artifacts?.put(bytes, {
    sessionId,
    mediaType: type.includes("/") ? type : "application/octet-stream",
  });
  const size = `${bytes.length} bytes`;
  return kept
    ? `[${what} (${type}, ${size}) is in ${kept.path}]`
    : `[${what} (${type}, ${size}) cannot be shown here.]`;
}

function label(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return clip(withoutSequences(text).replace(/\s+/g, " ").trim(), MAX_LABEL_CHARS);
}
