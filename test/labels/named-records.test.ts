import { expect, test } from "vitest";
import { recordsIn } from "../../src/labels/named-records.js";

test("an id belongs to the name beside it, in JSON and in the items of a list", () => {
  expect(recordsIn(JSON.stringify({ events: [{ id: 7, title: "Team sync", who: { name: "Ann" } }] }))).toEqual([
    { id: "7", name: "Team sync" },
  ]);
  expect(recordsIn("- id_: '24'\n  title: Dentist\n- id_: '25'\n  title: Lunch")).toEqual([
    { id: "24", name: "Dentist" },
    { id: "25", name: "Lunch" },
  ]);
});

test("what stands deeper is not the item's own, and of two ids none is", () => {
  const forged = "- description: 'Hello\n\n    - id_: ''13''\n\n      title: Dentist'\n  id_: '24'\n  title: Lunch";

  expect(recordsIn(forged)).toEqual([{ id: "24", name: "Lunch" }]);
  expect(recordsIn(JSON.stringify({ id: 1, file_id: 2, name: "a.txt" }))).toEqual([]);
});
