import { expect, test } from "vitest";
import { base64Of, bytesOf, isBase64 } from "../../src/text/base64.js";

test.each([0, 1, 2, 3, 24_575, 24_576, 24_577, 200_000])("%i bytes become base64 and bytes again", (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + 7) % 256);

  const base64 = base64Of(bytes);

  expect(base64).toBe(Buffer.from(bytes).toString("base64"));
  expect(bytesOf(base64)).toEqual(bytes);
});

test("what is not base64 has no bytes", () => {
  expect(bytesOf("not base64!")).toBeNull();
});

test("a text is base64, however long, or it is not, wherever the odd character stands", () => {
  const long = "QUJD".repeat(7_000_000);

  for (const text of ["QUJD", "QUI=", "QQ==", long, `${long}QQ==`]) expect(isBase64(text)).toBe(true);
  for (const text of ["", "=", "QUJ!", "QQ===", "Q=Q=", `${long}!QQ=`, `!${long}`]) expect(isBase64(text)).toBe(false);
});
