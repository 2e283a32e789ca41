import { wholeText } from "./whole-text.js";

interface Media {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

/** A part's content inside a URL. */
export function dataUrl({ mediaType, data }: Media): string {
  return `data:${mediaType};base64,${data}`;
}

/** Whether a file goes to a model as text: servers take PDF documents as files, and little else. */
export function isTextFile({ mediaType }: { readonly mediaType: string }): boolean {
  return mediaType.startsWith("text/") || /^application\/(?:json|xml|yaml|javascript)$/.test(mediaType);
}

/** A text file under its name. */
export function textOfFile({ name, data }: Media & { readonly name?: string }): string {
  return wholeText(`${name ?? "File"}:\n${decodeText(data)}`);
}

function decodeText(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return "(not base64)";
  }
}
