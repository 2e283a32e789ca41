import fc from "fast-check";
import { expect, test } from "vitest";
import { fileNameOf, sessionIdOf } from "../../src/sessions/file-name.js";
import { AWKWARD_IDS } from "../../src/testing/stores/sample-entries.js";
import { runs } from "../runs.js";

const numRuns = runs(400, 2_000, 200_000);
const anyId = fc.string({
  unit: fc.oneof(fc.constantFrom(...'aA._-%~/\\:é"*?0 \n'), fc.string({ minLength: 1, maxLength: 1, unit: "binary" })),
  minLength: 1,
  maxLength: 15,
});

test("ids of safe characters are their own file names", () => {
  expect(fileNameOf("6f1c2a7e-5b1d-4c9f-9d55-0a1b2c3d4e5f")).toBe("6f1c2a7e-5b1d-4c9f-9d55-0a1b2c3d4e5f.jsonl");
});

test("every id has a safe name that leads back to it, so no two ids share one", () => {
  fc.assert(
    fc.property(anyId, (id) => {
      const name = fileNameOf(id);

      expect(name).toMatch(/^[a-z0-9_%~-]+\.jsonl$/);
      expect(sessionIdOf(name)).toBe(id);
    }),
    { numRuns },
  );
});

test("awkward ids have names that differ in more than case or Unicode form, or are refused", () => {
  const names = AWKWARD_IDS.filter((id) => id.length < 60).map(fileNameOf);

  expect(new Set(names.map((name) => name.toLowerCase().normalize("NFC"))).size).toBe(names.length);
  for (const id of AWKWARD_IDS.filter((id) => id.length > 160)) {
    expect(() => fileNameOf(id)).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
  }
});

test("names Windows keeps for devices are not used", () => {
  expect(["con", "nul", "com1", "console"].map(fileNameOf)).toEqual([
    "%63on.jsonl",
    "%6eul.jsonl",
    "%63om1.jsonl",
    "console.jsonl",
  ]);
});

test("what is not an id is refused with what was expected", () => {
  for (const id of ["", undefined, 7, null] as string[]) {
    expect(() => fileNameOf(id)).toThrow(/non-empty string/);
  }
});

test("files that are not sessions are passed over", () => {
  for (const name of ["a.lock", "A.jsonl", "%41%.jsonl", "%61.jsonl", "con.jsonl", ".jsonl", "a.jsonl.tmp"]) {
    expect([name, sessionIdOf(name)]).toEqual([name, null]);
  }
});
