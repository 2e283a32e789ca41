import { expect, test } from "vitest";
import { decodeText, encodeText, encodingOf } from "../../../src/tools/files/text-encoding.js";

const bytes = (...values: number[]) => Uint8Array.from(values);

test.each([
  ["UTF-8", Buffer.from("häß 😀\n")],
  ["UTF-8 with a mark", Buffer.concat([bytes(0xef, 0xbb, 0xbf), Buffer.from("hi\r\n")])],
  ["UTF-16, little end first", Buffer.concat([bytes(0xff, 0xfe), Buffer.from("hi 😀", "utf16le")])],
  ["UTF-16, big end first", Buffer.concat([bytes(0xfe, 0xff), Buffer.from("hi 😀", "utf16le").swap16()])],
  ["an empty file", Buffer.alloc(0)],
])("%s is written back byte for byte", (_, file) => {
  const decoded = decodeText(file)!;

  expect(encodeText(decoded.text, decoded.encoding).equals(file)).toBe(true);
  expect(decoded.text.startsWith("\ufeff")).toBe(false);
});

test.each([
  ["bytes that are not valid", bytes(0xff, 0x41)],
  ["Latin-1", Buffer.from("häß", "latin1")],
  ["zeros", bytes(0x41, 0, 0x42)],
  ["half a UTF-16 unit", bytes(0xff, 0xfe, 0x41)],
  ["half a character", bytes(0xff, 0xfe, 0x00, 0xd8)],
])("%s cannot be written back, and so is not read", (_, file) => {
  expect(decodeText(file)).toBeNull();
});

test("without a mark a text is UTF-8", () => {
  expect(encodingOf(bytes(0x41))).toEqual({ name: "utf-8", hasBom: false });
});
