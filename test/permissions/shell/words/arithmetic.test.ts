import { expect, test } from "vitest";
import { analyze } from "../kit.js";

test.each([
  "echo $((1 + 2))",
  "i=1; echo $((i * 2))",
  "for i in 1 2; do ((i > 1)); done",
  "echo $(( $# + \u0024{#x} ))",
])("evaluates nothing but numbers: %s", (line) => {
  expect(analyze(line).opaque).toBe(false);
});

test.each([
  "read x; echo $((x))",
  "x=$(a); ((x))",
  "echo $((y[$(a)]))",
  'let "$x"',
  "declare -i x=$y",
  "read x; [[ $x -eq 1 ]]",
])("may evaluate text: %s", (line) => {
  expect(analyze(line).opaque).toBe(true);
});
