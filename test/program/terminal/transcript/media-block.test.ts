import { expect, test } from "vitest";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";
import { mediaBlock } from "../../../../src/program/terminal/transcript/media-block.js";

test.each([
  [{ type: "image", mediaType: "image/png", data: "A".repeat(16) }, "  [image: image/png, 12 bytes]"],
  [{ type: "image", mediaType: "image/jpeg", data: "A".repeat(4_000_000) }, "  [image: image/jpeg, 3.0 MB]"],
  [
    { type: "file", mediaType: "audio/wav", data: "A".repeat(4_000), name: "a.wav" },
    "  [file a.wav: audio/wav, 3.0 KB]",
  ],
  [
    { type: "file", mediaType: "audio/\u001b[31mwav\n", data: "", name: "a\u001b[2J" },
    expect.not.stringContaining("\u001b[2J"),
  ],
] as const)("what a model makes is a line with its type and size", (part, line) => {
  const lines = mediaBlock(createTheme({ NO_COLOR: "1" }), part).render(80);

  expect(lines).toEqual([line]);
});
