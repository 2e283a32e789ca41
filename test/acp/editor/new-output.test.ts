import { expect, test } from "vitest";
import { NewOutput } from "../../../src/acp/editor/editor-shell.js";

test("each reading yields what is new, also once the beginning is gone", () => {
  const output = new NewOutput();

  expect(output.add("one ", false)).toBe("one ");
  expect(output.add("one two ", false)).toBe("two ");
  expect(output.add("one two ", false)).toBe("");
  expect(output.add("one two three", true)).toBe("three");
  expect(output.add("one two three four", true)).toBe(" four");
});

test("output that was lost between two readings is said to be lost", () => {
  const output = new NewOutput();
  output.add("a".repeat(3_000), false);

  expect(output.add("b".repeat(3_000), true)).toBe(`\n[… output was lost here …]\n${"b".repeat(3_000)}`);
});
