import { expect, test } from "vitest";
import { isPlainFilter } from "../../../../src/permissions/shell/invocation/jq-program.js";

test.each([
  '.a | "x \\(.b + 1) y" | ascii_downcase',
  '{name, import: 1, "a b": 2, (.x): 3}',
  '"a \\("b" | ascii_upcase) c" + {a, b: [1, {c}]}.a',
  '.[] | select(.a == "b" and (.c // 0) > 3) | .d?',
  ".a[1:3], .., log2",
  "def f(x; $y): x + $y; f(.a; 1)",
  '"# \\(.a)" | split("(")',
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
  "{a: load}",
  '"a\\( "x" ) " + load("x") + " b"',
  '# "\n load("x") "',
  '"# \\(.a)" | load("x")',
  "# a comment\n.a[1:3], ..",
  '"x',
])("may open a file: %j", (filter) => {
  expect(isPlainFilter(filter)).toBe(false);
});

test("long filters take time in proportion to their length", () => {
  const started = process.cpuUsage().user;
  for (const piece of ["()", "[", '"', '"\\(1)"', "{a,", "\\", "def f: ", ".a|"]) isPlainFilter(piece.repeat(20_000));
  expect((process.cpuUsage().user - started) / 1_000).toBeLessThan(5_000);
});
