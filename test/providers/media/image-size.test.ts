import { expect, test } from "vitest";
import { imageSize } from "../../../src/providers/shared/media/image-size.js";
import { PIXEL } from "../history-parts.js";
import { gif, jpeg, png, webp } from "./images.js";

const SIZE = { width: 9_001, height: 312 };

test.each([
  ["a PNG", "image/png", png(SIZE)],
  ["a GIF", "image/gif", gif(SIZE)],
  ["a JPEG", "image/jpeg", jpeg(SIZE)],
  [
    "a JPEG behind a preview and a colour profile of more than 64 KB",
    "image/jpeg",
    jpeg({ ...SIZE, preview: [60_000, 60_000] }),
  ],
  ["a lossy WebP", "image/webp", webp("lossy", SIZE)],
  ["a lossless WebP", "image/webp", webp("lossless", SIZE)],
  ["an extended WebP", "image/webp", webp("extended", SIZE)],
])("the size of %s is in its header", (_what, mediaType, data) => {
  expect(imageSize(data, mediaType)).toEqual(SIZE);
});

test("a real picture has the size that it is drawn with", () => {
  expect(imageSize(PIXEL, "image/png")).toEqual({ width: 1, height: 1 });
});

test.each([
  ["a PNG that ends behind its signature", "image/png", "iVBORw0KGgo="],
  ["a JPEG without a frame", "image/jpeg", btoa("\xff\xd8\xff\xe1\x00\x04ab\xff\xe1\x00\x00")],
  ["a JPEG whose segment has no length", "image/jpeg", btoa(`\xff\xd8${"\xff\xe1\x00\x00".repeat(20)}`)],
  ["a WebP of an unknown kind", "image/webp", btoa("RIFF\x01\x00\x00\x00WEBPVP9X")],
  ["what is not base64", "image/png", "%%%%"],
  ["nothing", "image/gif", ""],
  ["another type", "image/svg+xml", btoa("<svg/>")],
])("%s has no size", (_what, mediaType, data) => {
  expect(imageSize(data, mediaType)).toBeUndefined();
});
