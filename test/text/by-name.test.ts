import { expect, test } from "vitest";
import { byName } from "../../src/text/by-name.js";

test("named things are ordered by code units, whatever the machine's language", () => {
  const names = ["b", "ä", "a", "B", "a-1", "Z"];

  expect(names.map((name) => ({ name })).sort(byName)).toEqual(
    ["B", "Z", "a", "a-1", "b", "ä"].map((name) => ({ name })),
  );
});
