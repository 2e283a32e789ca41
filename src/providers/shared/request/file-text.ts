import { bytesOf } from "../../../text/base64.js";

/** Whether a file of this type is text that a model can read as it is. */
export function isTextMediaType(mediaType: string): boolean {
  const type = mediaType.toLowerCase().split(";")[0]!.trim();
  return (
    type.startsWith("text/") ||
    /^(?:application\/(?:.*\+)?(?:json|xml|yaml|x-yaml|javascript|toml)|image\/svg\+xml)$/.test(type)
  );
}

/** The text of a base64 file, read as UTF-8. `null` when it is not base64. */
export function decodeFileText(base64: string): string | null {
  const bytes = bytesOf(base64);
  return bytes && new TextDecoder().decode(bytes);
}
