import type { Message } from "../../contracts/message.js";

/** What an image or a file counts, whatever its size: about what vendors bill for an ordinary one. Unit: characters. */
const MEDIA_CHARS = 6_000;

/** A rough count of a message's tokens: a quarter of its characters, one for each that is not Latin. */
export function estimateMessageTokens({ content }: Message): number {
  const parts: readonly { readonly type: string; readonly output?: unknown }[] = content;
  const hasMedia = parts.some((part) => isMedia(part) || (Array.isArray(part.output) && part.output.some(isMedia)));
  let chars = 0;
  const withoutData = (_name: string, value: unknown) => {
    if (!isMedia(value)) return value;
    chars += MEDIA_CHARS;
    return 0;
  };
  const text = JSON.stringify(content, hasMedia ? withoutData : undefined) ?? "";
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x2e7f) wide++;
  return Math.ceil((chars + text.length - wide) / 4) + wide;
}

function isMedia(value: unknown): boolean {
  return typeof value === "object" && value !== null && "mediaType" in value;
}
