// What OpenAI's models do not read is named in words: one refused part would fail every request after it.
import { expect, test } from "vitest";
import { readableMedia } from "../../../src/providers/openai/readable-media.js";

const PDF = /^application\/pdf$/;

test("images that models read go as images, under their registered names", () => {
  for (const mediaType of ["image/png", "IMAGE/JPEG", "image/jpg", "image/gif", "image/webp; q=1"]) {
    expect(readableMedia({ type: "image", mediaType, data: "AA==" }, PDF).kind).toBe("image");
  }
  expect(readableMedia({ type: "file", mediaType: "image/jpg", data: "AA==" }, PDF)).toEqual({
    kind: "image",
    url: "data:image/jpeg;base64,AA==",
  });
});

test("an image that is text goes as text", () => {
  const svg = { type: "image", mediaType: "image/svg+xml", data: btoa("<svg/>") } as const;

  expect(readableMedia(svg, PDF)).toEqual({ kind: "text", text: "File:\n<svg/>" });
});

test("audio and the documents that an API takes go as such", () => {
  expect(readableMedia({ type: "file", mediaType: "audio/mpeg", data: "AA==" }, PDF)).toEqual({
    kind: "audio",
    audio: { data: "AA==", format: "mp3" },
  });
  expect(readableMedia({ type: "file", mediaType: "application/pdf", data: "AA==", name: "b.pdf" }, PDF)).toEqual({
    kind: "document",
    name: "b.pdf",
    url: "data:application/pdf;base64,AA==",
  });
});

test.each([
  ["image/bmp", undefined, "The image of type image/bmp was left out"],
  ["application/zip", "a.zip", 'The file "a.zip" of type application/zip was left out'],
  ["video/mp4", undefined, "The file of type video/mp4 was left out"],
])("%s is named in words", (mediaType, name, expected) => {
  const type = mediaType.startsWith("image/") ? "image" : "file";

  const media = readableMedia({ type, mediaType, data: "AA==", ...(name && { name }) } as never, PDF);

  expect(media).toEqual({ kind: "text", text: expect.stringContaining(expected) });
});
