import type { Message } from "../../contracts/message.js";

/** A rough count of a message's tokens: a quarter of its characters, one for each that is not Latin. */
export function estimateMessageTokens(message: Message): number {
  const text = JSON.stringify(message.content) ?? "";
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x2e7f) wide++;
  return Math.ceil((text.length - wide) / 4) + wide;
}
