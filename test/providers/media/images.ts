// Images that are nothing but a header, of any size, in base64.
import { base64Of } from "../../../src/text/base64.js";

interface Drawn {
  readonly width: number;
  readonly height: number;
  /** Default: the header alone. */
  readonly bytes?: number;
}

const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const big = (value: number, bytes: number) =>
  Array.from({ length: bytes }, (_, at) => (value >> (8 * (bytes - 1 - at))) & 255);
const little = (value: number, bytes: number) => big(value, bytes).reverse();

function imageOf(header: readonly number[], bytes = header.length): string {
  const all = new Uint8Array(Math.max(bytes, header.length));
  all.set(header);
  return base64Of(all);
}

export const png = ({ width, height, bytes }: Drawn): string =>
  imageOf(
    [137, ...letters("PNG\r\n\x1a\n"), 0, 0, 0, 13, ...letters("IHDR"), ...big(width, 4), ...big(height, 4)],
    bytes,
  );

export const gif = ({ width, height, bytes }: Drawn): string =>
  imageOf([...letters("GIF89a"), ...little(width, 2), ...little(height, 2)], bytes);

/** `preview`: bytes of a segment in front of the frame. A segment has at most 65,533. */
export const jpeg = ({
  width,
  height,
  bytes,
  preview = [16],
}: Drawn & { readonly preview?: readonly number[] }): string => {
  const segments = preview.flatMap((size) => [0xff, 0xe1, ...big(size + 2, 2), ...new Array<number>(size).fill(0)]);
  return imageOf([0xff, 0xd8, ...segments, 0xff, 0xff, 0xc2, 0, 17, 8, ...big(height, 2), ...big(width, 2), 3], bytes);
};

export const webp = (kind: "lossy" | "lossless" | "extended", { width, height, bytes }: Drawn): string => {
  const chunk = {
    lossy: [...letters("VP8 "), ...little(0, 4), 0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)],
    lossless: [...letters("VP8L"), ...little(0, 4), 0x2f, ...little((width - 1) | ((height - 1) << 14), 4)],
    extended: [
      ...letters("VP8X"),
      ...little(10, 4),
      ...little(0, 4),
      ...little(width - 1, 3),
      ...little(height - 1, 3),
    ],
  }[kind];
  return imageOf([...letters("RIFF"), ...little(1, 4), ...letters("WEBP"), ...chunk], bytes);
};
