import { expect, test } from "vitest";
import { describeMedia } from "../../src/text/describe-media.js";

test("an image or a file is described by its name and type, however long a server made them", () => {
  expect(describeMedia({ type: "image", mediaType: "image/png", data: "" })).toBe("an image of type image/png");
  expect(describeMedia({ type: "file", mediaType: "text/plain", data: "", name: "notes.txt" })).toBe(
    'a file "notes.txt" of type text/plain',
  );
  expect(
    describeMedia({ type: "file", mediaType: "x/".repeat(999), data: "", name: "n".repeat(999) }).length,
  ).toBeLessThan(450);
});
