import type { MediaPart } from "../contracts/content.js";

/** The limit of a name or a type: a server or a tool may send any. Unit: characters. */
const MAX_CHARS = 200;

/** An image or a file within a sentence: `a file "notes.txt" of type text/plain`. */
export function describeMedia({ type, mediaType, ...part }: MediaPart): string {
  const name = "name" in part && part.name ? ` "${part.name.slice(0, MAX_CHARS)}"` : "";
  return `${type === "image" ? "an image" : "a file"}${name} of type ${mediaType.slice(0, MAX_CHARS)}`;
}
