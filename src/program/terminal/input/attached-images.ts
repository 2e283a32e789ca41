// Images of a prompt: a path that was typed, pasted or dragged into the window, of a picture that is there.
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { MediaPart } from "../../../contracts/content.js";

/** An image that a prompt names. */
export interface NamedImage {
  readonly name: string;
  /** Absent: it is larger than any vendor takes. */
  readonly part?: MediaPart;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};
/** Vendors take no larger ones. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_IMAGES = 10;

/** An absolute path, as a terminal pastes a file that is dropped on it: in quotes, with backslashes, or as a `file:` URL. */
const PATH =
  /"((?:\/|~\/|file:)(?:\\.|[^"\\\n])+)"|'((?:\/|~\/|file:)(?:[^'\n]|'\\''|'"'"')+)'|(?<![^\s(])((?:\/|~\/|file:\/\/)(?:\\.|[^\s\\])+)/g;

/** Whether a prompt may name images, so that it is worth looking. */
export function mayNameImages(prompt: string): boolean {
  return /\.(?:png|jpe?g|gif|webp)/i.test(prompt);
}

/** The images that a prompt names by absolute paths. Files that cannot be read are left to the agent's tools. */
export async function imagesIn(prompt: string): Promise<readonly NamedImage[]> {
  const paths = [...prompt.matchAll(PATH)].map(([, double, single, bare]) => {
    if (single !== undefined) return single.replace(/'(?:\\'|"'")'/g, "'");
    // No picture's name ends with punctuation that ends a sentence.
    return unescaped(double ?? bare!.replace(/[,.;:!?)]+$/, ""));
  });
  const images = await Promise.all([...new Set(paths)].slice(0, MAX_IMAGES).map(readImage));
  return images.flatMap((image) => image ?? []);
}

async function readImage(named: string): Promise<NamedImage | undefined> {
  const mediaType = MEDIA_TYPES[extname(named).toLowerCase()];
  if (mediaType === undefined) return undefined;
  try {
    const path = named.startsWith("file:") ? fileURLToPath(named) : named.replace(/^~(?=\/)/, homedir());
    const { size } = await stat(path);
    if (size > MAX_BYTES) return { name: basename(path) };
    if (size === 0) return undefined;
    const data = (await readFile(path)).toString("base64");
    return { name: basename(path), part: { type: "image", mediaType, data } };
  } catch {
    return undefined;
  }
}

function unescaped(path: string): string {
  return path.replace(/\\(.)/g, "$1");
}
