// The size of an image, from its header alone: PNG, JPEG, GIF and WebP.
import { bytesOf } from "../../../text/base64.js";

/** Unit: pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Holds the header of nearly all files; a JPEG may have a preview and a colour profile in front of it. A multiple of four. */
const START_CHARS = 64 * 1024;

const READERS: Readonly<Record<string, (bytes: DataView) => ImageSize | undefined>> = {
  "image/png": pngSize,
  "image/jpeg": jpegSize,
  "image/gif": gifSize,
  "image/webp": webpSize,
};

/** The size of an image of this type; `undefined` when the type is another one, or the header damaged. */
export function imageSize(data: string, mediaType: string): ImageSize | undefined {
  const read = READERS[mediaType];
  if (!read) return undefined;
  const size = sizeIn(data.slice(0, START_CHARS), read);
  return size || data.length <= START_CHARS ? size : sizeIn(data, read);
}

function sizeIn(base64: string, read: (bytes: DataView) => ImageSize | undefined): ImageSize | undefined {
  const bytes = bytesOf(base64);
  if (!bytes) return undefined;
  try {
    return read(new DataView(bytes.buffer));
  } catch {
    return undefined; // It ends within its header.
  }
}

/** Four letters of a file as a number, as they stand in it. */
const IHDR = 0x49_48_44_52;
const VP8_LOSSY = 0x56_50_38_20;
const VP8_LOSSLESS = 0x56_50_38_4c;
const VP8_EXTENDED = 0x56_50_38_58;

function pngSize(bytes: DataView): ImageSize | undefined {
  if (bytes.getUint32(12) !== IHDR) return undefined;
  return { width: bytes.getUint32(16), height: bytes.getUint32(20) };
}

function gifSize(bytes: DataView): ImageSize {
  return { width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) };
}

function webpSize(bytes: DataView): ImageSize | undefined {
  switch (bytes.getUint32(12)) {
    case VP8_LOSSY:
      return { width: bytes.getUint16(26, true) & 0x3fff, height: bytes.getUint16(28, true) & 0x3fff };
    case VP8_LOSSLESS: {
      const bits = bytes.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case VP8_EXTENDED: {
      const less = (at: number) => bytes.getUint16(at, true) | (bytes.getUint8(at + 2) << 16);
      return { width: less(24) + 1, height: less(27) + 1 };
    }
    default:
      return undefined;
  }
}

/** Steps over the segments in front of the one that begins the frame. */
function jpegSize(bytes: DataView): ImageSize | undefined {
  let at = 2;
  while (bytes.getUint8(at) === 0xff) {
    const marker = bytes.getUint8(at + 1);
    if (isFrame(marker)) return { width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5) };
    // A marker may be filled up in front; some have no length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else at += 2 + Math.max(2, bytes.getUint16(at + 2));
  }
  return undefined;
}

/** Start of a frame, of any coding; three numbers of that row are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
