import type { ContentPart } from "../contracts/content.js";
import { unsupportedByHarness } from "./capability.js";
import type { HarnessPrompt } from "./harness-v1.js";

interface UserPart {
  readonly type: string;
  readonly text?: string;
  readonly image?: unknown;
  readonly data?: unknown;
  readonly mediaType?: string;
  readonly filename?: string;
}

/** A prompt of the AI SDK as one of the engine. @throws ConfigurationError for a file that is not in the message */
export function promptContent(harnessId: string, prompt: HarnessPrompt): string | readonly ContentPart[] {
  const content = typeof prompt === "string" ? prompt : prompt.content;
  if (typeof content === "string") return content;
  return content.map((part) => partOf(harnessId, part));
}

function partOf(harnessId: string, part: UserPart): ContentPart {
  if (part.type === "text") return { type: "text", text: part.text ?? "" };
  const given = part.data ?? part.image;
  const { type, text, data } = Object(given) as { type?: unknown; text?: unknown; data?: unknown };
  if (type === "text" && typeof text === "string") return { type: "text", text };
  const bytes = type === "data" ? data : given;
  const { mediaType, base64 } =
    typeof bytes === "string" ? fromText(bytes) : { mediaType: undefined, base64: encoded(bytes) };
  const media = mediaType ?? (part.type === "image" ? (part.mediaType ?? "image/png") : part.mediaType);
  if (base64 === undefined || media === undefined) {
    const message = `A ${part.type} of the prompt is not in the message. Send its content as base64 or bytes: addresses are not fetched.`;
    throw unsupportedByHarness(harnessId, message);
  }
  const { filename: name } = part;
  const file = {
    mediaType: media === "image" ? "image/png" : media,
    data: base64,
    ...(name !== undefined && { name }),
  };
  return { type: media.startsWith("image") ? "image" : "file", ...file };
}

/** Base64, or a data URL. */
function fromText(text: string): { readonly mediaType: string | undefined; readonly base64: string | undefined } {
  const url = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w.+-]+=[^;,]*)*;base64,/.exec(text);
  const base64 = url ? text.slice(url[0].length) : text;
  return { mediaType: url?.[1], base64: /^[A-Za-z0-9+/]*={0,2}$/.test(base64) ? base64 : undefined };
}

function encoded(bytes: unknown): string | undefined {
  const view = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  if (!(view instanceof Uint8Array)) return undefined;
  let binary = "";
  for (let at = 0; at < view.length; at += 0x8000) binary += String.fromCharCode(...view.subarray(at, at + 0x8000));
  return btoa(binary);
}
