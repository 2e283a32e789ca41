import type { MediaPart } from "../../../contracts/content.js";

/** The images that the large vendors read. Others end in a refusal, and so does every later request of the session. */
export const COMMON_IMAGES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** The media type as vendors compare it: in lower case, without parameters, under its registered name. */
export function plainMediaType({ mediaType }: MediaPart): string {
  const type = mediaType.toLowerCase().split(";")[0]!.trim();
  return type === "image/jpg" ? "image/jpeg" : type;
}

/** A line in place of what a model does not read, so that it knows what it cannot see. */
export function leftOut(part: MediaPart, reason: string): string {
  const label = part.type === "file" && part.name ? `file "${part.name}"` : part.type;
  return `[The ${label} of type ${part.mediaType} was left out: ${reason}.]`;
}
