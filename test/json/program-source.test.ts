import { expect, test } from "vitest";
import { programOf, RUN_PROGRAM } from "../../src/json/program-source.js";

test("the source of a program is the text that its call has, and of no other call", () => {
  expect(programOf(RUN_PROGRAM, { program: "return 1" })).toBe("return 1");
  for (const [name, input] of [
    ["bash", { program: "return 1" }],
    [RUN_PROGRAM, { program: 7 }],
    [RUN_PROGRAM, null],
  ] as const)
    expect(programOf(name, input)).toBeUndefined();
});
