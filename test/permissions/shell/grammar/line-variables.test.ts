import { expect, test } from "vitest";
import { readByGrammar } from "../../../../src/permissions/shell/grammar/grammar.js";

test.each([
  "for f in *.md; do cat $f; done",
  "for f in src/*.ts docs/*.md; do wc -l < $f; done",
  "for f in a b; do cat $f; done",
])("names that wildcards match may be whole words of a program: %s", (line) => {
  expect(readByGrammar(line).outside).toBeNull();
});

test.each([
  "for f in *.md; do [ $f = a ]; done",
  "for f in *.md; do head -n$f a; done",
  "for f in *.md; do echo $((f)); done",
  "for f in *.md a; do cat $f; done; f='b c'",
  "f='*'; cat $f",
])("where the shell reads them, or beside other values, they may not: %s", (line) => {
  expect(readByGrammar(line).outside).not.toBeNull();
});
