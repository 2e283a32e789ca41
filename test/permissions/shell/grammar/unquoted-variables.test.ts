import { expect, test } from "vitest";
import { analyze } from "../kit.js";

function isOutside(line: string): boolean {
  const { outsideGrammar, opaque } = analyze(line);
  return outsideGrammar.length > 0 || opaque;
}

test.each([
  "for f in *.md; do cat $f; done",
  "for f in src/*.ts docs/*.md; do wc -l < $f; done",
  "for f in a b; do cat $f; done",
  "f='*'; cat $f",
])("names that wildcards match may be whole words of a program: %s", (line) => {
  expect(isOutside(line)).toBe(false);
});

test.each([
  "for f in *.md; do [ $f = a ]; done",
  "for f in *.md; do head -n$f a; done",
  "for f in *.md; do echo $((f)); done",
  "for f in *.md a; do cat $f; done; f='b c'",
])("where the shell reads them, or beside other values, they may not: %s", (line) => {
  expect(isOutside(line)).toBe(true);
});
