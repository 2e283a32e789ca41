import { expect, test } from "vitest";
import {
  ago,
  counted,
  inDollars,
  inSeconds,
  inThousands,
} from "../../../../src/program/terminal/transcript/quantities.js";

test.each([
  [inSeconds, [0, 440, 9_940, 10_000, 59_400, 185_000], ["0.0 s", "0.4 s", "9.9 s", "10 s", "59 s", "3 m 05 s"]],
  [inSeconds, [59_500, 119_600, 3_600_000], ["1 m 00 s", "2 m 00 s", "60 m 00 s"]],
  [
    inThousands,
    [0, 940, 999, 1_000, 1_249, 9_949, 9_950, 35_400, 999_499, 999_500, 1_400_000],
    ["0", "940", "999", "1.0k", "1.2k", "9.9k", "10k", "35k", "999k", "1.0M", "1.4M"],
  ],
  [inDollars, [0, 0.0123, 0.1, 1.2], ["$0.0000", "$0.0123", "$0.10", "$1.20"]],
  [
    ago,
    [0, 59_999, 60_000, 3_599_999, 3_600_000, 47 * 3_600_000, 48 * 3_600_000],
    ["just now", "just now", "1 minute ago", "59 minutes ago", "1 hour ago", "47 hours ago", "2 days ago"],
  ],
])("%o", (show, values, shown) => {
  expect(values.map((value) => show(value))).toEqual(shown);
});

test("a price that is not known is not shown as nothing, and one is not many", () => {
  expect(inDollars(null)).toBe("price not known");
  expect([0, 1, 2].map((count) => counted(count, "call"))).toEqual(["0 calls", "1 call", "2 calls"]);
});
