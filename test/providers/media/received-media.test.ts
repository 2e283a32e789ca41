import { expect, test } from "vitest";
import { eventOfUrl, receivedMedia } from "../../../src/providers/shared/received-media.js";
import { PIXEL } from "../history-parts.js";

test.each([
  ["image/png", "image/png", "image"],
  ["IMAGE/PNG; charset=binary", "image/png", "image"],
  ["audio/wav", "audio/wav", "file"],
  ["audio/L16;codec=pcm;rate=24000", "audio/l16;codec=pcm;rate=24000", "file"],
  [undefined, "image/png", "image"],
  ["", "image/png", "image"],
  ["application/octet-stream", "image/png", "image"],
  ["png", "image/png", "image"],
])("the type %s of a PNG becomes %s", (said, mediaType, type) => {
  expect(receivedMedia(PIXEL, said)).toEqual({ type, mediaType, data: PIXEL });
});

test.each([
  [[0x89, 0x50, 0x4e, 0x47], "image/png"],
  [[0xff, 0xd8, 0xff, 0xe0], "image/jpeg"],
  [[...Buffer.from("GIF89a")], "image/gif"],
  [[...Buffer.from("RIFF\0\0\0\0WEBPVP8 ")], "image/webp"],
  [[...Buffer.from("RIFF\0\0\0\0WAVEfmt ")], "audio/wav"],
  [[...Buffer.from("ID3")], "audio/mpeg"],
  [[0xff, 0xfb, 0x90, 0x64], "audio/mpeg"],
  [[...Buffer.from("OggS")], "audio/ogg"],
  [[...Buffer.from("fLaC")], "audio/flac"],
  [[...Buffer.from("%PDF-1.7")], "application/pdf"],
  [[1, 2, 3], "application/octet-stream"],
])("bytes that begin with %j are %s", (bytes, mediaType) => {
  expect(receivedMedia(Buffer.from(bytes).toString("base64"), undefined)?.mediaType).toBe(mediaType);
});

test("base64 for URLs, in lines or without padding becomes the usual one", () => {
  const bytes = Uint8Array.from({ length: 100 }, (_, index) => (index * 37 + 251) % 256);
  const usual = Buffer.from(bytes).toString("base64");
  const forUrls = Buffer.from(bytes).toString("base64url");
  const inLines = usual.replace(/(.{20})/g, "$1\r\n");

  expect(usual).toMatch(/[+/].*=$/);
  for (const data of [usual, forUrls, inLines, usual.replace(/=+$/, "")]) {
    expect(receivedMedia(data, "image/png")?.data).toBe(usual);
  }
});

test.each([undefined, null, "", 7, {}])("%j is no image", (data) => {
  expect(receivedMedia(data, "image/png")).toBeUndefined();
});

test("a data URL is read, and another address is kept as a link", () => {
  const part = { type: "image", mediaType: "image/png", data: PIXEL };

  expect(eventOfUrl(`data:image/png;base64,${PIXEL}`)).toEqual({ type: "media", part });
  expect(eventOfUrl(`data:;base64,${PIXEL}`)).toEqual({ type: "media", part });
  expect(eventOfUrl("data:image/png;base64,")).toBeUndefined();
  expect(eventOfUrl("https://a.example/cat.png")).toEqual({
    type: "text-delta",
    text: "![image](https://a.example/cat.png)",
  });
  expect(eventOfUrl("https://a.example/cat.mp3", "audio/mpeg")).toEqual({
    type: "text-delta",
    text: "[file](https://a.example/cat.mp3)",
  });
});
