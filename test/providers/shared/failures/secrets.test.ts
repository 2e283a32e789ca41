import { expect, test } from "vitest";
import { createScrub } from "../../../../src/providers/shared/failures/secrets.js";

test("declared secrets are removed wherever they are, the longer ones first", () => {
  const scrub = createScrub(["abcdef", "abcdefgh", undefined]);

  expect(scrub("key abcdefgh, then abcdef.")).toBe("key [secret], then [secret].");
});

test("a value too short to be a secret is left in ordinary text", () => {
  expect(createScrub(["abc"])("abc")).toBe("abc");
});

test.each([`sk-${"a1".repeat(10)}`, `AIza${"b2".repeat(12)}`, "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl"])(
  "%s looks like a secret",
  (secret) => {
    expect(createScrub([])(`Incorrect key: ${secret}!`)).toBe("Incorrect key: [secret]!");
  },
);

test("credentials in headers and addresses are removed, the rest stays", () => {
  const scrub = createScrub([]);

  expect(scrub("Authorization: Bearer abcdefghij")).toBe("Authorization: Bearer [secret]");
  expect(scrub("https://user:pass@host.test/v1")).toBe("https://[secret]@host.test/v1");
});

test("whitespace without end takes no longer than other text", () => {
  const blanks = " ".repeat(500_000);

  expect(createScrub([])(`${blanks}Bearer ${blanks}abcdefghij`)).toBe(`${blanks}Bearer [secret]`);
});
