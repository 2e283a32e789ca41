import { expect, test } from "vitest";
import { decodeFileText, isTextMediaType } from "../../../../src/providers/shared/request/file-text.js";

test.each(["text/plain", "TEXT/CSV; charset=utf-8", "application/json", "application/ld+json", "image/svg+xml"])(
  "%s is text",
  (type) => {
    expect(isTextMediaType(type)).toBe(true);
  },
);

test.each(["application/pdf", "image/png", "application/jsonlines", "", "xtext/plain"])("%s is not", (type) => {
  expect(isTextMediaType(type)).toBe(false);
});

test("base64 is read as UTF-8, and anything else is not read", () => {
  expect(decodeFileText(Buffer.from("grüße").toString("base64"))).toBe("grüße");
  expect(decodeFileText("not base64!")).toBeNull();
});
