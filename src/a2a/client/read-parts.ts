// The parts that another agent has made, for a model. Nothing in them is taken as given.
import type { Part } from "@a2a-js/sdk";
import type { ContentPart } from "../../contracts/content.js";
import type { JsonValue } from "../../contracts/json.js";
import type { ToolContext } from "../../contracts/tool.js";
import { isDeeperThan } from "../../json/copy.js";
import { base64Of } from "../../text/base64.js";
import { clip } from "../../text/cut.js";
import { withoutSequences } from "../../text/terminal-text.js";

const MAX_PARTS = 200;
const MAX_LABEL_CHARS = 500;
/** Readers of the data further on may be recursive. */
const MAX_DEPTH = 100;
/** Types of images that every provider takes. */
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Parts as a model reads them: a string when all of it is text. What no model reads is kept for the host. */
export async function readParts(
  parts: readonly Part[],
  keeper: Pick<ToolContext, "artifacts" | "sessionId">,
): Promise<string | ContentPart[]> {
  const read: ContentPart[] = [];
  for (const part of parts.slice(0, MAX_PARTS)) read.push(await readPart(part, keeper));
  if (parts.length > MAX_PARTS) read.push(text(`[${parts.length - MAX_PARTS} more parts were left out.]`));
  if (read.some(({ type }) => type !== "text")) return read;
  return read.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

async function readPart(
  { content, mediaType, filename }: Part,
  { artifacts, sessionId }: Pick<ToolContext, "artifacts" | "sessionId">,
): Promise<ContentPart> {
  if (content?.$case === "text") return text(withoutSequences(content.value));
  if (content?.$case === "data") return text(JSON.stringify(plainData(content.value)));
  if (content?.$case === "url") return text(`[A file at ${label(content.value)}]`);
  if (content?.$case !== "raw") return text("[A part without content was left out.]");
  const type = mediaType.toLowerCase();
  if (IMAGE_TYPES.has(type)) return { type: "image", mediaType: type, data: base64Of(content.value) };
  const what = `${label(filename || "A file")} (${label(mediaType || "of an unknown type")}, ${content.value.length} bytes)`;
  const kept = await artifacts?.put(content.value, { sessionId, mediaType: mediaType || "application/octet-stream" });
  return text(kept ? `[${what} is in ${kept.path}]` : `[${what} cannot be shown here.]`);
}

/** The data parts, and the text between them in one piece. */
export function questionOf(parts: readonly Part[]): { readonly text: string; readonly data: readonly JsonValue[] } {
  const few = parts.slice(0, MAX_PARTS);
  const texts = few.flatMap(({ content }) => (content?.$case === "text" ? [withoutSequences(content.value)] : []));
  const data = few.flatMap(({ content }) => (content?.$case === "data" ? [plainData(content.value)] : []));
  return { text: texts.join("\n"), data };
}

function plainData(value: unknown): JsonValue {
  return isDeeperThan(MAX_DEPTH, value) ? "[Data nested too deep was left out.]" : ((value ?? null) as JsonValue);
}

function text(text: string): ContentPart {
  return { type: "text", text };
}

function label(value: string): string {
  return clip(withoutSequences(value).replace(/\s+/g, " ").trim(), MAX_LABEL_CHARS);
}
