import { expect, test } from "vitest";
import { fillReferences, referencesIn } from "../../../src/scheduler/plan/task-references.js";
import { processorMs } from "../../processor-time.js";

test("references are found and filled in, and what is only like one is told apart", () => {
  const input = { list: ["{{tasks.a.output}} {{ tasks.b.output }}", "{{tasks.c.out}} {{name}} {{tasks.}}"] };

  expect(referencesIn(input)).toEqual({ ids: new Set(["a", "b"]), broken: ["{{tasks.c.out}}", "{{tasks.}}"] });
  expect(fillReferences(input, (id) => `<${id}>`)).toEqual({
    list: ["<a> <b>", "{{tasks.c.out}} {{name}} {{tasks.}}"],
  });
});

test("a reference that is never closed costs no more than its length", () => {
  const endless = `{{tasks.${" ".repeat(1_000_000)}`;
  const before = processorMs();

  expect(referencesIn(endless)).toEqual({ ids: new Set(), broken: [] });
  expect(fillReferences(endless, () => "x")).toBe(endless);
  expect(processorMs() - before).toBeLessThan(3_000);
});
