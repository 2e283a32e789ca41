import { isUtf8 } from "node:buffer";
import type { WebResponse } from "./web-transport.js";

export interface WebBody {
  readonly bytes: Uint8Array;
  /** Whether there was more than was read. */
  readonly isCut: boolean;
}

/** The form in which a body is shown; `null` for what is not text. */
export type BodyKind = "html" | "text" | null;

const TEXT_TYPE =
  /^(?:text\/.*|.*\+(?:json|xml|yaml)|application\/(?:json|json5|x?-?ndjson|jsonlines|xml|yaml|x-yaml|toml|javascript|x-javascript|ecmascript|typescript|x-sh|sql|graphql|x-www-form-urlencoded))$/;
const SNIFFED_BYTES = 1_024;

/** Reads a body up to a size; the rest is left where it is. */
export async function readBody(body: WebResponse["body"], maxBytes: number): Promise<WebBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    const room = maxBytes - size;
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    size += chunk.length;
    // Leaving the loop ends the stream.
    if (size > maxBytes) return { bytes: Buffer.concat(chunks), isCut: true };
  }
  return { bytes: Buffer.concat(chunks), isCut: false };
}

/** The media type of a `content-type` header, in lower case; empty without one. */
export function mediaTypeOf(contentType: string | null): string {
  return (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
}

/** The kind that a media type promises. Without one it is the body that decides: see `kindOfBytes`. */
export function kindOfType(mediaType: string): BodyKind {
  if (mediaType === "text/html" || mediaType === "application/xhtml+xml") return "html";
  return TEXT_TYPE.test(mediaType) ? "text" : null;
}

export function kindOfBytes(bytes: Uint8Array): BodyKind {
  const start = Buffer.from(bytes.subarray(0, SNIFFED_BYTES));
  if (/^\ufeff?\s*<(?:!doctype html|html|head|body)\b/i.test(start.toString("utf8"))) return "html";
  return isUtf8(bytes) && !start.includes(0) ? "text" : null;
}

/** Decodes by byte order mark, header, or what the page says of itself; else UTF-8. Never fails. */
export function decodeBody(bytes: Uint8Array, contentType: string | null, kind: BodyKind): string {
  const label = markOf(bytes) ?? charsetOf(contentType ?? "") ?? (kind === "html" ? declaredBy(bytes) : undefined);
  return decoderFor(label).decode(bytes);
}

function decoderFor(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label ?? "utf-8");
  } catch {
    // A label nobody knows says nothing.
    return new TextDecoder();
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function charsetOf(text: string): string | undefined {
  return /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1];
}

/** A `<meta>` can only be read if it is ASCII, so it cannot declare UTF-16. */
function declaredBy(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString("latin1");
  const declared = charsetOf(/<meta\b[^>]*charset[^>]*/i.exec(start)?.[0] ?? "");
  return declared && /^utf-?16/i.test(declared) ? "utf-8" : declared;
}
