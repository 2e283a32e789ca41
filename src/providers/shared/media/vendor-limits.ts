// The published limits of vendors on one image or document (read 2026-11). A server that is not listed has no limit that
// is known; its refusals show them.
import type { MediaLimits } from "../../../contracts/content.js";
import { isHostedBy } from "../http/base-url.js";

const MIB = 1024 * 1024;

/** Bytes of data that have this length in base64. */
const inBase64 = (chars: number) => (chars / 4) * 3;

interface VendorLimits {
  readonly image: MediaLimits;
  readonly document: MediaLimits;
}

const VENDORS = {
  // https://platform.claude.com/docs/en/build-with-claude/vision#general-limits: 10 MB in base64, 8000 by 8000 pixels.
  // https://platform.claude.com/docs/en/api/overview#request-size-limits: 32 MB.
  anthropic: {
    image: { maxBytes: inBase64(10 * MIB), maxSide: 8_000 },
    document: { maxBytes: inBase64(32 * MIB) },
  },
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html: 3.75 MB, 8000 by 8000 pixels. Its limit on
  // documents is not that of newer models for PDF.
  bedrock: { image: { maxBytes: inBase64(5 * MIB), maxSide: 8_000 }, document: {} },
  // https://platform.claude.com/docs/en/build-with-claude/vision#general-limits: 5 MB in base64 on Google Cloud.
  claudeOnGoogle: { image: { maxBytes: inBase64(5 * MIB), maxSide: 8_000 }, document: {} },
  // https://ai.google.dev/gemini-api/docs/file-input-methods#method-comparison: 100 MB a request, 50 MB for PDF.
  gemini: { image: { maxBytes: inBase64(100 * MIB) }, document: { maxBytes: 50 * MIB } },
  // https://developers.openai.com/api/docs/guides/images-vision: 50 MB of images a request.
  // https://developers.openai.com/api/docs/guides/file-inputs: 50 MB a file.
  openai: { image: { maxBytes: 50 * MIB }, document: { maxBytes: 50 * MIB } },
} as const satisfies Readonly<Record<string, VendorLimits>>;

/** A vendor whose limits are known. */
export type MediaVendor = keyof typeof VENDORS;

/** The limits on a part of this type. */
export function limitsOf(vendor: MediaVendor | undefined, mediaType: string): MediaLimits {
  if (vendor === undefined) return {};
  return mediaType.startsWith("image/") ? VENDORS[vendor].image : VENDORS[vendor].document;
}

/** The operator of a server at this address that speaks Anthropic's API. */
export function vendorOfClaude(baseURL: unknown): MediaVendor | undefined {
  if (typeof baseURL !== "string") return undefined;
  if (isHostedBy(baseURL, "anthropic.com")) return "anthropic";
  if (isHostedBy(baseURL, "amazonaws.com")) return "bedrock";
  return isHostedBy(baseURL, "googleapis.com") ? "claudeOnGoogle" : undefined;
}

/** The vendor behind a provider of the AI SDK, by its name, such as `openai.chat`. */
export function vendorOfAiSdk(provider: string): MediaVendor | undefined {
  const [name] = provider.split(".");
  if (name === "amazon-bedrock") return "bedrock";
  if (provider === "google.generative-ai") return "gemini";
  return name === "anthropic" || name === "openai" ? name : undefined;
}
