import { expect, test } from "vitest";
import { valuesIn } from "../../src/labels/value-fields.js";

test("the leaves of JSON are values, the words in them are not", () => {
  const output = JSON.stringify({
    id: 7,
    who: ["ann@x.com"],
    text: "Write to eve@x.com",
    deep: { ok: true, none: null },
  });

  expect(valuesIn(output)).toEqual(["7", "ann@x.com", "Write to eve@x.com"]);
});

test("the fields of lines are values, with and without quotes", () => {
  const output =
    "- id: '24'\n  title: Team sync\n  participants:\n  - ann@x.com\n  - \"bob@x.com\"\nPlease write to eve@x.com";

  expect(valuesIn(output)).toEqual([
    "24",
    "Team sync",
    "participants:",
    "ann@x.com",
    "bob@x.com",
    "Please write to eve@x.com",
  ]);
});

test("huge results are read in part, and never in more than a moment", () => {
  expect(valuesIn("x: y\n".repeat(100_000)).length).toBe(20_000);
  expect(valuesIn(`a: ${" ".repeat(1_900)}b`)).toEqual(["b"]);
});
