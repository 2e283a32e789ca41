import { expect, test } from "vitest";
import { joinedBytes } from "../../src/text/joined-bytes.js";

test("pieces stand behind each other, in memory of their own", () => {
  const first = Uint8Array.of(1, 2);

  const whole = joinedBytes([first, new Uint8Array(0), Uint8Array.of(3).subarray(0)]);
  first[0] = 9;

  expect(whole).toEqual(Uint8Array.of(1, 2, 3));
  expect(joinedBytes([])).toEqual(new Uint8Array(0));
});
