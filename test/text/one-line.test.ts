import { expect, test } from "vitest";
import { asOneLine } from "../../src/text/one-line.js";

test("each run of white space becomes a space, and none is left at the ends", () => {
  expect(asOneLine("\t a\r\n\r\nb \u00a0\u2028c  ")).toBe("a b c");
  expect(asOneLine(" \n ")).toBe("");
});
