import type { MediaPart } from "../../../contracts/content.js";
import type { NamedImage } from "../input/attached-images.js";
import { safeLine } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import { TextBlock } from "./block.js";
import { inBytes } from "./quantities.js";

/** An image or a file that the model has made, as a line with its type and size. */
export function mediaBlock({ dim }: Theme, part: MediaPart): TextBlock {
  const { type, mediaType, data } = part;
  const name = "name" in part && part.name ? ` ${safeLine(part.name)}` : "";
  const text = `[${type}${name}: ${safeLine(mediaType)}, ${inBytes((data.length * 3) / 4)}]`;
  return new TextBlock(dim(text));
}

/** The line for an image of a prompt. */
export function namedBlock(theme: Theme, { name, part }: NamedImage): TextBlock {
  if (part) return mediaBlock(theme, { ...part, type: "file", name });
  return new TextBlock(theme.yellow(`! ${safeLine(name)} is larger than 5 MiB and does not go with the prompt.`));
}
