import { expect, test } from "vitest";
import { isPlainFilter } from "../../../../src/permissions/shell/invocation/jq-program.js";

test.each([
  '.a | "x \\(.b + 1) y" | ascii_downcase',
  '{name, import: 1, "a b": 2, (.x): 3}',
  "def f(x; $y): x + $y; f(.a; 1)",
  '.[] | select(.a == "b" and (.c // 0) > 3) | .d?',
  "# a comment\n.a[1:3], ..",
  "@base64d | tojson",
])("only computes: %s", (filter) => {
  expect(isPlainFilter(filter)).toBe(true);
});

test.each([
  'import "a" as $a; $a',
  'include "a"; .',
  'import #x\n"a" as $a; def import: .; $a',
  'load("x")',
  '"\\(load("x"))"',
  'eval("lo" + "ad(1)")',
  '"def load: 1" | load',
  "[load]",
  '"x',
])("may open a file: %j", (filter) => {
  expect(isPlainFilter(filter)).toBe(false);
});
