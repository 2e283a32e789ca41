// Images and files of a model's answer, in the words of a server, as parts of a message.
import type { MediaPart } from "../../contracts/content.js";
import type { ProviderEvent } from "../../contracts/provider.js";

/** The first characters of well-known types in base64, for servers that do not name the type. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^iVBOR/, "image/png"],
  [/^\/9j\//, "image/jpeg"],
  [/^R0lG/, "image/gif"],
  [/^UklG.{8}RUJQ/, "image/webp"],
  [/^UklG.{8}QVZF/, "audio/wav"],
  [/^(?:SUQz|\/\/uQ)/, "audio/mpeg"],
  [/^T2dnUw/, "audio/ogg"],
  [/^ZkxhQw/, "audio/flac"],
  [/^JVBER/, "application/pdf"],
  [/^AAAA.[GWm2]Z0eXB(?:oZWl[j4]|taWYx)/, "image/heic"],
  [/^AAAA.[GWm2]Z0eXBhdmlm/, "image/avif"],
];

const UNKNOWN_TYPE = "application/octet-stream";

/** Longest head of a data URL: its type and encoding. Unit: characters. */
const MAX_HEAD_CHARS = 200;

/**
 * An image or a file from base64, as a part; `undefined` when there is nothing. Without a type it is recognised by its first
 * bytes. Base64 for URLs, in lines or without its padding becomes the usual one; what is not base64 stays as it is, for
 * the engine to report.
 */
export function receivedMedia(base64: unknown, type: unknown): MediaPart | undefined {
  if (typeof base64 !== "string" || base64 === "") return undefined;
  const data = usualBase64(base64);
  const said = typeof type === "string" ? plainType(type) : "";
  const mediaType = said.includes("/") && said !== UNKNOWN_TYPE ? said : (typeByStart(data) ?? UNKNOWN_TYPE);
  return { type: mediaType.startsWith("image/") ? "image" : "file", mediaType, data };
}

/** The event for an image or a file that came as a URL. Any address but a data URL is kept as a link in the text. */
export function eventOfUrl(url: string, type?: unknown): ProviderEvent | undefined {
  if (!/^data:/i.test(url)) {
    const isImage = typeof type !== "string" || type.startsWith("image/");
    return { type: "text-delta", text: isImage ? `![image](${url})` : `[file](${url})` };
  }
  const comma = url.slice(0, MAX_HEAD_CHARS).indexOf(",");
  const part = receivedMedia(url.slice(comma + 1), url.slice("data:".length, Math.max(0, comma)) || type);
  return part && { type: "media", part };
}

/** The type without what stands behind it, unless sound cannot be played without: samples do not say their rate. */
function plainType(type: string): string {
  const said = type.trim().toLowerCase();
  return /^audio\/(?:l16|pcm);\S+$/.test(said) ? said : said.split(";")[0]!.trim();
}

function usualBase64(base64: string): string {
  const isUsual = base64.length % 4 === 0 && !/[\s_-]/.test(base64);
  if (isUsual) return base64;
  const whole = base64.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  let end = whole.length;
  while (whole[end - 1] === "=") end--;
  return whole.slice(0, end) + "=".repeat((4 - (end % 4)) % 4);
}

/** The media type that the first bytes name; `undefined` when they name none that is known. */
export function typeByStart(data: string): string | undefined {
  const start = data.slice(0, MAX_HEAD_CHARS).trimStart();
  return BEGINNINGS.find(([begins]) => begins.test(start))?.[1];
}
