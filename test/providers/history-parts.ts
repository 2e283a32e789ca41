// Messages of a conversation, as short as tests of requests want them.
import type { Message } from "../../src/contracts/message.js";

type SaidPart = Extract<Message, { role: "assistant" }>["content"][number];

/** A PNG of one pixel, in base64. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });

/** Makes answers of a provider's model. */
export const saidBy =
  (provider: string, model: string) =>
  (...content: SaidPart[]): Message => ({ role: "assistant", content, finishReason: "stop", provider, model });
