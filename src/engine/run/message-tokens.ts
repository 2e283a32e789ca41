import type { Message } from "../../contracts/message.js";

/** An image or a file, whatever its size: about what vendors bill for an ordinary one. */
const MEDIA_TOKENS = 1_500;

/** A rough count of a message's tokens: a quarter of its characters, one for each that is not Latin. */
export function estimateMessageTokens({ content }: Message): number {
  let media = 0;
  const withoutData = (value: readonly object[]): unknown[] =>
    value.map((part) => {
      if ("data" in part) return ++media;
      return "output" in part && Array.isArray(part.output) ? withoutData(part.output) : part;
    });
  const text = JSON.stringify(withoutData(content)) ?? "";
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x2e7f) wide++;
  return Math.ceil((text.length - wide) / 4) + wide + media * MEDIA_TOKENS;
}
